import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PartnerError } from '../contract/errors.ts';
import type { JobInput } from '../contract/job.ts';
import { grouped } from '../contract/words.ts';
import { type CheckedListing, tooMany } from '../listings/check/check-files.ts';
import type { Finding } from '../listings/check/finding.ts';
import { placeOf, sentence } from '../listings/check/finding.ts';
import { createTally, ERRORS_MAX, type FindingTotals } from '../listings/check/tally.ts';
import { contentFingerprint, fieldDigests, wantedContent, wholeDigest } from './plan/content.ts';
import { type DesiredListing, encodeContent, listingKey, listingOfKey } from './plan/desired-listing.ts';
import type { Whereabouts } from './plan/match.ts';
import type { StateEntry } from './state/state.ts';

export interface SetReading {
  readonly wanted: readonly DesiredListing[];
  /** How many listings were read, valid or not; what cannot be read as listings counts as one. */
  readonly listings: number;
  readonly invalidKeys: readonly string[];
  readonly found: FindingTotals;
  whereIs(key: string): Whereabouts;
  /** True for a listing that is there and not among the wanted ones: invalid, or left out. */
  isLeftOut(key: string): boolean;
}

export interface ReadSetOptions {
  readonly base: string;
  readonly keyPath: (file: string) => string;
  readonly publish: boolean;
  readonly only: ReadonlySet<string> | undefined;
  readonly entryOf: (key: string) => StateEntry | undefined;
  readonly interrupted: AbortSignal;
}

/** Listings are kept in memory until they are sent. */
export const SET_LISTINGS_MAX = 100_000;

/** Reads and checks every listing of the set. Throws FILE_UNREADABLE, and USAGE where one of `only` is not there. */
export async function readSet(
  checked: AsyncIterable<CheckedListing>,
  { base, keyPath, publish, only, entryOf, interrupted }: ReadSetOptions,
): Promise<SetReading> {
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
      wanted.push(wantedOf(listing, listing.input, of));
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
    whereIs(key) {
      const { path: ofKey } = listingOfKey(key);
      return paths.get(ofKey) ?? (existsSync(join(base, ofKey)) ? 'elsewhere' : 'read');
    },
    isLeftOut: (key) => leftOut.has(key) || unreadablePaths.has(listingOfKey(key).path),
  };
}

function wantedOf(
  { file, line, origins, key: name }: CheckedListing,
  input: JobInput,
  of: Pick<DesiredListing, 'path' | 'key' | 'publish' | 'isPassedOver'> & { entry: StateEntry | undefined },
): DesiredListing {
  const content = wantedContent(input);
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
    // The same, and in memory once.
    digests: isAsApplied ? applied : digests,
    digest,
    opportunityId: input.opportunityId || undefined,
    ...(name !== undefined && { name }),
    ...(of.isPassedOver && { isPassedOver: true }),
    publish: of.publish || input.publish === true,
    ...(origins && { origins }),
    ...(isAsApplied ? {} : { fingerprint: contentFingerprint(digests) }),
  };
}

function isError({ level }: Finding): boolean {
  return level === 'error';
}

/** Then nobody knows how many listings the file holds. */
function isUnreadable({ level, rule }: Finding): boolean {
  return level === 'error' && ['json-syntax', 'yaml-syntax', 'file-content'].includes(rule);
}

/** A run without them would succeed, and the failures would be forgotten. */
function notInSet([first, ...others]: readonly string[]): PartnerError {
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return new PartnerError('USAGE', {
    message: `${first}${more} failed in the last apply, and none of these paths has a listing with that key`,
    hint: 'a renamed file, a listing that is gone, or other paths: run it without --only',
  });
}

/** Maximum number of problems to print. A report includes more. */
const PROBLEMS_MAX = 50;

/** The error for invalid listings; undefined where all are valid, and under `keepGoing` where some are. */
export function refusalOf(reading: SetReading, keepGoing: boolean): PartnerError | undefined {
  const { found, invalidKeys, wanted } = reading;
  if (invalidKeys.length === 0 || (keepGoing && wanted.length > 0)) return undefined;
  const named = found.findings.filter(isError).slice(0, PROBLEMS_MAX);
  const more = found.errors - named.length;
  const fields = named.map((finding) => [
    `${placeOf(finding)} ${finding.field}`.trimEnd(),
    sentence({ ...finding, field: '' }),
  ]);
  return new PartnerError('VALIDATION_FAILED', {
    message: `${invalidListings(reading)}; nothing was sent`,
    fields: { ...Object.fromEntries(fields), ...(more > 0 ? { '…': `and ${more} more` } : {}) },
    hint:
      wanted.length > 0
        ? 'fix them (`partner jobs validate` shows all but the places that a server lacks), or skip them with --keep-going'
        : 'fix them; `partner jobs validate` shows all but the places that a server lacks',
  });
}

/** `1 of 1,000 listings is invalid`. */
export function invalidListings({ invalidKeys: { length }, listings }: SetReading): string {
  const noun = listings === 1 ? 'listing' : 'listings';
  return `${grouped(length)} of ${grouped(listings)} ${noun} ${length === 1 ? 'is' : 'are'} invalid`;
}
