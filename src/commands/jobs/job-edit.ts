import type { PartnerClient, ServerJob } from '../../client/client.ts';
import { differencesFrom } from '../../contract/entries.ts';
import { PartnerError } from '../../contract/errors.ts';
import type { JobUpdate } from '../../contract/job.ts';
import { FROZEN_FIELDS } from '../../contract/lifecycle.ts';
import { assertStaysComplete } from './job-gaps.ts';
import { withNext } from './job-moves.ts';

/** Throws VALIDATION_FAILED where `isChecked` and a live job would be left incomplete; a refused state names what to do. */
export async function updatedJob(
  id: number,
  input: JobUpdate,
  client: PartnerClient,
  isChecked: boolean,
): Promise<ServerJob> {
  const changesFrozen = FROZEN_FIELDS.some((field) => input[field] !== undefined);
  const before = isChecked || changesFrozen ? await client.getJob(id) : undefined;
  if (isChecked && before) assertStaysComplete(before, input);
  const patch = before ? withoutUnchangedFrozen(input, before) : input;
  return client.updateJob(id, patch).catch(async (error: unknown) => {
    if (!(error instanceof PartnerError) || error.code !== 'INVALID_TRANSITION') throw error;
    throw withNext(error, before ?? (await client.getJob(id).catch(() => undefined)), id, 'update');
  });
}

/** Without what a frozen job has already: a server may refuse even the same qualifications (decision 22). */
function withoutUnchangedFrozen(patch: JobUpdate, job: ServerJob): JobUpdate {
  if (job.isFrozen !== true) return patch;
  const changed = differencesFrom(patch, job).map(({ field }) => field);
  const isKept = (field: string) => FROZEN_FIELDS.every((one) => one !== field || changed.includes(one));
  return Object.fromEntries(Object.entries(patch).filter(([field]) => isKept(field)));
}
