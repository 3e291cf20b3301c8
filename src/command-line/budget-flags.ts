import * as Flags from '@oclif/core/flags';
import { PartnerError } from '../contract/errors.ts';
import type { BudgetInput } from '../contract/job.ts';
import { BUDGET_WINDOWS, type BudgetWindow } from '../contract/values.ts';
import { parseAmount } from '../intake/flag-values.ts';
import { wholeNumber } from './flag-values.ts';

const cap = (window: string, resets: string) =>
  Flags.string({ helpValue: 'CENTS', description: `The ${window} cap in cents; ${resets}` });

/** The flags that set caps, of a job or of the whole company. */
export const budgetFlags = {
  'daily-cents': cap('daily', 'it resets every day at 00:00 UTC'),
  'weekly-cents': cap('weekly', 'it resets on Mondays, UTC'),
  'monthly-cents': cap('monthly', 'it resets on the 1st, UTC'),
  'lifetime-cents': cap('lifetime', 'it never resets'),
  notes: Flags.string({ helpValue: 'TEXT', description: 'A note kept with each cap that is set' }),
  replace: Flags.boolean({ description: 'Drop the caps of the other windows' }),
};

/** The caps that the flags give, the shortest window first. Throws USAGE for what is no amount. */
export function budgetsGiven(flags: Readonly<Record<string, unknown>>): BudgetInput[] {
  return BUDGET_WINDOWS.flatMap((window) => budgetOf(window, flags));
}

export function noCapGiven(): PartnerError {
  return new PartnerError('USAGE', {
    message: 'no cap is given',
    hint: 'give one or more: --daily-cents 5000',
  });
}

function budgetOf(window: BudgetWindow, flags: Readonly<Record<string, unknown>>): BudgetInput[] {
  const name = `${window.toLowerCase()}-cents`;
  const cents = flags[name];
  if (typeof cents !== 'string') return [];
  const { notes } = flags;
  return [
    {
      window,
      budgetCents: amountOf(`--${name}`, cents),
      ...(typeof notes === 'string' ? { notes } : {}),
    },
  ];
}

function amountOf(flag: string, given: string): number {
  const amount = parseAmount(given, 'cents');
  if ('value' in amount) return wholeNumber(flag, given, { min: 0 });
  throw new PartnerError('USAGE', { message: `${flag} ${amount.problem}`, hint: amount.hint });
}
