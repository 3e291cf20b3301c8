import { simulated } from '../../../src/actions/simulation.ts';
import { openBilling } from '../../../src/boot-bundled.ts';
import type { BudgetInput } from '../../../src/contract/job.ts';
import type { SimulationReport } from '../../../src/contract/simulation.ts';

const START = Date.parse('2026-11-28T00:00:00.000Z');

/** A run of five days over the end of a week and of a month, under these caps. */
export async function sampleSimulation(
  job: readonly BudgetInput[],
  company: readonly BudgetInput[] = [],
): Promise<SimulationReport> {
  const request = {
    jobId: undefined,
    bidCents: 1500,
    caps: { job, company },
    ratePerDay: 20,
    qualifiedShare: 0.7,
    days: 5,
    startsAt: START,
    seed: 1,
    times: undefined,
  };
  const billing = await openBilling();
  return simulated(request, { job: undefined, times: undefined, now: START, billing, pause: async () => {} });
}

export const SAMPLE_CAPS: readonly BudgetInput[] = [
  { window: 'DAILY', budgetCents: 10_000 },
  { window: 'WEEKLY', budgetCents: 25_000 },
];
export const SAMPLE_COMPANY_CAPS: readonly BudgetInput[] = [
  { window: 'MONTHLY', budgetCents: 20_000 },
  { window: 'LIFETIME', budgetCents: 1_000 },
];
