import * as Flags from '@oclif/core/flags';
import { PartnerError } from '../../contract/errors.ts';
import { BUDGET_WINDOWS, type BudgetWindow } from '../../contract/values.ts';
import { formatCents, parseDollars } from '../../contract/words.ts';
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

/** An amount in dollars, such as 18.50. The value is in cents. */
export const dollarsFlag = Flags.custom<number, { min?: number }>({
  helpValue: 'DOLLARS',
  parse: async (given, _, { name, min = 0 }) => {
    const amount = parseDollars(given, 'cents');
    if ('value' in amount && amount.value >= min) return amount.value;
    const { problem, hint } =
      'value' in amount ? { problem: `must be at least ${formatCents(min)}`, hint: undefined } : amount;
    throw new PartnerError('USAGE', { message: `--${name} ${problem}`, hint });
  },
});

const CAP_RESETS = {
  DAILY: 'resets at 00:00 UTC',
  WEEKLY: 'resets on Mondays, UTC',
  MONTHLY: 'resets on the 1st, UTC',
  LIFETIME: 'never resets',
};

type Prefix = '' | 'company-';

/** A flag in dollars and one in cents for each window. */
export function capFlags<const P extends Prefix>(prefix: P) {
  const flags = BUDGET_WINDOWS.flatMap((window) => {
    const name = `${prefix}${window.toLowerCase()}`;
    const words = `${prefix && 'company '}${window.toLowerCase()} cap`;
    const describe = (unit: string) =>
      `${words.charAt(0).toUpperCase()}${words.slice(1)} in ${unit}${prefix ? '' : ` (${CAP_RESETS[window]})`}`;
    return [
      [name, dollarsFlag({ description: describe('dollars'), exclusive: [`${name}-cents`] })] as const,
      [`${name}-cents`, centsFlag({ description: describe('cents') })] as const,
    ];
  });
  type Name = `${P}${Lowercase<BudgetWindow>}${'' | '-cents'}`;
  return Object.fromEntries(flags) as Record<Name, (typeof flags)[number][1]>;
}

export function readCaps(flags: Readonly<Record<string, unknown>>, prefix: Prefix = '') {
  const notes = typeof flags.notes === 'string' ? { notes: flags.notes } : {};
  return BUDGET_WINDOWS.flatMap((window) => {
    const name = `${prefix}${window.toLowerCase()}`;
    const budgetCents = flags[name] ?? flags[`${name}-cents`];
    return typeof budgetCents === 'number' ? [{ window, budgetCents, ...notes }] : [];
  });
}

export function budgetFlags(others: readonly string[] = []) {
  return {
    ...capFlags(''),
    notes: Flags.string({
      helpValue: 'TEXT',
      description: 'Note to store with each new cap',
      atLeastOne: [...Object.keys(capFlags('')), ...others],
    }),
    replace: switchFlag('Remove the caps of other windows'),
  };
}
