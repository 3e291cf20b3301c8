import type { Intent } from '../state/state.ts';
import { fieldDigests, wholeDigest } from './content.ts';
import type { DesiredListing } from './desired-listing.ts';
import type { Match } from './match.ts';

/**
 * For a listing without a job: the key of the create of unknown outcome that may have been its own, under the
 * name it had then. That is one of the same content or the same opening, where another listing stands at the key
 * of that create by now, or none; undefined where there is none of that kind.
 */
export function sentBefore(
  matches: readonly Match[],
  pending: ReadonlyMap<string, Intent>,
): (wanted: DesiredListing) => string | undefined {
  if (pending.size === 0) return () => undefined;
  const standing = new Map<string, DesiredListing>();
  for (const { key, wanted } of matches) if (pending.has(key)) standing.set(key, wanted);
  const [byDigest, byOpening] = [new Map<string, string>(), new Map<string, string>()];
  for (const [key, { body }] of pending) {
    const digest = wholeDigest(fieldDigests(body));
    const opening = typeof body.opportunityId === 'string' ? body.opportunityId || undefined : undefined;
    const there = standing.get(key);
    const isThere = there !== undefined && (there.digest === digest || isSame(there.opportunityId, opening));
    if (isThere) continue;
    byDigest.set(digest, key);
    if (opening !== undefined) byOpening.set(opening, key);
  }
  return ({ digest, opportunityId = '' }) => byDigest.get(digest) ?? byOpening.get(opportunityId);
}

function isSame(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && one === other;
}
