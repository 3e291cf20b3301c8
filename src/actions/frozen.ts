import type { PartnerClient } from '../client/client.ts';
import type { JobUpdate } from '../contract/job.ts';
import { FROZEN_FIELDS } from '../contract/lifecycle.ts';
import { jobInputOf } from '../intake/job-file.ts';

/**
 * The update without the qualifications and questions that a frozen job has already: a server need not know
 * that sending them unchanged changes nothing (decision 22).
 */
export async function withoutUnchangedFrozen(
  patch: JobUpdate,
  id: number,
  client: PartnerClient,
): Promise<JobUpdate> {
  if (FROZEN_FIELDS.every((field) => patch[field] === undefined)) return patch;
  const job = await client.getJob(id);
  if (job.isFrozen !== true) return patch;
  const standing = jobInputOf(job);
  const changed = { ...patch };
  for (const field of FROZEN_FIELDS) {
    if (JSON.stringify(patch[field]) === JSON.stringify(standing[field] ?? [])) delete changed[field];
  }
  return changed;
}
