import { PartnerError } from '../../contract/errors.ts';
import type { JobUpdate } from '../../contract/job.ts';
import type { Origins } from '../../listings/read/listing.ts';
import type { FieldDigests } from '../state/state.ts';

export interface DesiredListing {
  readonly key: string;
  /** Path, part and title, such as `board.csv row 8 "Night nurse"`, if the file has several listings. */
  readonly label?: string | undefined;
  /** Path relative to the state's base directory, with `/` as the separator. `stdin` for standard input. */
  readonly path: string;
  readonly file: string;
  readonly line: number;
  /** JSON bytes, which use a fifth of the memory of parsed values. Cleared after sending. */
  json: Uint8Array;
  readonly digests: FieldDigests;
  readonly digest: string;
  readonly opportunityId: string | undefined;
  readonly name?: string | undefined;
  /** True if the listing is only used for matching, and isn't applied (`--only failed`). */
  readonly isPassedOver?: boolean | undefined;
  readonly publish: boolean;
  readonly origins?: Origins | undefined;
  readonly fingerprint?: string;
}

const [ENCODER, DECODER, EMPTY] = [new TextEncoder(), new TextDecoder(), new Uint8Array()];

/** Avoids `Buffer.from`, because a small result would keep a larger shared buffer in memory. */
export function encodeContent(content: JobUpdate): Uint8Array {
  return ENCODER.encode(JSON.stringify(content));
}

/** Returns the content and clears it, to keep a set of 100,000 listings below 1 GB. */
export function takeContent(listing: DesiredListing): JobUpdate {
  const content = decodeContent(listing);
  listing.json = EMPTY;
  return content;
}

export function decodeContent({ json }: Pick<DesiredListing, 'json'>): JobUpdate {
  return JSON.parse(DECODER.decode(json));
}

/** A listing's key is its path and index. Index 0 is only added to a path that looks like a key. */
export function listingKey(path: string, index: number): string {
  return index === 0 && !/#(?:unlisted-)?\d+$/.test(path) ? path : `${path}#${index}`;
}

/** Returns the new key of a removed listing's state entry, if another listing now has the entry's old key. */
export function buildUnlistedKey(path: string, jobId: number): string {
  return `${path}#unlisted-${jobId}`;
}

/** Idempotency keys are derived from this name, so it must be the same in every checkout and row order. */
export function createName(
  key: string,
  { name, opportunityId }: Partial<Pick<DesiredListing, 'name' | 'opportunityId'>>,
  { locations = '' }: FieldDigests,
): string {
  const { path } = listingOfKey(key);
  if (name) return `${path} key ${name}`;
  return opportunityId ? `${path} opening ${opportunityId} ${locations}` : key;
}

/** Splits a `listingKey`. A key of `buildUnlistedKey` has index Infinity. */
export function listingOfKey(key: string): { readonly path: string; readonly index: number } {
  const unlisted = /^(.*)#unlisted-\d+$/s.exec(key);
  if (unlisted) return { path: unlisted[1] ?? key, index: Number.POSITIVE_INFINITY };
  const [, path = key, index = '0'] = /^(.*)#(\d+)$/s.exec(key) ?? [];
  return { path, index: Number(index) };
}

/** Returns the name of a listing for people. Without a label, it's made from the key. */
export function nameListing({ key, label }: Pick<DesiredListing, 'key' | 'label'>): string {
  return label ?? describeKey(key);
}

/** Formats the key of a listing that isn't known, such as `board.csv listing 8` for `board.csv#7`. */
export function describeKey(key: string): string {
  const { path, index } = listingOfKey(key);
  if (path === key) return key;
  return Number.isFinite(index) ? `${path} listing ${index + 1}` : `${path} (removed listing)`;
}

export function createKeyError(message: string): PartnerError {
  const hint = 'find the keys of your listings with `partner jobs plan --json`';
  return new PartnerError('USAGE', { message, hint });
}
