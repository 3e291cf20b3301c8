import type { Finding } from '../../src/listings/check/finding.ts';
import { type Checking, checkListing } from '../../src/listings/check/findings.ts';
import { listingsOfJson } from '../../src/listings/read/json.ts';
import type { Entry, Listing } from '../../src/listings/read/listing.ts';
import { readEntries, toEntry } from '../../src/listings/read/read.ts';
import complete from './complete.json' with { type: 'json' };

export const COMPLETE = complete;

/** All listings and findings of a file. */
export interface FileReading {
  readonly listings: readonly Listing[];
  readonly findings: readonly Finding[];
}

/** Reads all listings and findings of a file. `-` is stdin. */
export async function readListings(name: string, stdin: NodeJS.ReadableStream): Promise<FileReading> {
  const entries: Entry[] = [];
  for await (const entry of readEntries(name, { stdin })) entries.push(entry);
  return {
    listings: entries.flatMap(({ listing }) => listing ?? []),
    findings: entries.flatMap(({ finding }) => finding ?? []),
  };
}

/** Parses a text with one listing like the file `job.json`. */
export function listingIn(text: string): Listing {
  const [reading, ...more] = listingsOfJson(text);
  const { listing } = reading ? toEntry(reading, { file: 'job.json', index: 0 }) : {};
  if (listing === undefined || more.length > 0) throw new Error(text);
  return listing;
}

/** Returns a value as a listing of a file with several lines. */
export function listingOf(value: unknown): Listing {
  return listingIn(JSON.stringify(value, null, 2));
}

export function findingsOf(listing: Listing, checking: Checking): Finding[] {
  return checkListing(listing, checking).findings;
}
