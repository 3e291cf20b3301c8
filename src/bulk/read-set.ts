import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PartnerError } from '../contract/errors.ts';
import type { JobInput } from '../contract/job.ts';
import type { Finding } from '../listings/check/finding.ts';
import { createTally, type FindingTotals } from '../listings/check/tally.ts';
import type { CheckedListing, ListingSet } from '../listings/read/listing-set.ts';
import { fieldDigests, wantedContent, wholeDigest } from './plan/content.ts';
import { contentFingerprint } from './plan/content-fingerprint.ts';
import { type Contents, createContents } from './plan/contents.ts';
import type { DesiredListing } from './plan/desired-listing.ts';
import { listingKey, listingOfKey } from './plan/listing-key.ts';
import type { StateEntry } from './state/state.ts';

export interface SetReading {
  /** The valid listings, in their order. */
  readonly wanted: readonly DesiredListing[];
  /** How many listings were read, valid or not; what cannot be read as listings counts as one. */
  readonly listings: number;
  readonly invalid: number;
  readonly invalidKeys: readonly string[];
  readonly found: FindingTotals;
  readonly contents: Contents;
  /** Whether a remembered listing is no longer there: its file is gone, or does not go as far. */
  isGone(key: string): boolean;
  /** False for a listing that was read and is not among the wanted ones: invalid, or left out. */
  isLeftOut(key: string): boolean;
}

export interface ReadSetOptions {
  /** The state's base directory, and a file's name relative to it. */
  readonly base: string;
  readonly keyPath: (file: string) => string;
  /** Every listing is to be live, not only those that say so. */
  readonly publish: boolean;
  /** Only these listings; undefined for all. */
  readonly only: ReadonlySet<string> | undefined;
  /** What is remembered of a listing; one that is not just so may be looked for among the server's jobs. */
  readonly entryOf: (key: string) => StateEntry | undefined;
  readonly interrupted: AbortSignal;
}

/** Each is kept until the end: so many take some 1 GB. */
export const SET_LISTINGS_MAX = 500_000;

/**
 * Reads and checks every listing of the set; keeps of each what the plan needs. Throws FILE_UNREADABLE, and USAGE
 * where one of `only` is not among them, or there are more than `SET_LISTINGS_MAX`.
 */
export async function readSet(
  checked: AsyncIterable<CheckedListing>,
  options: ReadSetOptions,
): Promise<SetReading> {
  const wanted: DesiredListing[] = [];
  const tally = createTally();
  const contents = createContents();
  const lengths = new Map<string, number>();
  const leftOut = new Set<string>();
  const broken = new Set<string>();
  const invalidKeys: string[] = [];
  const missing = new Set(options.only);
  let listings = 0;
  let path = '';
  let file: string | undefined;
  for await (const listing of checked) {
    if (options.interrupted.aborted) throw new PartnerError('INTERRUPTED');
    if (wanted.length + leftOut.size >= SET_LISTINGS_MAX) throw tooMany();
    if (listing.file !== file) {
      file = listing.file;
      path = options.keyPath(file);
    }
    const key = listingKey(path, listing.index);
    const isListing = listing.input !== undefined || listing.findings.some(isError);
    lengths.set(path, Math.max(lengths.get(path) ?? 0, isListing ? listing.index + 1 : 0));
    if (options.only !== undefined && !options.only.has(key)) {
      leftOut.add(key);
      continue;
    }
    missing.delete(key);
    if (isListing) listings++;
    tally.add(listing);
    if (listing.input === undefined) {
      if (isListing) invalidKeys.push(key);
      leftOut.add(key);
      if (listing.findings.some(isUnreadable)) broken.add(path);
      continue;
    }
    wanted.push(wantedOf(listing, listing.input, path, key, contents, options));
  }
  if (missing.size > 0) throw notAmongThem([...missing]);
  return {
    wanted,
    listings,
    invalid: invalidKeys.length,
    invalidKeys,
    found: tally.totals(),
    contents,
    isGone(key) {
      const { path: ofKey, index } = listingOfKey(key);
      const length = lengths.get(ofKey);
      if (length === undefined) return !existsSync(join(options.base, ofKey));
      return index >= length && !broken.has(ofKey);
    },
    isLeftOut: (key) => leftOut.has(key) || broken.has(listingOfKey(key).path),
  };
}

function tooMany(): PartnerError {
  return new PartnerError('USAGE', {
    message: `these paths hold more than ${SET_LISTINGS_MAX} listings`,
    hint: 'plan and apply a part of them at a time, each part with a state of its own: --state FILE',
  });
}

/** A run that leaves out what failed would end well, and nobody would know any more that it has failed. */
function notAmongThem([first, ...others]: readonly string[]): PartnerError {
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return new PartnerError('USAGE', {
    message: `${first}${more} failed in the last apply, and no listing of these paths is called so`,
    hint: 'a renamed file, a listing that is gone, or other paths: run it without --only',
  });
}

function isError({ level }: Finding): boolean {
  return level === 'error';
}

/** What cannot be read says nothing of how many listings the file holds. */
function isUnreadable({ level, rule }: Finding): boolean {
  return level === 'error' && (rule === 'json-syntax' || rule === 'file-content');
}

function wantedOf(
  { file, index, line }: CheckedListing,
  input: JobInput,
  path: string,
  key: string,
  contents: Contents,
  { publish, entryOf }: ReadSetOptions,
): DesiredListing {
  const content = wantedContent(input);
  const digests = fieldDigests(content);
  contents.keep(key, content, digests);
  const digest = wholeDigest(digests);
  const entry = entryOf(key);
  const isAsApplied = entry !== undefined && wholeDigest(entry.applied) === digest;
  return {
    path,
    file,
    index,
    line,
    digest,
    opportunityId: input.opportunityId || undefined,
    publish: publish || input.publish === true,
    ...(isAsApplied ? {} : { fingerprint: contentFingerprint(digests) }),
  };
}

/** The contents of those listings that `wants` names, and that are still what was read; each once. */
export async function* contentsOf(
  wanted: readonly DesiredListing[],
  contents: Contents,
  listings: ListingSet,
): AsyncGenerator<{
  readonly wanted: DesiredListing;
  readonly content: ReturnType<typeof wantedContent> | undefined;
}> {
  const again = new Map<string, DesiredListing>();
  for (const listing of wanted) {
    const content = contents.get(listingKey(listing.path, listing.index));
    if (content === undefined) again.set(placeOf(listing.file, listing.index), listing);
    else yield { wanted: listing, content };
  }
  if (again.size === 0) return;
  for await (const { file, index, input } of listings.again((f, i) => again.has(placeOf(f, i)))) {
    const place = placeOf(file, index);
    const listing = again.get(place);
    if (listing === undefined) continue;
    again.delete(place);
    const content = input === undefined ? undefined : wantedContent(input);
    const isSame = content !== undefined && wholeDigest(fieldDigests(content)) === listing.digest;
    yield { wanted: listing, content: isSame ? content : undefined };
  }
  // What is not there any more has changed as well.
  for (const listing of again.values()) yield { wanted: listing, content: undefined };
}

function placeOf(file: string, index: number): string {
  return `${index} ${file}`;
}
