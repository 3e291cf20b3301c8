import type { Finding } from '../../src/listings/check/finding.ts';
import { type Checking, checkListing } from '../../src/listings/check/findings.ts';
import { listingsOfJson } from '../../src/listings/read/json.ts';
import type { Entry, Listing } from '../../src/listings/read/listing.ts';
import { readEntries, toEntry } from '../../src/listings/read/read.ts';
import complete from './complete.json' with { type: 'json' };

/** A listing that could go live. */
export const COMPLETE = complete;

/** What a file holds, all of it at once. */
export interface FileReading {
  readonly listings: readonly Listing[];
  readonly findings: readonly Finding[];
}

/** The listings of a file, or of stdin for `-`, and what could not be read as one. */
export async function readListings(name: string, stdin: NodeJS.ReadableStream): Promise<FileReading> {
  const entries: Entry[] = [];
  for await (const entry of readEntries(name, { stdin })) entries.push(entry);
  return {
    listings: entries.flatMap(({ listing }) => listing ?? []),
    findings: entries.flatMap(({ finding }) => finding ?? []),
  };
}

/** The one listing of a text, as if it had been read from `job.json`. */
export function listingIn(text: string): Listing {
  const [reading, ...more] = listingsOfJson(text);
  const { listing } = reading ? toEntry(reading, { file: 'job.json', index: 0 }) : {};
  if (listing === undefined || more.length > 0) throw new Error(text);
  return listing;
}

/** A value as a listing read from a file, written on several lines. */
export function listingOf(value: unknown): Listing {
  return listingIn(JSON.stringify(value, null, 2));
}

/** Everything to mend in a listing, in the order of the file. */
export function findingsOf(listing: Listing, checking: Checking): Finding[] {
  return checkListing(listing, checking).findings;
}
