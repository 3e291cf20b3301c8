import { isUtf8 } from 'node:buffer';
import * as z from 'zod';
import { PartnerError } from '../../contract/errors.ts';
import { attempt } from '../../contract/system-errors.ts';
import { isObject } from '../../contract/values.ts';
import { createName } from '../plan/desired-listing.ts';
import type { BulkState, Intent, StateEntry } from './state.ts';
import { createDamageError, Entry as entry, fromNewerRelease, SentCreate } from './state.ts';
import { journalPath, readStateFile } from './state-file.ts';

export const JOURNAL_VERSION = 1;

const text = z.string();
const whole = z.int();
const ofIntent = { key: text, idempotencyKey: text };

/** Starts a run. A run that continues the journal of a killed one adds another. */
const Run = z.object({
  kind: z.literal('run'),
  version: whole,
  runId: text,
  at: whole,
  server: text,
  host: text,
  pid: whole,
  /** `stateDigest` of the state to which the following lines apply. */
  state: text.optional(),
  /** Digest of the API key that sends the following intents. They're invalid with another company's key. */
  keyDigest: text.optional(),
});

const IntentLine = z.object({ kind: z.literal('intent'), ...SentCreate.shape });

const Outcome = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('made'), ...ofIntent, job: whole, entry }),
  z.object({ kind: z.literal('refused'), ...ofIntent, code: text }),
  z.object({ kind: z.literal('resent'), ...ofIntent }),
  z.object({ kind: z.literal('entry'), key: text, entry }),
  /** All moves are in one line, because keys may be swapped. */
  z.object({ kind: z.literal('moves'), moves: z.array(z.object({ key: text, was: text, entry })) }),
  z.object({ kind: z.literal('forget'), key: text, job: whole.optional() }),
  z.object({ kind: z.literal('honours') }),
  z.object({ kind: z.literal('ignore'), job: whole }),
  /** The lines so far are about to be written to the state, which then has this `stateDigest`. */
  z.object({ kind: z.literal('folded'), state: text }),
]);

const Line = z.discriminatedUnion('kind', [Run, IntentLine, Outcome]);

export type RunLine = z.infer<typeof Run>;
export type OutcomeLine = z.infer<typeof Outcome>;
export type JournalLine = z.infer<typeof Line>;

function parseLine(text: string): JournalLine | 'cut off' | 'unknown' {
  const value: unknown = attempt(() => JSON.parse(text));
  if (value === undefined) return 'cut off';
  if (isObject(value) && value.kind === 'run' && Number(value.version) > JOURNAL_VERSION)
    return value as JournalLine;
  const line = Line.safeParse(value);
  return line.success ? line.data : 'unknown';
}

export type JournalContent = Omit<JournalLines, 'take'>;

/** Collects the lines of a journal. Keeps an intent's body only until its outcome is known. */
class JournalLines {
  readonly changes: Extract<OutcomeLine, { kind: 'made' | 'entry' | 'moves' | 'forget' }>[] = [];
  readonly pending = new Map<string, Intent>();
  readonly ignored = new Set<number>();
  honours = false;
  /** Start of the first run in epoch ms. Undefined without a run. */
  startedAt: number | undefined;
  server = '';
  /** `stateDigest` of the states that this journal applies to: before the last run, and after it. */
  states: readonly string[] = [];
  #keyDigest: string | undefined;

  take(line: JournalLine): void {
    // An outcome applies only to its own intent, not to a later one with the same listing key.
    if ('idempotencyKey' in line && this.pending.get(line.key)?.idempotencyKey === line.idempotencyKey)
      this.pending.delete(line.key);
    if (line.kind === 'run') {
      this.startedAt ??= line.at;
      this.server = line.server;
      this.#keyDigest = line.keyDigest;
      this.states = line.state === undefined ? [] : [line.state];
    } else if (line.kind === 'intent') {
      const { kind: _, ...intent } = line;
      const keyDigest = this.#keyDigest;
      this.pending.set(intent.key, keyDigest === undefined ? intent : { ...intent, keyDigest });
    } else if (line.kind === 'honours') this.honours = true;
    else if (line.kind === 'ignore') this.ignored.add(line.job);
    else if (line.kind === 'folded') this.states = [...this.states, line.state];
    else if (line.kind !== 'refused' && line.kind !== 'resent') this.changes.push(line);
  }
}

/** Applies a journal to a state, with the same result if repeated. If two listings claim a job, the last one wins. */
export function foldJournal(state: BulkState, { changes, honours, ignored: jobs }: JournalContent) {
  const listings = new Map(state.listings);
  const keyOf = new Map(Array.from(listings, ([key, { job }]) => [job, key]));
  const forget = (key: string, job?: number): void => {
    const entry = listings.get(key);
    if (entry === undefined || (job !== undefined && entry.job !== job)) return;
    listings.delete(key);
    keyOf.delete(entry.job);
  };
  const remember = (key: string, entry: StateEntry): void => {
    const owner = keyOf.get(entry.job);
    if (owner !== undefined) forget(owner);
    forget(key);
    listings.set(key, entry);
    keyOf.set(entry.job, key);
  };
  for (const change of changes) {
    if (change.kind === 'forget') forget(change.key, change.job);
    else if (change.kind === 'moves') {
      // Removes all old keys before adding new ones, because keys may be swapped.
      for (const { was, entry } of change.moves) forget(was, entry.job);
      for (const { key, entry } of change.moves) remember(key, entry);
    } else remember(change.key, change.entry);
  }
  const ignored = [...new Set([...(state.ignored ?? []), ...jobs])].sort((a, b) => a - b);
  const creates = changes.length === 0 ? state.creates : countCreates(state, listings);
  return {
    ...state,
    honoursIdempotencyKeys: state.honoursIdempotencyKeys || honours,
    ...(creates?.size && { creates }),
    ...(ignored.length > 0 && { ignored }),
    listings,
  };
}

/** Counts jobs that lost their listing, because the next create then needs a new idempotency key. */
function countCreates(before: BulkState, listings: BulkState['listings']): ReadonlyMap<string, number> {
  const buildEntryName = (key: string, { key: name, opportunityId, applied }: StateEntry) =>
    createName(key, { name, opportunityId }, applied);
  const kept = new Set(Array.from(listings, ([key, entry]) => `${entry.job} ${buildEntryName(key, entry)}`));
  const creates = new Map(before.creates);
  for (const [key, entry] of before.listings) {
    const name = buildEntryName(key, entry);
    if (!kept.has(`${entry.job} ${name}`)) creates.set(name, (creates.get(name) ?? 0) + 1);
  }
  return creates;
}

const LF = 0x0a;

/** Ignores an incomplete last line. Throws STATE_UNUSABLE for other damage, or another server or state. */
export function readJournal(statePath: string, server?: string, state?: string): JournalContent | undefined {
  const path = journalPath(statePath);
  return parseJournal(path, readStateFile(path), server, state);
}

export function parseJournal(path: string, bytes: Buffer | undefined, server?: string, state?: string) {
  const { lines } = scanJournal(path, bytes, server, state);
  return lines.startedAt === undefined ? undefined : lines;
}

/** `goodBytes` excludes an incomplete last line. Undefined without a file. Throws the errors of `readJournal`. */
export function scanJournal(path: string, bytes: Buffer | undefined, server?: string, state?: string) {
  const lines = new JournalLines();
  if (bytes === undefined) return { lines, goodBytes: undefined, endsInLine: true };
  let [number, goodBytes, endsInLine, isCutOff] = [0, 0, true, false];
  for (let [from, end] = [0, 0]; from < bytes.length; from = end) {
    if (isCutOff) throw noLine(path, number);
    const lineEnd = bytes.indexOf(LF, from);
    end = lineEnd === -1 ? bytes.length : lineEnd + 1;
    number++;
    const text = bytes.subarray(from, end);
    const line = isUtf8(text) ? parseLine(text.toString()) : 'cut off';
    if (line === 'unknown') throw noLine(path, number);
    // An intent without a line end was never sent, so it's dropped. An outcome without one is kept, because its request was sent.
    isCutOff = line === 'cut off' || (line.kind === 'intent' && lineEnd === -1);
    if (line === 'cut off' || isCutOff) continue;
    assertOurs(path, line, server, number);
    lines.take(line);
    goodBytes = end;
    endsInLine = lineEnd !== -1;
  }
  if (state !== undefined) assertOfState(path, lines, state);
  return { lines, goodBytes, endsInLine };
}

function assertOurs(path: string, line: JournalLine, server: string | undefined, number: number): void {
  if (line.kind !== 'run') {
    if (number === 1) throw noLine(path, number);
    return;
  }
  if (line.version > JOURNAL_VERSION) throw fromNewerRelease(path, line.version, JOURNAL_VERSION);
  if (server === undefined || line.server === server) return;
  throw new PartnerError('STATE_UNUSABLE', {
    message: `${path} is from an unfinished apply to ${line.server}, not to ${server}`,
    hint: 'finish that apply first by running it again on its server, or use a separate state with --state',
  });
}

/** Refuses a journal of another state, because it would overwrite newer entries. */
function assertOfState(path: string, { states }: JournalContent, state: string): void {
  if (states.length === 0 || states.includes(state)) return;
  throw new PartnerError('STATE_UNUSABLE', {
    message: `${path} is from an unfinished apply with a different state than the current one`,
    hint: 'restore the state of that run. If the current state is newer, remove the journal and pass --rebuild, which creates no duplicates',
  });
}

function noLine(path: string, line: number): PartnerError {
  return createDamageError(path, {
    line,
    message: 'not a valid journal line',
    hint: 'the jobs it records may still exist on the server. Restore the file, or move it and rebuild the state with `partner jobs apply --rebuild`',
  });
}
