import { runSimulation } from '../../../src/commands/budgets/simulation.ts';
import type { BudgetInput } from '../../../src/contract/job.ts';
import * as billing from '../../../src/engine/billing/simulate.ts';

const START = Date.parse('2026-11-28T00:00:00.000Z');

/** Five days that include the end of a week and of a month. */
export function sampleSimulation(job: readonly BudgetInput[], company: readonly BudgetInput[] = []) {
  const caps = { ...flagsOf(job, ''), ...flagsOf(company, 'company-') };
  const flags = { 'bid-cents': 1500, qualified: 0.7, days: 5, start: START, ...caps };
  return runSimulation(flags, { job: undefined, times: undefined, now: START, billing });
}

function flagsOf(caps: readonly BudgetInput[], prefix: string) {
  return Object.fromEntries(
    caps.map(({ window, budgetCents }) => [`${prefix}${window.toLowerCase()}-cents`, budgetCents]),
  );
}

export const SAMPLE_CAPS: readonly BudgetInput[] = [
  { window: 'DAILY', budgetCents: 10_000 },
  { window: 'WEEKLY', budgetCents: 25_000 },
];
export const SAMPLE_COMPANY_CAPS: readonly BudgetInput[] = [
  { window: 'MONTHLY', budgetCents: 20_000 },
  { window: 'LIFETIME', budgetCents: 1_000 },
];
