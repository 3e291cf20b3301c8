import type { ServerJob } from '../client/client.ts';
import { PartnerError } from '../contract/errors.ts';
import type { JobUpdate } from '../contract/job.ts';
import { fieldsOf } from '../contract/problems.ts';
import { flagFor } from '../intake/fields.ts';
import { certainGaps } from '../ui/views/gaps.ts';

const UNCHECKED = '`--no-check` leaves it to the server';

/** How to fill the gaps that keep a job from going live, with the flag of the first that has one. */
export function gapHint(id: number, fields: readonly string[]): string {
  const [flag = 'FILE'] = fields.flatMap((field) => flagFor(field) ?? []);
  return `fill what is missing with \`partner jobs update ${id} ${flag}\`, then \`partner jobs publish ${id}\``;
}

/** Throws VALIDATION_FAILED with every gap of a draft that is to go live; the server knows the other states. */
export function assertPublishable(job: ServerJob): void {
  const fields = job.status === 'DRAFT' ? fieldsOf(certainGaps(job)) : {};
  if (Object.keys(fields).length === 0) return;
  throw new PartnerError('VALIDATION_FAILED', {
    message: `job ${job.id} is incomplete, and was not published`,
    fields,
    hint: `${gapHint(job.id, Object.keys(fields))}; ${UNCHECKED}`,
  });
}

/** Throws VALIDATION_FAILED with every gap that a live job would have after the update (section 3, rule 3). */
export function assertStaysComplete(job: ServerJob, patch: JobUpdate): void {
  if (job.status !== 'ACTIVE' && job.status !== 'PAUSED') return;
  const fields = fieldsOf(certainGaps({ ...job, ...patch }));
  if (Object.keys(fields).length === 0) return;
  throw new PartnerError('VALIDATION_FAILED', {
    message: `job ${job.id} is ${job.status} and must stay complete: nothing was changed`,
    fields,
    hint: `give what is missing in the same update; ${UNCHECKED}`,
  });
}
