import fc from 'fast-check';
import type { BudgetInput } from '../../../src/contract/job.ts';
import { BUDGET_WINDOWS, type BudgetWindow } from '../../../src/contract/values.ts';

/** Computes windows from ISO strings, to check the billing code without calling it. */
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

/** Two times have the same name only if they're in the same window. */
export function windowName(window: BudgetWindow, time: number): string {
  return NAMES[window](new Date(time).toISOString());
}

export function someCaps(centsMax: number): fc.Arbitrary<BudgetInput[]> {
  const cap = fc.record({ window: fc.constantFrom(...BUDGET_WINDOWS), budgetCents: fc.nat(centsMax) });
  return fc.uniqueArray(cap, { selector: ({ window }) => window, maxLength: 4 });
}
