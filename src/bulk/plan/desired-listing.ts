import { PartnerError } from '../../contract/errors.ts';
import type { JobUpdate } from '../../contract/job.ts';
import type { FieldDigests } from '../state/state.ts';

export interface DesiredListing {
  /** What the state, reports and `--adopt` call it: `listingKey`. */
  readonly key: string;
  /** Relative to the state's base directory, with `/`; `stdin` for `-`. One string for all listings of a file. */
  readonly path: string;
  /** As findings and annotations name the file. One string for all listings of a file. */
  readonly file: string;
  readonly line: number;
  /** Its content as JSON in bytes, a fifth of the memory of values; given back once it is sent. */
  json: Uint8Array;
  readonly digests: FieldDigests;
  readonly digest: string;
  readonly opportunityId: string | undefined;
  /** The `key` set in the listing itself. */
  readonly name?: string | undefined;
  /** Read only to match listings. The run doesn't include it (`--only failed`). */
  readonly isPassedOver?: boolean | undefined;
  readonly publish: boolean;
  readonly origins?: Readonly<Record<string, string>> | undefined;
  /** Undefined for a listing that is at its key just as it was applied. */
  readonly fingerprint?: string;
}

const [ENCODER, DECODER, EMPTY] = [new TextEncoder(), new TextDecoder(), new Uint8Array()];

/** `Buffer.from` would keep parts of memory that it shares with everything else that is read. */
export function encodeContent(content: JobUpdate): Uint8Array {
  return ENCODER.encode(JSON.stringify(content));
}

/** A content that is needed for the last time: a set of 100,000 listings is to take less than 1 GB. */
export function takeContent(listing: DesiredListing): JobUpdate {
  const content = decodeContent(listing);
  listing.json = EMPTY;
  return content;
}

export function decodeContent({ json }: Pick<DesiredListing, 'json'>): JobUpdate {
  return JSON.parse(DECODER.decode(json));
}

/** A listing's file and its index in it. A path that looks like a key gets its `#0`. */
export function listingKey(path: string, index: number): string {
  return index === 0 && !/#(?:unlisted-)?\d+$/.test(path) ? path : `${path}#${index}`;
}

/** The key of a remembered listing at whose own key another one stands now: its job is not forgotten. */
export function unlistedKey(path: string, jobId: number): string {
  return `${path}#unlisted-${jobId}`;
}

/** Names a listing's creates. Idempotency keys are derived from it, so it's the same in every checkout and row order. */
export function createName(
  key: string,
  {
    name,
    opportunityId,
  }: { readonly name?: string | undefined; readonly opportunityId?: string | undefined },
  { locations = '' }: FieldDigests,
): string {
  const { path } = listingOfKey(key);
  if (name) return `${path} key ${name}`;
  return opportunityId ? `${path} opening ${opportunityId} ${locations}` : key;
}

/** The path and index of a `listingKey`; for an `unlistedKey` an index beyond all others. */
export function listingOfKey(key: string): { readonly path: string; readonly index: number } {
  const unlisted = /^(.*)#unlisted-\d+$/s.exec(key);
  if (unlisted) return { path: unlisted[1] ?? key, index: Number.POSITIVE_INFINITY };
  const [, path = key, index = '0'] = /^(.*)#(\d+)$/s.exec(key) ?? [];
  return { path, index: Number(index) };
}

export function refusedKey(message: string): PartnerError {
  return new PartnerError('USAGE', {
    message,
    hint: '`partner jobs plan` shows the listings and their keys',
  });
}
