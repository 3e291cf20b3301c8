import { PartnerError } from '../../contract/errors.ts';
import type { JobInput } from '../../contract/job.ts';
import { isObject, LIMITS, type Limits } from '../../contract/values.ts';
import type { Places } from '../../places/place-names.ts';
import { readListings } from '../defaults/defaults.ts';
import { guessPlaces } from '../places/guess-places.ts';
import {
  createPlaceMemory,
  detachText,
  type PlaceMemory,
  resolveTextPlaces,
} from '../places/place-problems.ts';
import { createTurns, type Input } from '../read/bytes.ts';
import type { Beside } from '../read/formats.ts';
import type { Entry, Listing } from '../read/listing.ts';
import type { JobFiles } from '../read/paths.ts';
import { LISTINGS_MAX } from '../read/read.ts';
import type { Fault } from './finding.ts';
import { type Checking, checkListing } from './findings.ts';
import type { SpendRules } from './guardrails.ts';
import { createTally, type FindingTotals, type Found, getBid } from './tally.ts';

export interface CheckedListing extends Found {
  readonly file: string;
  readonly index: number;
  readonly line: number;
  readonly column: number;
  readonly input: JobInput | undefined;
  readonly origins?: Listing['origins'];
  readonly key?: string | undefined;
  readonly label?: Listing['label'];
}

export interface SetChecking {
  readonly limits: Limits;
  readonly spending?: SpendRules;
  readonly isLive: (listing: Partial<JobInput>) => boolean;
  readonly noCheck?: boolean;
}

const SEARCHES_MAX = 8;

/** Checks each listing of the files, in order. Throws FILE_UNREADABLE, INTERRUPTED and the errors of the search. */
export async function* checkEachListing(
  files: JobFiles,
  input: Input,
  memory: PlaceMemory,
  checking: SetChecking,
): AsyncGenerator<CheckedListing> {
  const ahead = memory.places === undefined ? SEARCHES_MAX : 1;
  const begun: Promise<CheckedListing>[] = [];
  const turn = createTurns(input.interrupted);
  for await (const entry of withUniqueKeys(readListings(files, input))) {
    await turn();
    const checked = checkEntry(entry, checking, memory);
    // The loop throws the error later. Until then, Node must not report it as unhandled.
    checked.catch(() => undefined);
    begun.push(checked);
    if (begun.length >= ahead) yield begun.shift() as Promise<CheckedListing>;
  }
  yield* begun;
}

export function tooMany(max: number, what: 'listings' | 'errors'): PartnerError {
  return new PartnerError('USAGE', {
    message: `these paths contain more than ${max.toLocaleString('en')} ${what}`,
    hint: 'pass fewer paths per run, with a separate --state FILE for each set of paths',
  });
}

async function* withUniqueKeys(entries: AsyncIterable<Entry>): AsyncGenerator<Entry> {
  let [file, lines] = ['', new Map<string, number>()];
  for await (const entry of entries) {
    const { listing } = entry;
    const { key } = listing ?? {};
    if (listing === undefined || key === undefined) {
      yield entry;
      continue;
    }
    if (listing.file !== file) [file, lines] = [listing.file, new Map()];
    const line = lines.get(key);
    lines.set(key, line ?? listing.locate(['key']).line);
    const flaws = line === undefined ? [] : [createRepeatedKeyFault(key, line, listing)];
    yield { listing: { ...listing, flaws: [...listing.flaws, ...flaws] } };
  }
}

function createRepeatedKeyFault(key: string, line: number, { locate }: Listing): Fault {
  const message = `${JSON.stringify(key)} is already the key of the listing on line ${line}`;
  const hint = 'set a unique key for each listing in the file';
  return { rule: 'invalid-value', path: ['key'], message, hint, ...locate(['key']) };
}

async function checkEntry(
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
  const guessed = await guessPlaces(listing, memory, limits.arrayEntries);
  const live = isLive(isObject(listing.value) ? listing.value : {});
  const { value, findings, omitted } = checkListing(guessed, {
    limits,
    ...(spending && { spending }),
    isLive: live,
    draft: !live || noCheck === true,
    places: memory.places,
    textPlace: await resolveTextPlaces(guessed.value, memory, limits.arrayEntries),
  });
  const isRefused = findings.some(({ level }) => level === 'error');
  return {
    file,
    index,
    ...listing.locate([]),
    input: isRefused ? undefined : detachInput(value as JobInput),
    findings,
    omitted,
    bid: getBid(listing),
    origins: listing.origins,
    label: listing.label,
    key: listing.key && detachText(listing.key),
  };
}

/** Copies the opportunity ID, because V8 would otherwise keep the whole text of the file in memory with it. */
function detachInput(input: JobInput): JobInput {
  const { opportunityId } = input;
  return typeof opportunityId === 'string' ? { ...input, opportunityId: detachText(opportunityId) } : input;
}

export interface Report extends FindingTotals, Beside {
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
  for await (const checked of checkEachListing(files, input, memory, checking)) {
    tally.add(checked);
    const isListing = checked.input !== undefined || checked.findings.some(({ level }) => level === 'error');
    counts.set(checked.file, (counts.get(checked.file) ?? 0) + (isListing ? 1 : 0));
    if (isListing && ++listings % PROGRESS_EVERY === 0) onProgress(listings);
    if (tally.isFull()) break;
    if (listings > LISTINGS_MAX) throw tooMany(LISTINGS_MAX, 'listings');
  }
  const counted = Array.from(counts, ([file, listings]) => ({ file, listings }));
  return { files: counted, listings, ...tally.totals(), ignored: files.ignored ?? [] };
}
