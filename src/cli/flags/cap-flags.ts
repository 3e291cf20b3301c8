import * as Flags from '@oclif/core/flags';
import { PartnerError } from '../../contract/errors.ts';
import { BUDGET_WINDOWS } from '../../contract/values.ts';
import { parseAmount } from '../../listings/flag-values.ts';
import { wholeNumber } from './flag-values.ts';

/** An amount in whole cents; what looks like dollars is not guessed at. */
export const centsFlag = Flags.custom<number, { min?: number }>({
  helpValue: 'CENTS',
  parse: async (given, _, { name, min = 0 }) => {
    const amount = parseAmount(given, 'cents');
    if ('value' in amount) return wholeNumber(`--${name}`, given, { min });
    throw new PartnerError('USAGE', { message: `--${name} ${amount.problem}`, hint: amount.hint });
  },
});

export const capFlags = {
  'daily-cents': centsFlag({ description: 'The daily cap in cents; it resets every day at 00:00 UTC' }),
  'weekly-cents': centsFlag({ description: 'The weekly cap in cents; it resets on Mondays, UTC' }),
  'monthly-cents': centsFlag({ description: 'The monthly cap in cents; it resets on the 1st, UTC' }),
  'lifetime-cents': centsFlag({ description: 'The lifetime cap in cents; it never resets' }),
};

/** The caps that the flags give, from the shortest window to the longest. */
export function capsIn(flags: Readonly<Record<string, unknown>>, prefix: '' | 'company-' = '') {
  const notes = typeof flags.notes === 'string' ? { notes: flags.notes } : {};
  return BUDGET_WINDOWS.flatMap((window) => {
    const budgetCents = flags[`${prefix}${window.toLowerCase()}-cents`];
    return typeof budgetCents === 'number' ? [{ window, budgetCents, ...notes }] : [];
  });
}

/** The flags that set caps: one of them has to be given, or one of `others`. */
export function budgetFlags(others: readonly string[] = []) {
  return {
    ...capFlags,
    notes: Flags.string({
      helpValue: 'TEXT',
      description: 'A note kept with each cap that is set',
      atLeastOne: [...Object.keys(capFlags), ...others],
    }),
    replace: Flags.boolean({ description: 'Drop the caps of the other windows' }),
  };
}
