import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { BudgetInput } from '../../../src/contract/job.ts';
import { BUDGET_WINDOWS, type BudgetWindow } from '../../../src/contract/values.ts';
import {
  type Caps,
  decideCharge,
  eachWindow,
  findFilledWindow,
  toWindowSpan,
} from '../../../src/engine/billing/charge.ts';
import { withVariable } from '../../environment.ts';
import charges from './charges.json' with { type: 'json' };
import { windowName } from './recount.ts';
import windows from './windows.json' with { type: 'json' };
import zones from './zones.json' with { type: 'json' };

const cap = (window: BudgetWindow, budgetCents: number): BudgetInput => ({ window, budgetCents });
const spent = (spentCents: number) => eachWindow(() => ({ spentCents }));
const open: Caps['job'] = { budgets: [], spend: spent(1_000_000) };

describe('what an application costs', () => {
  it('is the whole bid where nothing caps it, whatever was spent', () =>
    assert.deepEqual(decideCharge(1500, { job: open, company: open }), {
      outcome: 'charged',
      amountCents: 1500,
    }));

  for (const [budgetCents, spentCents, outcome] of charges as [number, number, string][])
    it(`is ${outcome} for a bid of 1500 where ${spentCents} of ${budgetCents} cents are spent`, () => {
      const capped = { budgets: [cap('WEEKLY', budgetCents)], spend: spent(spentCents) };
      assert.equal(decideCharge(1500, { job: capped, company: open }).outcome, outcome);
      assert.equal(decideCharge(1500, { job: open, company: capped }).outcome, outcome);
    });

  it("names the window that it did not fit into: the job's before the company's, the shortest first", () => {
    const full = (...windows: BudgetWindow[]) => ({
      budgets: windows.map((window) => cap(window, 100)),
      spend: spent(100),
    });
    const filled = (job: Caps['job'], company: Caps['job']) => findFilledWindow(1, { job, company });
    assert.deepEqual(filled(full('LIFETIME', 'WEEKLY'), full('DAILY')), { target: 'job', window: 'WEEKLY' });
    assert.deepEqual(filled(open, full('LIFETIME', 'MONTHLY')), { target: 'company', window: 'MONTHLY' });
    assert.equal(filled(open, open), undefined);
    const skipped = decideCharge(1, { job: full('MONTHLY'), company: full('DAILY') });
    const expected = { outcome: 'skipped', amountCents: 1, filled: { target: 'job', window: 'MONTHLY' } };
    assert.deepEqual(skipped, expected);
  });
});

const DAY_MS = 24 * 60 * 60 * 1000;

function spanOf(window: BudgetWindow, time: string): string {
  const { startsAt, endsAt } = toWindowSpan(window, Date.parse(time));
  return [startsAt, endsAt]
    .map((at) => (at === null ? 'never' : new Date(at).toISOString().replace('T00:00:00.000Z', '')))
    .join(' … ');
}

const EDGES = BUDGET_WINDOWS.flatMap((window) =>
  Object.entries(windows[window]).map(([time, span]) => ({ time, window, span })),
);

/** A zone, two times on the same local day before and after a clock change, and their UTC offsets. */
const ZONES = zones as [string, string, string, number, number][];

describe('a window of UTC time', () => {
  for (const { time, window, span } of EDGES)
    it(`${window} at ${time} is ${span}`, () => assert.equal(spanOf(window, time), span));

  it('is half-open: its first millisecond is in it, its end begins the next one', () =>
    fc.assert(
      fc.property(someTime, fc.constantFrom(...BUDGET_WINDOWS), (time, window) => {
        const span = toWindowSpan(window, time);
        assert.deepEqual(toWindowSpan(window, span.startsAt), span);
        if (span.endsAt === null) return;
        assert.ok(span.startsAt <= time && time < span.endsAt);
        assert.deepEqual(toWindowSpan(window, span.endsAt - 1), span);
        assert.equal(toWindowSpan(window, span.endsAt).startsAt, span.endsAt);
      }),
    ));

  it('is the one that the calendar names', () =>
    fc.assert(
      fc.property(someTime, nearDistance, fc.constantFrom(...BUDGET_WINDOWS), (time, distanceMs, window) => {
        const [one, other] = [time, time + distanceMs].map((at) => ({
          startsAt: toWindowSpan(window, at).startsAt,
          name: windowName(window, at),
        }));
        assert.equal(one?.startsAt === other?.startsAt, one?.name === other?.name);
      }),
    ));
});

describe('a window on a machine in another time zone', () => {
  for (const [zone, before, after, ...offsets] of ZONES)
    it(`${zone}: every edge stands, also at ${after}`, () =>
      withVariable('TZ', zone, () => {
        const local = [before, after].map((time) => new Date(time).getTimezoneOffset());
        assert.deepEqual(local, offsets, 'the zone is not the one that was set');
        for (const { time, window, span } of EDGES) assert.equal(spanOf(window, time), span);
        for (const window of BUDGET_WINDOWS)
          assert.deepEqual(toWindowSpan(window, Date.parse(before)), toWindowSpan(window, Date.parse(after)));
        const day = toWindowSpan('DAILY', Date.parse(after));
        assert.equal((day.endsAt ?? 0) - day.startsAt, DAY_MS, 'a day has 24 hours');
      }));
});

/** The start and end of a day are as likely as any other time, because windows change there. */
const someTime = fc.oneof(
  fc.integer({ min: Date.UTC(1900, 0), max: Date.UTC(2200, 0) }),
  fc.integer({ min: -25_567, max: 84_006 }).map((day) => day * DAY_MS),
  fc.integer({ min: -25_567, max: 84_006 }).map((day) => day * DAY_MS - 1),
);
const nearDistance = fc.oneof(
  fc.integer({ min: -2, max: 2 }),
  fc.integer({ min: -40 * DAY_MS, max: 40 * DAY_MS }),
);
