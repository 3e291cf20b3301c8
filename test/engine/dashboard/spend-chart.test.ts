import assert from 'node:assert/strict';
import type { DaySpend } from '../../../src/engine/dashboard/billing/spend-chart.ts';
import { spendChart } from '../../../src/engine/dashboard/billing/spend-chart.ts';

const drawn = async (spends: readonly Partial<DaySpend>[]): Promise<string> => {
  const days = spends.map((spend, index) => ({ day: index + 1, chargedCents: 0, ...spend }));
  return String(await spendChart(days, 'March 2026'));
};

/** Each bar as it is drawn: its upper end and its height, of 100. */
const bars = (chart: string) =>
  Array.from(
    chart.matchAll(/<rect class="charged" x="[\d.]+" y="([\d.]+)" width="7" height="([\d.]+)"/g),
  ).map(([, y, height]) => [Number(y), Number(height)]);

describe('the chart of a month', () => {
  it('draws what was charged to the scale that is written beside it', async () => {
    const chart = await drawn([{ chargedCents: 3000 }, {}, { chargedCents: 5000 }]);
    assert.match(chart, /<span>\$50\.00<\/span><span>\$25\.00<\/span><span>\$0\.00<\/span>/);
    assert.deepEqual(bars(chart), [
      [40, 60],
      [0, 100],
    ]);
  });

  for (const [cents, top] of [
    [1, '$1.00'],
    [101, '$2.00'],
    [50_001, '$1,000.00'],
    [9_007_199_254_740_991, '$100,000,000,000,000.00'],
  ] as const) {
    it(`goes up to ${top} where a day has ${cents} cents`, async () => {
      const chart = await drawn([{ chargedCents: cents }]);
      assert.ok(chart.includes(`<span>${top}</span>`), chart);
    });
  }

  it('says the same as a text and as a table, without the days on which nothing was', async () => {
    const chart = await drawn([{}, { chargedCents: 3000 }, {}]);
    assert.match(chart, /<desc[^>]*>\$30\.00 charged on 1 of 3 days/);
    assert.equal(chart.match(/<tr><th scope="row">/g)?.length, 1);
    assert.match(chart, /<th scope="row">2<\/th><td class="number">\$30\.00<\/td><\/tr>/);
  });
});
