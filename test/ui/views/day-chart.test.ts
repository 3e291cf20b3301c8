import assert from 'node:assert/strict';
import { type View, viewOf } from '../../../src/ui/view.ts';
import { dayChart } from '../../../src/ui/views/day-chart.ts';
import { widthOf } from '../../../src/ui/width.ts';
import { fakeStreams } from '../fake-streams.ts';
import { NOW } from './sample-job.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const START = Date.parse('2026-11-28T00:00:00Z');

const at = (columns: number): View => viewOf(fakeStreams({ isTerminal: true, columns }), NOW);
const daysOf = (...days: readonly (readonly [spentCents: number, free?: number])[]) =>
  days.map(([spentCents, free = 0], index) => ({
    startsAt: START + index * DAY_MS,
    delivered: 0,
    charged: 0,
    free,
    unqualified: 0,
    spentCents,
  }));
const bars = (chart: string): string[] => chart.match(/[█░]+/g) ?? [];

describe('a chart of days', () => {
  it('has a bar a day of the cap, with what was spent and how many were free', () => {
    assert.equal(
      dayChart(daysOf([10_000, 12], [5000], [0, 3]), 10_000, at(40)),
      [
        '  Sat 11-28  █████████  $100.00  12 free',
        '  Sun 11-29  █████░░░░   $50.00',
        '  Mon 11-30  ░░░░░░░░░    $0.00   3 free',
        '',
      ].join('\n'),
    );
  });

  it('has a full bar only where all is spent, and an empty one only where nothing is', () => {
    const chart = dayChart(daysOf([9999], [1], [0], [10_000], [12_000]), 10_000, at(80));
    const filled = bars(chart).map((bar) => [bar.length, bar.replaceAll('░', '').length]);
    assert.deepEqual(filled, [
      [40, 39],
      [40, 1],
      [40, 0],
      [40, 40],
      [40, 40],
    ]);
  });

  it('is measured by its largest day where no day is capped, and by nothing where nothing was spent', () => {
    const [first = '', second = ''] = dayChart(daysOf([3000], [1500]), null, at(60)).split('\n');
    const [longest = 0, half = 0] = [first, second].map((line) => line.match(/█/g)?.length);
    assert.ok(longest > 30 && half === Math.round(longest / 2), `${longest} and ${half}`);
    assert.doesNotMatch(first + second, /░/);
    assert.doesNotMatch(dayChart(daysOf([0], [0]), null, at(60)), /█/);
    assert.doesNotMatch(dayChart(daysOf([0]), 0, at(60)), /█/);
  });

  it('fits a narrow terminal, where the free ones are left out first, and reads the same in ASCII', () => {
    for (const columns of [12, 30, 36, 40, 60, 120]) {
      const chart = dayChart(daysOf([123_456_789, 12_345], [0]), 200_000_000, at(columns));
      for (const line of chart.split('\n'))
        assert.ok(widthOf(line) <= Math.max(columns, 30), `${columns}: ${line}`);
      assert.match(chart, /^ {2}Sat 11-28 {2}█*░+ {2}\$1,234,567\.89/);
    }
  });
});
