import { setImmediate as nextTurn } from 'node:timers/promises';
import { PartnerError } from '../../contract/errors.ts';
import type { SpendRules } from '../../contract/guardrails.ts';
import type { JobInput } from '../../contract/job.ts';
import type { Places } from '../../contract/place-names.ts';
import { LIMITS, type Limits } from '../../contract/values.ts';
import { createDefaults, withDefaults } from '../defaults/defaults.ts';
import { createPlaceMemory, detached, type PlaceMemory, textPlacesOf } from '../places/place-problems.ts';
import type { Input } from '../read/bytes.ts';
import type { Entry, Listing } from '../read/listing.ts';
import type { JobFiles } from '../read/paths.ts';
import { entriesOf, LISTINGS_MAX } from '../read/read.ts';
import type { Beside } from '../read/unknown-files.ts';
import { type Fault, findingOf } from './finding.ts';
import { type Checking, checkListing } from './findings.ts';
import { bidOf, createTally, type FindingTotals, type Found } from './tally.ts';

/** A listing of the set, or a file, or a line of it, that cannot be read as one. */
export interface CheckedListing extends Found {
  /** As findings name it: `stdin` for `-`. One string for all listings of a file. */
  readonly file: string;
  readonly index: number;
  readonly line: number;
  readonly column: number;
  /** Checked, its places resolved, `publish` included; undefined where a finding is an error. */
  readonly input: JobInput | undefined;
  readonly origins?: Listing['origins'];
  readonly key?: string | undefined;
}

export interface SetChecking {
  readonly limits: Limits;
  readonly spending?: SpendRules;
  /** Asked of listings that are not checked yet: a live one must be complete. */
  readonly isLive: (listing: Partial<JobInput>) => boolean;
  /** Listings may be incomplete: the server decides. */
  readonly noCheck?: boolean;
}

/** On a server with a search, so many listings wait for their places at a time, with one search each. */
const SEARCHES_MAX = 8;

/** After this time the event loop has its turn, for Ctrl-C and the spinner. */
const TURN_MS = 50;

/** Every listing of the files, checked, in their order. Throws FILE_UNREADABLE, INTERRUPTED, and what a search throws. */
export async function* checkedListings(
  files: JobFiles,
  input: Input,
  memory: PlaceMemory,
  checking: SetChecking,
): AsyncGenerator<CheckedListing> {
  // With the bundled places there is nothing to wait for, and nothing is read ahead.
  const ahead = memory.places === undefined ? SEARCHES_MAX : 1;
  const begun: Promise<CheckedListing>[] = [];
  let turnAt = performance.now();
  for await (const entry of withUniqueKeys(entriesOfFiles(files, input))) {
    if (performance.now() - turnAt > TURN_MS) {
      await nextTurn();
      turnAt = performance.now();
    }
    if (input.interrupted?.aborted) throw new PartnerError('INTERRUPTED');
    const checked = checkedEntry(entry, checking, memory);
    // It is thrown in its turn; until then nobody waits for it.
    checked.catch(() => undefined);
    begun.push(checked);
    if (begun.length >= ahead) yield begun.shift() as Promise<CheckedListing>;
  }
  yield* begun;
}

export function tooMany(max: number, what: 'listings' | 'errors'): PartnerError {
  return new PartnerError('USAGE', {
    message: `these paths hold more than ${max.toLocaleString('en')} ${what}`,
    hint: 'plan and apply a part of them at a time, each part with a state of its own: --state FILE',
  });
}

/** A duplicate key is a problem of the later listing in the file. */
async function* withUniqueKeys(entries: AsyncIterable<Entry>): AsyncGenerator<Entry> {
  let [file, lines] = ['', new Map<string, number>()];
  for await (const entry of entries) {
    const { listing } = entry;
    if (listing !== undefined && listing.file !== file) [file, lines] = [listing.file, new Map()];
    const { key } = listing ?? {};
    const line = key === undefined ? undefined : lines.get(key);
    if (listing !== undefined && key !== undefined) lines.set(key, line ?? listing.locate(['key']).line);
    if (listing === undefined || key === undefined || line === undefined) yield entry;
    else yield { listing: { ...listing, flaws: [...listing.flaws, repeatedKey(key, line, listing)] } };
  }
}

function repeatedKey(key: string, line: number, { locate }: Listing): Fault {
  const message = `${JSON.stringify(key)} is already the key of the listing on line ${line}`;
  const hint = 'set a unique key for each listing in the file';
  return { rule: 'invalid-value', path: ['key'], message, hint, ...locate(['key']) };
}

async function* entriesOfFiles(
  { names, named, faults, reading }: JobFiles,
  input: Input,
): AsyncGenerator<Entry> {
  const defaultsOf = createDefaults(input, named);
  for (const name of names) {
    const fault = faults?.get(name);
    const defaults = fault === undefined ? await defaultsOf(name) : undefined;
    if (fault !== undefined) yield { finding: findingOf(fault, { file: name, index: 0 }) };
    else if (defaults === undefined) yield* entriesOf(name, input, reading);
    else for await (const entry of entriesOf(name, input, reading)) yield withDefaults(entry, defaults);
  }
}

async function checkedEntry(
  { listing, finding, others = [], keepsOut }: Entry,
  { limits, spending, isLive, noCheck }: SetChecking,
  memory: PlaceMemory,
): Promise<CheckedListing> {
  if (listing === undefined) {
    const { line, column } = keepsOut === undefined ? finding : { line: 1, column: 1 };
    const { file, index } = keepsOut ?? finding;
    return { file, index, line, column, input: undefined, findings: [finding, ...others] };
  }
  const { file, index } = listing;
  const fields: Partial<JobInput> =
    typeof listing.value === 'object' && listing.value !== null ? listing.value : {};
  const live = isLive(fields);
  const { value, findings, omitted } = checkListing(listing, {
    limits,
    ...(spending && { spending }),
    isLive: live,
    draft: !live || noCheck === true,
    places: memory.places,
    textPlace: await textPlacesOf(listing.value, memory, limits.arrayEntries),
  });
  const isRefused = findings.some(({ level }) => level === 'error');
  return {
    file,
    index,
    ...listing.locate([]),
    input: isRefused ? undefined : inputOf(value as JobInput),
    findings,
    omitted,
    bid: bidOf(listing),
    origins: listing.origins,
    key: listing.key && detached(listing.key),
  };
}

/** The id of an opening outlives its listing in the reading of a set. */
function inputOf(input: JobInput): JobInput {
  const { opportunityId } = input;
  return typeof opportunityId === 'string' ? { ...input, opportunityId: detached(opportunityId) } : input;
}

export interface Report extends FindingTotals, Beside {
  /** The files in their order, each with how many listings it holds; what cannot be read counts as one. */
  readonly files: readonly { readonly file: string; readonly listings: number }[];
  readonly listings: number;
}

const PROGRESS_EVERY = 256;

/** Checks every listing of the files. Throws FILE_UNREADABLE and INTERRUPTED. */
export async function checkFiles(
  files: JobFiles,
  input: Input,
  { places, spending, draft }: Pick<Checking, 'spending' | 'draft'> & { readonly places: Places },
  onProgress: (listings: number) => void = () => {},
): Promise<Report> {
  const tally = createTally();
  const counts = new Map<string, number>();
  const memory = createPlaceMemory({ places });
  const checking = { limits: LIMITS, ...(spending && { spending }), isLive: () => !draft };
  let listings = 0;
  for await (const checked of checkedListings(files, input, memory, checking)) {
    tally.add(checked);
    // An empty array is only warned of.
    const isListing = checked.input !== undefined || checked.findings.some(({ level }) => level === 'error');
    counts.set(checked.file, (counts.get(checked.file) ?? 0) + (isListing ? 1 : 0));
    if (isListing && ++listings % PROGRESS_EVERY === 0) onProgress(listings);
    if (tally.isFull()) break;
    if (listings > LISTINGS_MAX) throw tooMany(LISTINGS_MAX, 'listings');
  }
  const counted = Array.from(counts, ([file, listings]) => ({ file, listings }));
  return { files: counted, listings, ...tally.totals(), ignored: files.ignored ?? [] };
}
