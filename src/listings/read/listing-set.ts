import { setImmediate as nextTurn } from 'node:timers/promises';
import { PartnerError } from '../../contract/errors.ts';
import type { SpendRules } from '../../contract/guardrails.ts';
import type { JobInput } from '../../contract/job.ts';
import type { Limits } from '../../contract/limits.ts';
import { findingOf } from '../check/finding.ts';
import { checkListing, placesOfText } from '../check/findings.ts';
import { bidOf, type Found } from '../check/tally.ts';
import { type PlaceMemory, textPlacesOf } from '../places/place-memory.ts';
import { chunksOf, type Input, statOrNone } from './bytes.ts';
import { detached } from './detached.ts';
import { inOrder } from './in-order.ts';
import { isObject } from './other-formats.ts';
import type { JobFiles } from './paths.ts';
import {
  type Entry,
  entriesIn,
  entriesOf,
  type IndexFilter,
  type Listing,
  shownName,
  smallDocument,
} from './read.ts';
import { createPrivateCopy, type PrivateCopy } from './spool.ts';

/** A listing of the set, or a file, or a line of it, that cannot be read as one. */
export interface CheckedListing extends Found {
  /** As findings name it: `stdin` for `-`. One string for all listings of a file. */
  readonly file: string;
  /** Which listing of the file, from 0. */
  readonly index: number;
  /** Where it begins, from 1. */
  readonly line: number;
  readonly column: number;
  /** Checked, its places resolved, `publish` included; undefined where a finding is an error. */
  readonly input: JobInput | undefined;
}

/** A listing read a second time. */
interface ListingContent {
  readonly file: string;
  readonly index: number;
  /** Its places resolved, not checked again; undefined where it can no longer be read. */
  readonly input: JobInput | undefined;
}

interface SetChecking {
  readonly limits: Limits;
  readonly spending: SpendRules;
  /** Whether a listing is to be live, where that is not just what is no draft. */
  readonly isLive?: (listing: Partial<JobInput>) => boolean;
  /** True where a listing is not to go live, and need not be complete. Asked of listings not checked yet. */
  readonly draft: boolean | ((listing: Partial<JobInput>) => boolean);
}

/** The listings of files, read as they are asked for, and again; nothing of them is kept. */
export interface ListingSet {
  /**
   * Every listing, checked, in the order of the files. Throws FILE_UNREADABLE, and what the search of a server
   * throws. A string of `input` may be a part of its line, and keep it in memory: `opportunityId` is none.
   */
  checked(checking: SetChecking): AsyncGenerator<CheckedListing>;
  /**
   * The listings that are wanted, each once and in their order, as the files have them now. To be called when
   * `checked` is through: files without one that is wanted are not opened.
   */
  again(isWanted: (file: string, index: number) => boolean): AsyncGenerator<ListingContent>;
  /** Gives the copies of stdin and of pipes back. */
  close(): Promise<void>;
}

/** Those of a small file are there at once. */
type Entries = Iterable<Entry> | AsyncIterable<Entry>;

/** On a server with a search, so many listings are read ahead of the one that waits for its places. */
const AHEAD = { itemsMax: 64, sizeMax: 8 * 1024 * 1024 };

/** After so many the event loop has its turn. */
export const ENTRIES_A_TURN = 256;

/** The listings of the files that `expandPaths` gave; `memory` may be shared with whatever else asks for places. */
export function openListings({ names, faults }: JobFiles, input: Input, memory: PlaceMemory): ListingSet {
  const copies = new Map<string, PrivateCopy>();
  const counts = new Map<string, number>();
  const read = (name: string, isWanted?: IndexFilter): Entries => {
    const fault = faults?.get(name);
    if (fault !== undefined) return [{ finding: findingOf(fault, { file: name, index: 0 }) }];
    if (!copies.has(name)) {
      const small = smallDocument(name, isWanted);
      if (small !== undefined) return small;
      if (canBeReadAgain(name)) return entriesOf(name, input, isWanted);
    }
    const copy = copies.get(name) ?? createPrivateCopy(() => chunksOf(name, input));
    copies.set(name, copy);
    return entriesIn(shownName(name), copy.chunks(), isWanted);
  };

  async function* entries(): AsyncGenerator<Entry> {
    let seen = 0;
    for (const name of names) {
      let count = 0;
      for await (const entry of read(name)) {
        count = (entry.listing ?? entry.finding).index + 1;
        // What is read at once leaves no time for Ctrl-C and the spinner.
        if (++seen % ENTRIES_A_TURN === 0) await nextTurn();
        yield entry;
      }
      counts.set(name, count);
    }
  }

  return {
    checked: (checking) => ahead(entries(), (entry) => checkedEntry(entry, checking, memory), memory),
    async *again(isWanted) {
      for (const name of names) {
        const file = shownName(name);
        const isOfFile = (index: number) => isWanted(file, index);
        const end = endOfWanted(counts.get(name) ?? 0, isOfFile);
        if (end > 0) yield* contents({ file, end, isWanted: isOfFile }, read(name, isOfFile), memory);
      }
    },
    async close() {
      for (const copy of copies.values()) await copy.close();
      copies.clear();
    },
  };
}

/** True of a file, and of what is not there; not of stdin, nor of a pipe: a shell gives one for `<(command)`. */
function canBeReadAgain(name: string): boolean {
  const stats = name === '-' ? undefined : statOrNone(name);
  return name !== '-' && (stats === undefined || stats.isFile());
}

async function checkedEntry(
  { listing, finding }: Entry,
  { limits, spending, draft, isLive }: SetChecking,
  memory: PlaceMemory,
): Promise<CheckedListing> {
  if (listing === undefined) {
    const { file, index, line, column } = finding;
    return { file, index, line, column, input: undefined, findings: [finding] };
  }
  const { file, index } = listing;
  const checking = {
    limits,
    spending,
    ...(isLive && { isLive: isLive(fieldsOf(listing)) }),
    places: memory.places,
    draft: typeof draft === 'boolean' ? draft : draft(fieldsOf(listing)),
    textPlace: await textPlacesOf(listing.value, memory, limits.arrayEntries),
  };
  const { value, findings, omitted } = checkListing(listing, checking);
  const isRefused = findings.some(({ level }) => level === 'error');
  return {
    file,
    index,
    ...listing.locate([]),
    input: isRefused ? undefined : inputOf(value),
    findings,
    omitted,
    bid: bidOf(listing),
  };
}

function fieldsOf({ value }: Listing): Partial<JobInput> {
  return typeof value === 'object' && value !== null ? value : {};
}

/** The id of an opening outlives its listing, in whoever remembers which listing it was. */
function inputOf(value: unknown): JobInput {
  const input = value as JobInput;
  return typeof input.opportunityId === 'string'
    ? { ...input, opportunityId: detached(input.opportunityId) }
    : input;
}

interface WantedOfFile {
  readonly file: string;
  /** Behind the last that is wanted. */
  readonly end: number;
  readonly isWanted: IndexFilter;
}

/** What the file still has of the wanted listings and, for what it has no more, that it has not. */
async function* contents(
  { file, end, isWanted }: WantedOfFile,
  entries: Entries,
  memory: PlaceMemory,
): AsyncGenerator<ListingContent> {
  let next = 0;
  try {
    for await (const content of ahead(entries, (entry) => contentOf(entry, memory), memory)) {
      if (!isWanted(content.index)) continue;
      yield content;
      next = content.index + 1;
      if (next >= end) return;
    }
  } catch (error) {
    if (!(error instanceof PartnerError && error.code === 'FILE_UNREADABLE')) throw error;
  }
  for (let index = next; index < end; index++) {
    if (isWanted(index)) yield { file, index, input: undefined };
  }
}

async function contentOf({ listing, finding }: Entry, memory: PlaceMemory): Promise<ListingContent> {
  const { file, index } = listing ?? finding;
  if (listing === undefined || !isObject(listing.value)) return { file, index, input: undefined };
  const textPlace = await textPlacesOf(listing.value, memory);
  const { value, problems } = placesOfText(listing.value, textPlace);
  return { file, index, input: problems.length === 0 ? inputOf(value) : undefined };
}

function endOfWanted(count: number, isWanted: IndexFilter): number {
  for (let end = count; end > 0; end--) if (isWanted(end - 1)) return end;
  return 0;
}

/** With the bundled places there is nothing to wait for, and nothing is read ahead. */
function ahead<T>(
  entries: Entries,
  work: (entry: Entry) => Promise<T>,
  memory: PlaceMemory,
): AsyncGenerator<T> {
  const limits = memory.places === undefined ? AHEAD : { itemsMax: 1, sizeMax: 0 };
  return inOrder(entries, work, ({ bytes }) => bytes ?? 0, limits);
}
