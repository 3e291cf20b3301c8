import * as Flags from '@oclif/core/flags';
import { PartnerError } from '../../contract/errors.ts';
import type { BudgetInput } from '../../contract/job.ts';
import { BUDGET_WINDOWS, type BudgetWindow } from '../../contract/values.ts';
import { parseAmount } from '../../listings/flag-values.ts';
import { wholeNumber } from './flag-values.ts';

const cap = (window: string, resets: string) =>
  Flags.string({ helpValue: 'CENTS', description: `The ${window} cap in cents; ${resets}` });

export const capFlags = {
  'daily-cents': cap('daily', 'it resets every day at 00:00 UTC'),
  'weekly-cents': cap('weekly', 'it resets on Mondays, UTC'),
  'monthly-cents': cap('monthly', 'it resets on the 1st, UTC'),
  'lifetime-cents': cap('lifetime', 'it never resets'),
};

const companyCap = (window: string) =>
  Flags.string({ helpValue: 'CENTS', description: `The company's ${window} cap in cents` });

export const companyCapFlags = {
  'company-daily-cents': companyCap('daily'),
  'company-weekly-cents': companyCap('weekly'),
  'company-monthly-cents': companyCap('monthly'),
  'company-lifetime-cents': companyCap('lifetime'),
};

/** The caps that the flags give, from the shortest window to the longest. Throws USAGE. */
export function capsIn(
  flags: Readonly<Record<string, unknown>>,
  prefix: '' | 'company-' = '',
): (Pick<BudgetInput, 'budgetCents'> & { window: BudgetWindow })[] {
  return BUDGET_WINDOWS.flatMap((window) => {
    const name = `${prefix}${window.toLowerCase()}-cents`;
    const given = flags[name];
    return typeof given === 'string'
      ? [{ window, budgetCents: centsFlag(`--${name}`, given, { min: 0 }) }]
      : [];
  });
}

/** An amount in whole cents. Throws USAGE; what looks like dollars is not guessed at. */
export function centsFlag(flag: string, given: string, bounds: { min: number }): number {
  const amount = parseAmount(given, 'cents');
  if ('value' in amount) return wholeNumber(flag, given, bounds);
  throw new PartnerError('USAGE', { message: `${flag} ${amount.problem}`, hint: amount.hint });
}

export const budgetFlags = {
  ...capFlags,
  notes: Flags.string({ helpValue: 'TEXT', description: 'A note kept with each cap that is set' }),
  replace: Flags.boolean({ description: 'Drop the caps of the other windows' }),
};

export function budgetsGiven(flags: Readonly<Record<string, unknown>>): BudgetInput[] {
  const { notes } = flags;
  return capsIn(flags).map((cap) => (typeof notes === 'string' ? { ...cap, notes } : cap));
}

export function noCapGiven(): PartnerError {
  return new PartnerError('USAGE', {
    message: 'no cap is given',
    hint: 'give one or more: --daily-cents 5000',
  });
}
