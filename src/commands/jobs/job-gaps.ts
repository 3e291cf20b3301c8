import type { JobFields, ServerJob } from '../../client/server-job.ts';
import { PartnerError } from '../../contract/errors.ts';
import { completenessGaps } from '../../contract/gate.ts';
import { EMPTY_CONTENT, type JobContent, type JobUpdate } from '../../contract/job.ts';
import { fieldsOf, type Problem } from '../../contract/problems.ts';
import { flagFor } from '../../listings/flag-values.ts';

const UNCHECKED = '`--no-check` leaves it to the server';

/** What a draft still needs to go live; none for a job in another state. */
export function draftGaps(job: JobFields): Problem[] {
  return job.status === 'DRAFT' ? gapsOf(job) : [];
}

/** How to fill the gaps that keep a job from going live, with the flag of the first that has one. */
export function gapHint(id: number, fields: readonly string[]): string {
  const [flag = 'FILE'] = fields.flatMap((field) => flagFor(field) ?? []);
  return `fill what is missing with \`partner jobs update ${id} ${flag}\`, then \`partner jobs publish ${id}\``;
}

/** Throws VALIDATION_FAILED with every gap of a draft that is to go live; the server knows the other states. */
export function assertPublishable(job: ServerJob): void {
  if (job.status !== 'DRAFT') return;
  assertNoGaps(job, `job ${job.id} is incomplete, and was not published`, (fields) =>
    gapHint(job.id, fields),
  );
}

/** Throws VALIDATION_FAILED with every gap that keeps a new job with the content of this one from going live. */
export function assertRepublishable(job: ServerJob): void {
  const hint = 'repost it without --publish, and fill what is missing in the new draft';
  assertNoGaps(job, `the content of job ${job.id} is incomplete: no job was created`, () => hint);
}

/** Throws VALIDATION_FAILED with every gap that a live job would have after the update (section 3, rule 3). */
export function assertStaysComplete(job: ServerJob, patch: JobUpdate): void {
  if (job.status !== 'ACTIVE' && job.status !== 'PAUSED') return;
  const message = `job ${job.id} is ${job.status} and must stay complete: nothing was changed`;
  assertNoGaps({ ...job, ...patch }, message, () => 'give what is missing in the same update');
}

function assertNoGaps(job: JobFields, message: string, hint: (fields: readonly string[]) => string): void {
  // Of a field that the server left out, nobody knows whether it is a gap.
  const certain = gapsOf(job).filter(({ path: [field] }) => job[field as keyof JobFields] !== undefined);
  const fields = fieldsOf(certain);
  const names = Object.keys(fields);
  if (names.length === 0) return;
  throw new PartnerError('VALIDATION_FAILED', { message, fields, hint: `${hint(names)}; ${UNCHECKED}` });
}

/** Every gap of a listing, complete or not, that is to go live. */
export function gapsOf(listing: JobFields): Problem[] {
  return completenessGaps(wholeContent(listing));
}

/** A listing with an empty value for each field that it does not have. */
export function wholeContent(listing: JobFields): JobContent {
  const known = Object.entries(listing).filter(([, value]) => value !== undefined);
  return { ...EMPTY_CONTENT, ...Object.fromEntries(known) };
}
