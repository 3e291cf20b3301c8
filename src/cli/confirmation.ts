import type { JobFields } from '../client/server-job.ts';
import { PartnerError } from '../contract/errors.ts';
import { describeRaises } from '../contract/gate.ts';
import type { JobInput, JobUpdate } from '../contract/job.ts';
import { hasEnded } from '../contract/lifecycle.ts';
import type { Transition } from '../contract/operations.ts';
import assistants from './assistants.json' with { type: 'json' };
import type { Environment } from './settings/directories.ts';
import { isSet } from './terminal/streams.ts';
import { cents, oneLine, word } from './terminal/words.ts';

/**
 * Returns whether a change requires confirmation, and why if it isn't by default. PARTNER_CONFIRM decides first, then
 * an assistant outside CI, then `isDefault`. Throws USAGE if PARTNER_CONFIRM is invalid.
 */
export function findConfirmation(env: Environment, isDefault: boolean) {
  const mode = env.PARTNER_CONFIRM ?? 'auto';
  if (!['always', 'never', 'auto'].includes(mode))
    throw new PartnerError('USAGE', {
      message: `PARTNER_CONFIRM must be always, never or auto, not \`${mode}\``,
      hint: 'set it to one of them, or unset it',
    });
  if (mode === 'never') return { isNeeded: false };
  if (mode === 'always') return { isNeeded: true, reason: 'PARTNER_CONFIRM is always' };
  const name = isSet(env.CI) ? undefined : assistants.find((one) => isSet(env[one]));
  if (name === undefined) return { isNeeded: isDefault };
  return { isNeeded: true, reason: `an assistant is running partner (${name} is set)` };
}

/** Returns `publish job 12 "Night nurse" ($15.00 per qualified applicant, no cap)`. */
export function describeMove(move: Transition, jobs: readonly JobFields[]): string {
  const startsSpending = move === 'publish' || move === 'resume';
  const names = jobs.map((job) => {
    const beside = startsSpending ? describeSpend(job) : oneLine(job.status);
    return `${describeJob(job)}${beside === undefined ? '' : ` (${beside})`}`;
  });
  return `${move} ${names.join(', ')}${move === 'close' ? ' permanently' : ''}`;
}

export function describeCreate(input: JobInput): string {
  const title = describeJob({ title: input.title });
  return input.publish ? `create and publish ${title} (${describeSpend(input)})` : `create draft ${title}`;
}

export function describeJob({ id, title }: JobFields): string {
  const shown = oneLine(title);
  return [id !== undefined && `job ${id}`, shown ? `"${shown}"` : 'Untitled'].filter(Boolean).join(' ');
}

function describeSpend({ bidPerQualifiedApplicantCents: bid, budgets = [] }: JobFields): string {
  const caps = budgets.map(({ window, budgetCents }) => `${word(window)} cap ${cents(budgetCents)}`);
  const price = cents(bid);
  const shown = price === undefined ? 'no bid' : `${price} per qualified applicant`;
  return [shown, ...(caps.length > 0 ? caps : ['no cap'])].join(', ');
}

/** Returns the raised bid and caps of a job that is or can go live again. Empty for a draft and a job that has ended. */
export function describeRaisedJob(job: JobFields, patch: JobUpdate): string {
  if (job.status === 'DRAFT' || hasEnded(job.status)) return '';
  const raises = describeRaises(job, patch);
  if (raises.length === 0) return '';
  return `update ${describeJob(job)} (${oneLine(job.status)}): ${raises.join(', ')}`;
}
