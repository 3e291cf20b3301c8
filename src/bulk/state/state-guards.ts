import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PartnerError } from '../../contract/errors.ts';
import { wholeDigest } from '../plan/content.ts';
import { type DesiredListing, listingOfKey } from '../plan/desired-listing.ts';
import type { Match } from '../plan/match.ts';
import type { Session } from '../session.ts';
import type { BulkState } from './state.ts';

/** The path of what is read from stdin, in keys and in findings. */
const STDIN = 'stdin';

/** The keys of `--state` are relative to another directory where none of its files is there and none of these is known. */
export function assertSameBase(session: Session, matches: readonly Match[], { listings }: BulkState): void {
  const { request, base, statePath } = session;
  if (request.stateFile === undefined || request.createAnyway) return;
  const ofFiles = matches.filter(({ wanted }) => !isFromStdin(wanted, session));
  if (ofFiles.length === 0 || ofFiles.some(({ entry }) => entry !== undefined)) return;
  const paths = new Set(Array.from(listings.keys(), (key) => listingOfKey(key).path));
  paths.delete(STDIN);
  const [path] = paths;
  if (path === undefined || [...paths].some((each) => existsSync(join(base, each)))) return;
  throw new PartnerError('STATE_UNUSABLE', {
    message: `${statePath} does not belong to ${base}: none of the files that it remembers is there, as ${path}, and it remembers none of these`,
    hint: 'run it from the directory where the state was made; or, where all files really are new, with --create-anyway',
  });
}

/** Something else may have been piped in than before, and the job of that listing would be turned into it. */
export function assertKnownFromStdin(
  session: Session,
  matches: readonly Match[],
  pending: ReadonlyMap<string, unknown>,
): void {
  const { state, pending: pendingBefore } = session.remembered;
  for (const { wanted, entry } of matches) {
    const { key, digest, opportunityId } = wanted;
    if (entry === undefined || pending.has(key) || !isFromStdin(wanted, session)) continue;
    const isOpening = opportunityId !== undefined && opportunityId === entry.opportunityId;
    const isSame = isOpening || wholeDigest(entry.applied) === digest;
    const isAdopted = state.listings.get(key)?.job !== entry.job && !pendingBefore.has(key);
    if (isSame || isAdopted) continue;
    throw new PartnerError('USAGE', {
      message: `${key} was job ${entry.job} so far, and says something else now: what comes from stdin is known by its opportunityId or its content`,
      hint: 'give it the opportunityId that it has had, or put it into a file, which is known by its path',
    });
  }
}

function isFromStdin({ file }: DesiredListing, { request }: Session): boolean {
  return file === STDIN && request.paths.includes('-');
}
