import { setImmediate as nextTurn } from 'node:timers/promises';
import { PartnerError } from '../../contract/errors.ts';
import type { SpendRules } from '../../contract/guardrails.ts';
import type { JobInput } from '../../contract/job.ts';
import type { Limits } from '../../contract/limits.ts';
import { findingOf } from '../check/finding.ts';
import { checkListing } from '../check/findings.ts';
import { bidOf, type Found } from '../check/tally.ts';
import { detached, type PlaceMemory, textPlacesOf } from '../places/place-memory.ts';
import type { Input } from './bytes.ts';
import type { JobFiles } from './paths.ts';
import { type Entry, entriesOf } from './read.ts';

/** A listing of the set, or a file, or a line of it, that cannot be read as one. */
export interface CheckedListing extends Found {
  /** As findings name it: `stdin` for `-`. One string for all listings of a file. */
  readonly file: string;
  readonly index: number;
  readonly line: number;
  readonly column: number;
  /** Checked, its places resolved, `publish` included; undefined where a finding is an error. */
  readonly input: JobInput | undefined;
}

export interface SetChecking {
  readonly limits: Limits;
  readonly spending?: SpendRules;
  /** Whether a listing is to be live, where that is not just what is no draft. */
  readonly isLive?: (listing: Partial<JobInput>) => boolean;
  /** True where a listing is not to go live, and need not be complete. Asked of listings not checked yet. */
  readonly draft: boolean | ((listing: Partial<JobInput>) => boolean);
}

/** On a server with a search, so many listings wait for their places at a time, with one search each. */
const SEARCHES_MAX = 8;

/** After so many the event loop has its turn, for Ctrl-C and the spinner. */
const ENTRIES_A_TURN = 256;

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
  let seen = 0;
  for await (const entry of entriesOfFiles(files, input)) {
    if (++seen % ENTRIES_A_TURN === 0) await nextTurn();
    if (input.interrupted?.aborted) throw new PartnerError('INTERRUPTED');
    const checked = checkedEntry(entry, checking, memory);
    // It is thrown in its turn; until then nobody waits for it.
    checked.catch(() => undefined);
    begun.push(checked);
    if (begun.length >= ahead) yield begun.shift() as Promise<CheckedListing>;
  }
  yield* begun;
}

async function* entriesOfFiles({ names, faults }: JobFiles, input: Input): AsyncGenerator<Entry> {
  for (const name of names) {
    const fault = faults?.get(name);
    if (fault === undefined) yield* entriesOf(name, input);
    else yield { finding: findingOf(fault, { file: name, index: 0 }) };
  }
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
  const fields: Partial<JobInput> =
    typeof listing.value === 'object' && listing.value !== null ? listing.value : {};
  const { value, findings, omitted } = checkListing(listing, {
    limits,
    ...(spending && { spending }),
    ...(isLive && { isLive: isLive(fields) }),
    places: memory.places,
    draft: typeof draft === 'function' ? draft(fields) : draft,
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
  };
}

/** The id of an opening outlives its listing in the reading of a set. */
function inputOf(input: JobInput): JobInput {
  const { opportunityId } = input;
  return typeof opportunityId === 'string' ? { ...input, opportunityId: detached(opportunityId) } : input;
}
