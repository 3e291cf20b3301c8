import * as Flags from '@oclif/core/flags';
import { PartnerError } from '../../contract/errors.ts';
import { BUDGET_WINDOWS } from '../../contract/values.ts';
import { parseAmount } from '../../listings/flag-values.ts';
import { switchFlag, wholeNumber } from './flag-values.ts';

/** An amount in whole cents. Rejects amounts that look like dollars. */
export const centsFlag = Flags.custom<number, { min?: number }>({
  helpValue: 'CENTS',
  parse: async (given, _, { name, min = 0 }) => {
    const amount = parseAmount(given, 'cents');
    if ('value' in amount) return wholeNumber(`--${name}`, given, { min });
    throw new PartnerError('USAGE', { message: `--${name} ${amount.problem}`, hint: amount.hint });
  },
});

export const capFlags = {
  'daily-cents': centsFlag({ description: 'Daily cap in cents (resets at 00:00 UTC)' }),
  'weekly-cents': centsFlag({ description: 'Weekly cap in cents (resets on Mondays, UTC)' }),
  'monthly-cents': centsFlag({ description: 'Monthly cap in cents (resets on the 1st, UTC)' }),
  'lifetime-cents': centsFlag({ description: 'Lifetime cap in cents (never resets)' }),
};

export function readCaps(flags: Readonly<Record<string, unknown>>, prefix: '' | 'company-' = '') {
  const notes = typeof flags.notes === 'string' ? { notes: flags.notes } : {};
  return BUDGET_WINDOWS.flatMap((window) => {
    const budgetCents = flags[`${prefix}${window.toLowerCase()}-cents`];
    return typeof budgetCents === 'number' ? [{ window, budgetCents, ...notes }] : [];
  });
}

export function budgetFlags(others: readonly string[] = []) {
  return {
    ...capFlags,
    notes: Flags.string({
      helpValue: 'TEXT',
      description: 'Note to store with each new cap',
      atLeastOne: [...Object.keys(capFlags), ...others],
    }),
    replace: switchFlag('Remove the caps of other windows'),
  };
}
