import { type BulkState, formatState, type StateEntry } from '../../../src/bulk/state/state.ts';
import { replaceStateFile } from '../../../src/bulk/state/state-file.ts';
import { CONTENT_FIELDS } from '../../../src/contract/job.ts';

export const SERVER = 'https://api.acme.example/v1';

/** Creates a state from job IDs by key. */
export function stateOf(jobs: Readonly<Record<string, number>>): BulkState {
  const listings = Object.entries(jobs).map(([key, job]): [string, StateEntry] => [key, entryOf(job)]);
  return { server: SERVER, honoursIdempotencyKeys: true, listings: new Map(listings) };
}

export function entryOf(job: number): StateEntry {
  return { job, applied: { title: `digest-of-${job}` } };
}

/** Creates a state in which every listing has all fields. */
export function largeState(count: number): BulkState {
  const listings = new Map<string, StateEntry>();
  for (let job = 1; job <= count; job++) {
    const applied = Object.fromEntries(
      CONTENT_FIELDS.map((field) => [field, `${job}-${field}`.padEnd(12, 'x').slice(0, 12)]),
    );
    listings.set(`team-${job % 40}/listing-${job}.json`, { job, opportunityId: `REQ-${job}`, applied });
  }
  return { server: SERVER, honoursIdempotencyKeys: false, listings };
}

export function writeState(path: string, state: BulkState): void {
  replaceStateFile(path, formatState(state));
}
