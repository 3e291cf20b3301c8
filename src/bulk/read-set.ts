import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PartnerError } from '../contract/errors.ts';
import type { JobInput } from '../contract/job.ts';
import { formatNumber } from '../contract/words.ts';
import { type CheckedListing, tooMany } from '../listings/check/check-files.ts';
import { type Finding, formatPosition, sentence } from '../listings/check/finding.ts';
import { createTally, ERRORS_MAX } from '../listings/check/tally.ts';
import { contentFingerprint, fieldDigests, pickContent, wholeDigest } from './plan/content.ts';
import {
  type DesiredListing,
  describeKey,
  encodeContent,
  listingKey,
  listingOfKey,
} from './plan/desired-listing.ts';
import type { Whereabouts } from './plan/match.ts';
import type { StateEntry } from './state/state.ts';

export type SetReading = Readonly<Awaited<ReturnType<typeof readSet>>>;

export interface ReadSetOptions {
  readonly base: string;
  readonly keyPath: (file: string) => string;
  readonly publish: boolean;
  readonly only: ReadonlySet<string> | undefined;
  readonly entryOf: (key: string) => StateEntry | undefined;
  readonly interrupted: AbortSignal;
}

/** Limits memory use, because listings stay in memory until they're sent. */
export const SET_LISTINGS_MAX = 100_000;

/** Reads and checks all listings. Throws FILE_UNREADABLE, and USAGE if a key of `only` doesn't exist. */
export async function readSet(
  checked: AsyncIterable<CheckedListing>,
  { base, keyPath, publish, only, entryOf, interrupted }: ReadSetOptions,
) {
  const wanted: DesiredListing[] = [];
  const tally = createTally();
  const paths = new Map<string, Whereabouts>();
  const leftOut = new Set<string>();
  const unreadablePaths = new Set<string>();
  const invalidKeys: string[] = [];
  const missing = new Set(only);
  let listings = 0;
  let path = '';
  let file: string | undefined;
  for await (const listing of checked) {
    if (interrupted.aborted) throw new PartnerError('INTERRUPTED');
    if (wanted.length + leftOut.size >= SET_LISTINGS_MAX) throw tooMany(SET_LISTINGS_MAX, 'listings');
    if (listing.file !== file) {
      file = listing.file;
      path = keyPath(file);
    }
    const key = listingKey(path, listing.index);
    const isListing = listing.input !== undefined || listing.findings.some(isError);
    const isPassedOver = only !== undefined && !only.has(key);
    if (isListing && listing.input === undefined) paths.set(path, 'partly read');
    else if (!paths.has(path)) paths.set(path, 'read');
    if (!isPassedOver) {
      missing.delete(key);
      if (isListing) listings++;
      tally.add(listing);
      if (tally.isFull()) throw tooMany(ERRORS_MAX, 'errors');
    }
    if (listing.input !== undefined) {
      const of = { path, key, publish, entry: entryOf(key), isPassedOver };
      wanted.push(toDesiredListing(listing, listing.input, of));
      continue;
    }
    leftOut.add(key);
    if (isListing && !isPassedOver) invalidKeys.push(key);
    if (listing.findings.some(isUnreadable)) unreadablePaths.add(path);
  }
  if (missing.size > 0) throw notInSet([...missing]);
  return {
    wanted,
    listings,
    invalidKeys,
    found: tally.totals(),
    whereIs(key: string): Whereabouts {
      const { path: ofKey } = listingOfKey(key);
      return paths.get(ofKey) ?? (existsSync(join(base, ofKey)) ? 'elsewhere' : 'read');
    },
    isLeftOut: (key: string) => leftOut.has(key) || unreadablePaths.has(listingOfKey(key).path),
  };
}

function toDesiredListing(
  { file, line, origins, label, key: name }: CheckedListing,
  input: JobInput,
  of: Pick<DesiredListing, 'path' | 'key' | 'publish' | 'isPassedOver'> & { entry: StateEntry | undefined },
): DesiredListing {
  const content = pickContent(input);
  const digests = fieldDigests(content);
  const digest = wholeDigest(digests);
  const { applied } = of.entry ?? {};
  const isAsApplied = applied !== undefined && wholeDigest(applied) === digest;
  return {
    key: of.key,
    path: of.path,
    file,
    line,
    json: encodeContent(content),
    digests: isAsApplied ? applied : digests,
    digest,
    opportunityId: input.opportunityId || undefined,
    ...(name !== undefined && { name }),
    ...(of.isPassedOver && { isPassedOver: true }),
    publish: of.publish || input.publish === true,
    ...(origins && { origins }),
    ...(label !== undefined && { label: `${of.path} ${label}` }),
    ...(isAsApplied ? {} : { fingerprint: contentFingerprint(digests) }),
  };
}

function isError({ level }: Finding): boolean {
  return level === 'error';
}

/** After these errors, the number of listings in the file is unknown. */
function isUnreadable({ level, rule }: Finding): boolean {
  return level === 'error' && ['json-syntax', 'yaml-syntax', 'file-content'].includes(rule);
}

/** Without this error, the run would succeed and the earlier failures would be lost. */
function notInSet([first, ...others]: readonly string[]): PartnerError {
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return new PartnerError('USAGE', {
    message: `${describeKey(first ?? '')}${more} failed in the last apply, but these paths have no listing with that key`,
    hint: 'run the command without --only if the file was renamed, the listing was removed or the paths changed',
  });
}

const PROBLEMS_MAX = 50;

export function findSetRefusal(reading: SetReading, keepGoing: boolean): PartnerError | undefined {
  const { found, invalidKeys, wanted } = reading;
  if (invalidKeys.length === 0 || (keepGoing && wanted.length > 0)) return undefined;
  const named = found.findings.filter(isError).slice(0, PROBLEMS_MAX);
  const more = found.errors - named.length;
  const fields = named.map((finding) => [
    `${formatPosition(finding)} ${finding.field}`.trimEnd(),
    sentence({ ...finding, field: '' }),
  ]);
  const skip = wanted.length > 0 ? ', or skip them with --keep-going' : '';
  return new PartnerError('VALIDATION_FAILED', {
    message: `${invalidListings(reading)}. Nothing was sent`,
    fields: { ...Object.fromEntries(fields), ...(more > 0 ? { '…': `and ${more} more` } : {}) },
    hint: `fix them${skip}. \`partner jobs validate\` shows all problems except places that the server lacks`,
  });
}

export function invalidListings({ invalidKeys: { length }, listings }: SetReading): string {
  const noun = listings === 1 ? 'listing' : 'listings';
  return `${formatNumber(length)} of ${formatNumber(listings)} ${noun} ${length === 1 ? 'is' : 'are'} invalid`;
}
