import fc from 'fast-check';
import type { BudgetInput } from '../../../src/contract/job.ts';
import { BUDGET_WINDOWS, type BudgetWindow } from '../../../src/contract/values.ts';

/*
 * Windows by the calendar's own words, for counting again what the billing code has counted: nothing of it is called
 * here.
 */
const NAMES: Readonly<Record<BudgetWindow, (iso: string) => string>> = {
  DAILY: (iso) => iso.slice(0, 10),
  WEEKLY: (iso) => {
    const day = new Date(`${iso.slice(0, 10)}T00:00:00Z`);
    while (day.getUTCDay() !== 1) day.setUTCDate(day.getUTCDate() - 1);
    return day.toISOString().slice(0, 10);
  },
  MONTHLY: (iso) => iso.slice(0, 7),
  LIFETIME: () => 'ever',
};

/** What the window of a time (epoch ms) is called: the same for two times in the same window, and for no others. */
export function windowName(window: BudgetWindow, time: number): string {
  return NAMES[window](new Date(time).toISOString());
}

/** Some caps of one target, each of up to so many cents. */
export function someCaps(centsMax: number): fc.Arbitrary<BudgetInput[]> {
  const cap = fc.record({ window: fc.constantFrom(...BUDGET_WINDOWS), budgetCents: fc.nat(centsMax) });
  return fc.uniqueArray(cap, { selector: ({ window }) => window, maxLength: 4 });
}
