import { type Checking, findingsOf } from './findings.ts';
import { createPlaceMemory, type PlaceMemory, textPlacesOf } from './place-memory.ts';
import { entriesOf, type Listing, shownName } from './read.ts';
import { bidOf, createTally, type FindingTotals } from './tally.ts';

/** What a check of files found: findings in the order of the files and of their lines. */
export interface Report extends FindingTotals {
  /** The files in their order, each with how many listings it holds; what cannot be read counts as one. */
  readonly files: readonly { readonly file: string; readonly listings: number }[];
  readonly listings: number;
}

/** Reads and checks every listing of the files, one at a time and none kept. Throws FILE_UNREADABLE. */
export async function checkFiles(
  names: readonly string[],
  stdin: NodeJS.ReadableStream,
  checking: Checking,
): Promise<Report> {
  const files: { file: string; listings: number }[] = [];
  const tally = createTally();
  const { places } = checking;
  const memory = places && createPlaceMemory({ places, search: async (q) => places.search({ q }) });
  for (const name of names) {
    let listings = 0;
    for await (const { listing, finding } of entriesOf(name, stdin)) {
      if (listing === undefined) tally.add([finding]);
      else tally.add(await found(listing, checking, memory), bidOf(listing));
      if (listing !== undefined || finding.level === 'error') listings++;
    }
    files.push({ file: shownName(name), listings });
  }
  return { files, listings: files.reduce((sum, { listings }) => sum + listings, 0), ...tally.totals() };
}

async function found(listing: Listing, checking: Checking, memory: PlaceMemory | undefined) {
  if (memory === undefined) return findingsOf(listing, checking);
  const textPlace = await textPlacesOf(listing.value, memory);
  return findingsOf(listing, { ...checking, places: memory.places, textPlace });
}
