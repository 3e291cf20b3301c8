import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { BudgetInput } from '../../../src/contract/job.ts';
import { BUDGET_WINDOWS, type BudgetWindow } from '../../../src/contract/values.ts';
import { BUDGET_TARGETS, type ChargeDecision, decideCharge } from '../../../src/engine/billing/charge.ts';
import { type Spend, spendAt, uncounted, withCharge } from '../../../src/engine/billing/spend.ts';
import { windowAt } from '../../../src/engine/billing/windows.ts';
import { windowName } from './recount.ts';

const JOBS = 3;
const HOUR_MS = 60 * 60 * 1000;

/** What can happen, in any order. A job is its index; no job means the company. */
type Event =
  | { readonly kind: 'apply'; readonly job: number; readonly isQualified: boolean }
  | { readonly kind: 'bid'; readonly job: number; readonly bidCents: number }
  | {
      readonly kind: 'cap';
      readonly job?: number | undefined;
      readonly window: BudgetWindow;
      readonly budgetCents: number;
    }
  | { readonly kind: 'clear'; readonly job?: number | undefined }
  | { readonly kind: 'pause'; readonly job: number }
  | { readonly kind: 'resume'; readonly job: number }
  | { readonly kind: 'clock'; readonly byMs: number };

/** One line of the ledger, with what stood when it was written. */
interface Entry {
  readonly job: number;
  readonly time: number;
  readonly isQualified: boolean;
  readonly bidCents: number;
  readonly budgets: Readonly<Record<'job' | 'company', readonly BudgetInput[]>>;
  readonly decision: ChargeDecision;
}

/** The billing code as the engine uses it, on a ledger in memory. */
class Desk {
  readonly ledger: Entry[] = [];
  now: number;
  private readonly bids = Array.from({ length: JOBS }, () => 100);
  private readonly budgets = new Map<number | undefined, BudgetInput[]>();
  private readonly spends = new Map<number | undefined, Spend>();
  private readonly paused = new Set<number>();

  constructor(now: number) {
    this.now = now;
  }

  take(event: Event): void {
    if (event.kind === 'apply') this.apply(event.job, event.isQualified);
    else if (event.kind === 'bid') this.bids[event.job] = event.bidCents;
    else if (event.kind === 'clear') this.budgets.delete(event.job);
    else if (event.kind === 'pause') this.paused.add(event.job);
    else if (event.kind === 'resume') this.paused.delete(event.job);
    else if (event.kind === 'clock') this.now += event.byMs;
    else this.cap(event.job, { window: event.window, budgetCents: event.budgetCents });
  }

  /** As the store would give it: a counter where the window is the one counted last, else the ledger summed up. */
  spendOf(target: number | undefined): Spend {
    const spend = this.spends.get(target);
    const charged = uncounted(spend, this.now).map((window) => [window, this.summed(target, window)]);
    return spendAt(spend, this.now, Object.fromEntries(charged));
  }

  private cap(target: number | undefined, budget: BudgetInput): void {
    const others = (this.budgets.get(target) ?? []).filter(({ window }) => window !== budget.window);
    this.budgets.set(target, [...others, budget]);
  }

  private apply(job: number, isQualified: boolean): void {
    if (this.paused.has(job)) return;
    const bidCents = this.bids[job] ?? 0;
    const budgets = { job: this.budgets.get(job) ?? [], company: this.budgets.get(undefined) ?? [] };
    const [ofJob, ofCompany] = [this.spendOf(job), this.spendOf(undefined)];
    const decision = decideCharge(isQualified, bidCents, {
      job: { budgets: budgets.job, spend: ofJob },
      company: { budgets: budgets.company, spend: ofCompany },
    });
    this.ledger.push({ job, time: this.now, isQualified, bidCents, budgets, decision });
    if (decision.outcome !== 'charged') return;
    this.spends.set(job, withCharge(ofJob, decision.amountCents));
    this.spends.set(undefined, withCharge(ofCompany, decision.amountCents));
  }

  private summed(target: number | undefined, window: BudgetWindow): number {
    const { startsAt, endsAt } = windowAt(window, this.now);
    return this.ledger
      .filter(({ job }) => target === undefined || job === target)
      .filter(({ time }) => time >= startsAt && (endsAt === null || time < endsAt))
      .reduce((sum, { decision }) => sum + (decision.outcome === 'charged' ? decision.amountCents : 0), 0);
  }
}

/** What is charged in the window of a time, counted again from the ledger alone. */
function recounted(
  ledger: readonly Entry[],
  target: number | undefined,
  window: BudgetWindow,
  at: number,
): number {
  const name = windowName(window, at);
  let sum = 0;
  for (const { job, time, decision } of ledger) {
    if (target !== undefined && job !== target) continue;
    if (decision.outcome === 'charged' && windowName(window, time) === name) sum += decision.amountCents;
  }
  return sum;
}

/** What a bid would bring over its cap, by the ledger before it: the job's before the company's, shortest first. */
function overCaps(before: readonly Entry[], { job, time, bidCents, budgets }: Entry) {
  return BUDGET_TARGETS.flatMap((target) =>
    BUDGET_WINDOWS.filter((window) =>
      budgets[target].some(
        (budget) =>
          budget.window === window &&
          recounted(before, target === 'job' ? job : undefined, window, time) + bidCents > budget.budgetCents,
      ),
    ).map((window) => ({ target, window })),
  );
}

/** What the ledger must say of an application, by a recount that no billing code takes part in. */
function expectedOf(before: readonly Entry[], entry: Entry): ChargeDecision {
  if (!entry.isQualified) return { outcome: 'none' };
  const [filled] = overCaps(before, entry);
  const amountCents = entry.bidCents;
  return filled === undefined
    ? { outcome: 'charged', amountCents }
    : { outcome: 'skipped', amountCents, filled };
}

const job = fc.integer({ min: 0, max: JOBS - 1 });
const target = fc.option(job, { nil: undefined });
const apply = fc.record({
  kind: fc.constant('apply' as const),
  job,
  isQualified: fc.integer({ min: 0, max: 4 }).map((draw) => draw > 0),
});
const event: fc.Arbitrary<Event> = fc.oneof(
  { weight: 10, arbitrary: apply },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('cap' as const),
      job: target,
      window: fc.constantFrom(...BUDGET_WINDOWS),
      budgetCents: fc.integer({ min: 0, max: 900 }),
    }) as fc.Arbitrary<Event>,
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('clear' as const), job: target }) as fc.Arbitrary<Event>,
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('bid' as const),
      job,
      bidCents: fc.integer({ min: 1, max: 300 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom('pause' as const, 'resume' as const, 'resume' as const),
      job,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('clock' as const),
      // Forward and back: within a day, over days, over weeks and months.
      byMs: fc.oneof(
        fc.integer({ min: -1, max: 1 }),
        fc.integer({ min: -30, max: 30 }).map((hours) => hours * HOUR_MS),
        fc.integer({ min: -40, max: 40 }).map((days) => days * 24 * HOUR_MS),
      ),
    }),
  },
);
const edges = [
  '2026-11-30T23:59:59.999Z',
  '2026-11-22T00:00:00.000Z',
  '2028-02-28T23:00:00Z',
  '2026-12-31T12:00Z',
];
const start = fc.constantFrom(...edges.map((time) => Date.parse(time)));
const events = fc.array(event, { minLength: 20, maxLength: 90, size: 'max' });

describe('the over-billing guarantee, in whatever order things happen', () => {
  it('no charge brings a window over a cap that stands, and what fits is charged, whole', () => {
    fc.assert(
      fc.property(start, events, (now, happened) => {
        const desk = new Desk(now);
        for (const one of happened) desk.take(one);
        for (const [at, entry] of desk.ledger.entries()) {
          assert.deepEqual(entry.decision, expectedOf(desk.ledger.slice(0, at), entry));
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('what a window is said to have spent is the sum of the charges in it, whenever it is asked', () => {
    fc.assert(
      fc.property(start, events, (now, happened) => {
        const desk = new Desk(now);
        for (const one of happened) {
          desk.take(one);
          for (const whose of [undefined, 0, 1, 2]) {
            const spend = desk.spendOf(whose);
            for (const window of BUDGET_WINDOWS) {
              assert.equal(spend[window].spentCents, recounted(desk.ledger, whose, window, desk.now), window);
            }
          }
        }
      }),
      { numRuns: 100 },
    );
  });

  it('what was skipped stays skipped: without any cap a job is charged for its next application alone', () => {
    fc.assert(
      fc.property(start, events, job, (now, happened, next) => {
        const desk = new Desk(now);
        for (const one of happened) desk.take(one);
        const before = desk.spendOf(undefined);
        for (const one of [undefined, next]) desk.take({ kind: 'clear', job: one });
        desk.take({ kind: 'resume', job: next });
        desk.take({ kind: 'apply', job: next, isQualified: true });
        const { decision, bidCents } = desk.ledger.at(-1) ?? assert.fail();
        assert.equal(decision.outcome, 'charged');
        for (const window of BUDGET_WINDOWS) {
          assert.equal(desk.spendOf(undefined)[window].spentCents, before[window].spentCents + bidCents);
        }
      }),
      { numRuns: 100 },
    );
  });
});

describe('a cap', () => {
  const desk = (): Desk => new Desk(Date.parse('2026-11-21T12:00:00Z'));
  const applies = (to: Desk, job: number): string => {
    to.take({ kind: 'apply', job, isQualified: true });
    return to.ledger.at(-1)?.decision.outcome ?? '';
  };

  it('that is cleared and set again counts what was spent before and meanwhile', () => {
    const one = desk();
    one.take({ kind: 'cap', job: 0, window: 'DAILY', budgetCents: 200 });
    assert.equal(applies(one, 0), 'charged');
    one.take({ kind: 'clear', job: 0 });
    assert.equal(applies(one, 0), 'charged');
    one.take({ kind: 'cap', job: 0, window: 'DAILY', budgetCents: 200 });
    assert.equal(applies(one, 0), 'skipped');
  });

  it('that is lowered below its spend is filled at once, and refunds nothing', () => {
    const one = desk();
    one.take({ kind: 'cap', job: 0, window: 'WEEKLY', budgetCents: 500 });
    assert.deepEqual([applies(one, 0), applies(one, 0)], ['charged', 'charged']);
    one.take({ kind: 'cap', job: 0, window: 'WEEKLY', budgetCents: 100 });
    assert.equal(applies(one, 0), 'skipped');
    assert.equal(one.spendOf(0).WEEKLY.spentCents, 200);
    one.take({ kind: 'cap', job: 0, window: 'WEEKLY', budgetCents: 300 });
    assert.deepEqual([applies(one, 0), applies(one, 0)], ['charged', 'skipped']);
  });

  it('of the company is shared by its jobs, and one of a job is its own', () => {
    const one = desk();
    one.take({ kind: 'cap', window: 'MONTHLY', budgetCents: 300 });
    one.take({ kind: 'cap', job: 0, window: 'DAILY', budgetCents: 100 });
    assert.deepEqual(
      [applies(one, 0), applies(one, 0), applies(one, 1), applies(one, 2), applies(one, 1)],
      ['charged', 'skipped', 'charged', 'charged', 'skipped'],
    );
  });

  it('fills anew in each window, also where the clock goes back to one that was filled', () => {
    const one = desk();
    one.take({ kind: 'cap', job: 0, window: 'DAILY', budgetCents: 100 });
    const twice = (): string[] => [applies(one, 0), applies(one, 0)];
    assert.deepEqual(twice(), ['charged', 'skipped']);
    one.take({ kind: 'clock', byMs: 12 * HOUR_MS });
    assert.deepEqual(twice(), ['charged', 'skipped']);
    one.take({ kind: 'clock', byMs: -1 });
    assert.deepEqual(twice(), ['skipped', 'skipped']);
  });
});
