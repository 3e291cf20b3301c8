import { setImmediate as nextTurn } from 'node:timers/promises';
import { PartnerError } from '../../contract/errors.ts';
import { LIMITS } from '../../contract/limits.ts';
import { createPlaceMemory, type PlaceMemory, textPlacesOf } from '../places/place-memory.ts';
import type { Input } from '../read/bytes.ts';
import { ENTRIES_A_TURN } from '../read/listing-set.ts';
import type { JobFiles } from '../read/paths.ts';
import { type Entry, entriesOf, type Listing, shownName } from '../read/read.ts';
import { findingOf } from './finding.ts';
import { type Checking, checkListing } from './findings.ts';
import { bidOf, createTally, type FindingTotals, type Found } from './tally.ts';

/** What a check of files found: findings in the order of the files and of their lines. */
export interface Report extends FindingTotals {
  /** The files in their order, each with how many listings it holds; what cannot be read counts as one. */
  readonly files: readonly { readonly file: string; readonly listings: number }[];
  readonly listings: number;
}

/**
 * Reads and checks every listing of the files, one at a time and none kept; `onProgress` is told now and then how many
 * were checked. Throws FILE_UNREADABLE and INTERRUPTED.
 */
export async function checkFiles(
  { names, faults }: JobFiles,
  input: Input,
  checking: Checking,
  onProgress: (listings: number) => void = () => {},
): Promise<Report> {
  const files: { file: string; listings: number }[] = [];
  const tally = createTally();
  const { places } = checking;
  const memory = places && createPlaceMemory({ places, search: async (q) => places.search({ q }) });
  const entriesIn = (name: string): AsyncIterable<Entry> | Entry[] => {
    const fault = faults?.get(name);
    return fault ? [{ finding: findingOf(fault, { file: name, index: 0 }) }] : entriesOf(name, input);
  };
  let [all, seen] = [0, 0];
  for (const name of names) {
    let listings = 0;
    for await (const { listing, finding } of entriesIn(name)) {
      if (listing === undefined) tally.add({ findings: [finding] });
      else tally.add(await found(listing, checking, memory));
      if (listing !== undefined || finding.level === 'error') listings++;
      if (++seen % ENTRIES_A_TURN !== 0) continue;
      await nextTurn();
      if (input.interrupted?.aborted) throw new PartnerError('INTERRUPTED');
      onProgress(all + listings);
    }
    files.push({ file: shownName(name), listings });
    all += listings;
  }
  return { files, listings: all, ...tally.totals() };
}

async function found(listing: Listing, checking: Checking, memory: PlaceMemory | undefined): Promise<Found> {
  const { arrayEntries } = checking.limits ?? LIMITS;
  const textPlace = memory && (await textPlacesOf(listing.value, memory, arrayEntries));
  const memorised = memory && textPlace && { places: memory.places, textPlace };
  const { findings, omitted } = checkListing(listing, { ...checking, ...memorised });
  return { findings, omitted, bid: bidOf(listing) };
}
