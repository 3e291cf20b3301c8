import { jobInputOf } from '../../cli/job-input.ts';
import type { PartnerClient, ServerJob } from '../../client/client.ts';
import { sameEntries } from '../../contract/entries.ts';
import { PartnerError } from '../../contract/errors.ts';
import type { JobUpdate } from '../../contract/job.ts';
import { FROZEN_FIELDS } from '../../contract/lifecycle.ts';
import { assertStaysComplete } from './job-gaps.ts';
import { withNext } from './refused-move.ts';

/**
 * An update made ready to be sent, and the job as it is; undefined where nothing depended on it and it was not read.
 * Throws VALIDATION_FAILED where it is checked and would leave a live job incomplete.
 */
export async function jobEdit(
  id: number,
  input: JobUpdate,
  client: PartnerClient,
  isChecked: boolean,
): Promise<{ readonly patch: JobUpdate; readonly before: ServerJob | undefined }> {
  const changesFrozen = FROZEN_FIELDS.some((field) => input[field] !== undefined);
  if (!isChecked && !changesFrozen) return { patch: input, before: undefined };
  const before = await client.getJob(id);
  if (isChecked) assertStaysComplete(before, input);
  return { patch: changesFrozen ? withoutUnchangedFrozen(input, before) : input, before };
}

/** Without what a frozen job has already: a server may refuse even the same qualifications (decision 22). */
function withoutUnchangedFrozen(patch: JobUpdate, job: ServerJob): JobUpdate {
  if (job.isFrozen !== true) return patch;
  const standing = jobInputOf(job, FROZEN_FIELDS);
  const changed = { ...patch };
  for (const field of FROZEN_FIELDS) {
    if (patch[field] && sameEntries(standing[field] ?? [], patch[field])) delete changed[field];
  }
  return changed;
}

/** The error of a refused edit, with the next step from the state that the job is in. */
export async function explainedEdit(
  error: unknown,
  id: number,
  client: PartnerClient,
  before?: ServerJob,
): Promise<unknown> {
  if (!(error instanceof PartnerError) || error.code !== 'INVALID_TRANSITION') return error;
  return withNext(error, before ?? (await client.getJob(id).catch(() => undefined)), id);
}
