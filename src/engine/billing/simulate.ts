import { isBelowBid } from '../../contract/gate.ts';
import type { BudgetInput } from '../../contract/job.ts';
import type {
  CapBelowBid,
  SimulatedDay,
  SimulatedWindow,
  Simulation,
  SimulationTerms,
  Tally,
} from '../../contract/simulation.ts';
import type { BudgetWindow } from '../../contract/values.ts';
import { BUDGET_TARGETS, type BudgetTarget, type ChargeDecision, decideCharge, isFilled } from './charge.ts';
import { type Spend, spendAt, uncounted, withCharge } from './spend.ts';
import { shortestFirst, windowAt, windowsWithin } from './windows.ts';

/** Starts a simulated run, in which every applicant is decided on by the functions that decide a real one. */
export function simulation(terms: SimulationTerms): Simulation {
  const { bidCents, startsAt, endsAt } = terms;
  const job = new Payer('job', terms);
  const company = new Payer('company', terms);
  const days = new Map<number, Mutable<SimulatedDay>>();
  for (const day of windowsWithin('DAILY', startsAt, endsAt)) {
    days.set(day.startsAt, { ...NOTHING, startsAt: day.startsAt });
  }
  const totals = { ...NOTHING };
  let outside = 0;
  return {
    arrive(time, isQualified) {
      if (time < startsAt || time >= endsAt) {
        outside++;
        return;
      }
      const [ofJob, ofCompany] = [job.spendAt(time), company.spendAt(time)];
      const decision = decideCharge(isQualified, bidCents, {
        job: { budgets: job.budgets, spend: ofJob },
        company: { budgets: company.budgets, spend: ofCompany },
      });
      job.take(decision, time, ofJob);
      company.take(decision, time, ofCompany);
      count(days.get(ofJob.DAILY.startsAt), decision);
      count(totals, decision);
    },
    result: () => ({
      windows: [...job.windows(), ...company.windows()],
      days: [...days.values()],
      totals,
      outside,
    }),
  };
}

/** The caps that one bid does not fit into, those of 0 too: with one of them nothing is ever charged. */
export function capsBelowBid({ bidCents, budgets }: SimulationTerms): CapBelowBid[] {
  return BUDGET_TARGETS.flatMap((target) =>
    shortestFirst(budgets[target])
      .filter(({ budgetCents }) => isBelowBid(budgetCents, bidCents))
      .map(({ window, budgetCents }) => ({ target, window, capCents: budgetCents })),
  );
}

type Mutable<T> = { -readonly [Field in keyof T]: T[Field] };

const NOTHING: Tally = { delivered: 0, charged: 0, free: 0, unqualified: 0, spentCents: 0 };

/** The windows of one cap in the run, by their start. */
interface CapRun {
  readonly budget: BudgetInput;
  readonly windows: ReadonlyMap<number, Mutable<SimulatedWindow>>;
}

/** A job or a company whose caps are filled. */
class Payer {
  readonly budgets: readonly BudgetInput[];
  private spend: Spend | undefined;
  private readonly caps: readonly CapRun[];

  constructor(
    target: BudgetTarget,
    private readonly terms: SimulationTerms,
  ) {
    this.budgets = shortestFirst(terms.budgets[target]);
    this.caps = this.budgets.map((budget) => capRun(target, budget, terms));
  }

  /** What is spent in the windows of `time`. */
  spendAt(time: number): Spend {
    // A day lies in one week and one month: on the day that was counted last nothing has begun anew.
    if (this.spend?.DAILY.startsAt === windowAt('DAILY', time).startsAt) return this.spend;
    const charged: Partial<Record<BudgetWindow, number>> = {};
    for (const window of uncounted(this.spend, time)) {
      // Windows without a cap are not kept: nothing depends on what is spent in them.
      const cap = this.caps.find(({ budget }) => budget.window === window);
      charged[window] = cap?.windows.get(windowAt(window, time).startsAt)?.spentCents ?? 0;
    }
    return spendAt(this.spend, time, charged);
  }

  /** Keeps what was decided at `time`, when so much was spent. */
  take(decision: ChargeDecision, time: number, before: Spend): void {
    const isCharged = decision.outcome === 'charged';
    const spend = isCharged ? withCharge(before, decision.amountCents) : before;
    this.spend = spend;
    for (const { budget, windows } of this.caps) {
      const row = windows.get(spend[budget.window].startsAt);
      count(row, decision);
      if (isCharged && row?.filledAt === null && isFilled(this.terms.bidCents, budget, spend)) {
        row.filledAt = time;
      }
    }
  }

  windows(): SimulatedWindow[] {
    return this.caps.flatMap(({ windows }) => [...windows.values()]);
  }
}

/** Every window that the run touches; where not even one bid fits, each is filled as soon as it begins. */
function capRun(target: BudgetTarget, budget: BudgetInput, terms: SimulationTerms): CapRun {
  const { window, budgetCents } = budget;
  const isFilledAtOnce = isBelowBid(budgetCents, terms.bidCents);
  const spans = [...windowsWithin(window, terms.startsAt, terms.endsAt)];
  const rows = spans.map((span) => ({
    target,
    window,
    startsAt: span.endsAt === null ? null : span.startsAt,
    endsAt: span.endsAt,
    filledAt: isFilledAtOnce ? Math.max(span.startsAt, terms.startsAt) : null,
    capCents: budgetCents,
    ...NOTHING,
  }));
  return { budget, windows: new Map(rows.map((row, at) => [spans[at]?.startsAt ?? 0, row])) };
}

function count(tally: Mutable<Tally> | undefined, decision: ChargeDecision): void {
  if (tally === undefined) return;
  tally.delivered++;
  if (decision.outcome === 'none') tally.unqualified++;
  else if (decision.outcome === 'skipped') tally.free++;
  else {
    tally.charged++;
    tally.spentCents += decision.amountCents;
  }
}
