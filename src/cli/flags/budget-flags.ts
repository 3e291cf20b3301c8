import * as Flags from '@oclif/core/flags';
import { PartnerError } from '../../contract/errors.ts';
import type { BudgetInput } from '../../contract/job.ts';
import { capFlags, capsIn } from './cap-flags.ts';

/** The flags that set caps, of a job or of the whole company. */
export const budgetFlags = {
  ...capFlags,
  notes: Flags.string({ helpValue: 'TEXT', description: 'A note kept with each cap that is set' }),
  replace: Flags.boolean({ description: 'Drop the caps of the other windows' }),
};

/** The caps that the flags give, the shortest window first. Throws USAGE for what is no amount. */
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
