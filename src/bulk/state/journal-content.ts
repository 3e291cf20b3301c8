import { isUtf8 } from 'node:buffer';
import * as z from 'zod';
import { PartnerError } from '../../contract/errors.ts';
import { isObject } from '../../contract/values.ts';
import { readOwnFile } from '../../files/own-file.ts';
import { createName } from '../plan/desired-listing.ts';
import { type BulkState, Entry as entry, type Intent, SentCreate, type StateEntry } from './state.ts';
import { damaged, fromNewerRelease, notPossible } from './state-directory.ts';
import { journalPath } from './state-file.ts';

export const JOURNAL_VERSION = 1;

const text = z.string();
const whole = z.int();
const ofIntent = { key: text, idempotencyKey: text };

/** A run has begun to write; a run that goes on with the journal of a killed one says so again. */
const Run = z.object({
  kind: z.literal('run'),
  version: whole,
  runId: text,
  at: whole,
  server: text,
  host: text,
  pid: whole,
  /** `stateDigest` of the state that it began with: what the lines that follow add to. */
  state: text.optional(),
  /** Of the API key that the intents which follow are sent with: another company's server knows nothing of them. */
  keyDigest: text.optional(),
});

/** A create that is about to be sent, with the key of the run before it. */
const IntentLine = z.object({ kind: z.literal('intent'), ...SentCreate.shape });

const Outcome = z.discriminatedUnion('kind', [
  /** The intent became a job, by an answer or by `--adopt`. */
  z.object({ kind: z.literal('made'), ...ofIntent, job: whole, entry }),
  z.object({ kind: z.literal('refused'), ...ofIntent, code: text }),
  /** The intent is given up: it is sent again as another one. */
  z.object({ kind: z.literal('resent'), ...ofIntent }),
  z.object({ kind: z.literal('entry'), key: text, entry }),
  /** All moves of a run in one line, as some listings may have changed places. */
  z.object({ kind: z.literal('moves'), moves: z.array(z.object({ key: text, was: text, entry })) }),
  /** With `job`, only where the listing is still that job's. */
  z.object({ kind: z.literal('forget'), key: text, job: whole.optional() }),
  z.object({ kind: z.literal('honours') }),
  z.object({ kind: z.literal('ignore'), job: whole }),
  /** All of it so far is about to be written into the state, which has this `stateDigest` then. */
  z.object({ kind: z.literal('folded'), state: text }),
]);

const Line = z.discriminatedUnion('kind', [Run, IntentLine, Outcome]);

export type RunLine = z.infer<typeof Run>;
export type OutcomeLine = z.infer<typeof Outcome>;
export type JournalLine = z.infer<typeof Line>;

/** The line that a text holds; otherwise whether it was cut off (no JSON), or is other JSON. */
function parseLine(text: string): JournalLine | 'cut off' | 'unknown' {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'cut off';
  }
  // Of a newer release no more is known than that.
  if (isObject(value) && value.kind === 'run' && Number(value.version) > JOURNAL_VERSION)
    return value as JournalLine;
  const line = Line.safeParse(value);
  return line.success ? line.data : 'unknown';
}

type StateChange = Extract<OutcomeLine, { kind: 'made' | 'entry' | 'moves' | 'forget' }>;

export type JournalContent = Omit<JournalLines, 'take'>;

/** Takes a journal's lines one by one; of an intent it keeps the body only until its outcome is known. */
class JournalLines {
  readonly changes: StateChange[] = [];
  readonly pending = new Map<string, Intent>();
  readonly ignored = new Set<number>();
  honours = false;
  /** When the first of its runs began, in epoch ms; undefined where none has. */
  startedAt: number | undefined;
  /** The `stateDigest` of each state that it may lie beside: as the last run found it and, from then on, left it. */
  states: readonly string[] = [];
  #keyDigest: string | undefined;

  take(line: JournalLine): void {
    // An outcome of an intent that another has taken the place of says nothing of that one.
    if ('idempotencyKey' in line && this.pending.get(line.key)?.idempotencyKey === line.idempotencyKey)
      this.pending.delete(line.key);
    switch (line.kind) {
      case 'run':
        this.startedAt ??= line.at;
        this.#keyDigest = line.keyDigest;
        this.states = line.state === undefined ? [] : [line.state];
        break;
      case 'intent': {
        const { kind: _, ...intent } = line;
        const keyDigest = this.#keyDigest;
        this.pending.set(intent.key, keyDigest === undefined ? intent : { ...intent, keyDigest });
        break;
      }
      case 'honours':
        this.honours = true;
        break;
      case 'ignore':
        this.ignored.add(line.job);
        break;
      case 'folded':
        this.states = [...this.states, line.state];
        break;
      case 'made':
      case 'entry':
      case 'moves':
      case 'forget':
        this.changes.push(line);
    }
  }
}

/** Folding the same journal in again changes nothing. A job belongs to one listing: who claims it last has it. */
export function folded(state: BulkState, { changes, honours, ignored: jobs }: JournalContent): BulkState {
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
      // All leave their old keys before any takes its new one: some may have changed places.
      for (const { was, entry } of change.moves) forget(was, entry.job);
      for (const { key, entry } of change.moves) remember(key, entry);
    } else remember(change.key, change.entry);
  }
  const ignored = [...new Set([...(state.ignored ?? []), ...jobs])].sort((a, b) => a - b);
  const creates = changes.length === 0 ? state.creates : createsAfter(state, listings);
  return {
    ...state,
    honoursIdempotencyKeys: state.honoursIdempotencyKeys || honours,
    ...(creates?.size && { creates }),
    ...(ignored.length > 0 && { ignored }),
    listings,
  };
}

/** One more for each job that is no longer the one of its listing: the next create needs a new idempotency key. */
function createsAfter(before: BulkState, listings: BulkState['listings']): ReadonlyMap<string, number> {
  const nameOf = (key: string, { key: name, opportunityId, applied }: StateEntry) =>
    createName(key, { name, opportunityId }, applied);
  const kept = new Set(Array.from(listings, ([key, entry]) => `${entry.job} ${nameOf(key, entry)}`));
  const creates = new Map(before.creates);
  for (const [key, entry] of before.listings) {
    const name = nameOf(key, entry);
    if (!kept.has(`${entry.job} ${name}`)) creates.set(name, (creates.get(name) ?? 0) + 1);
  }
  return creates;
}

const LF = 0x0a;

/**
 * What a killed run has left. A last line that was cut off is passed over: nothing was sent because of it. Throws
 * STATE_UNUSABLE for damage elsewhere, for a journal of another server and for one of another `state` (a digest).
 */
export function readJournal(statePath: string, server: string, state?: string): JournalContent | undefined {
  const path = journalPath(statePath);
  return journalIn(path, readJournalFile(path), server, state);
}

/** As `readJournal`, of the `bytes` that `path` has. */
export function journalIn(path: string, bytes: Buffer | undefined, server: string, state?: string) {
  const { lines } = scanJournal(path, bytes, server, state);
  return lines.startedAt === undefined ? undefined : lines;
}

/** `goodBytes` of the file are to be kept; undefined where there is none. Throws as `readJournal`. */
export function scanJournal(path: string, bytes: Buffer | undefined, server: string, state?: string) {
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
    // An intent without its line end was not sent. An outcome without it has come to pass.
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

export function readJournalFile(path: string): Buffer | undefined {
  try {
    return readOwnFile(path);
  } catch (error) {
    throw notPossible('read', path, error);
  }
}

function assertOurs(path: string, line: JournalLine, server: string, number: number): void {
  if (line.kind !== 'run') {
    if (number === 1) throw noLine(path, number);
    return;
  }
  if (line.version > JOURNAL_VERSION) throw fromNewerRelease(path, line.version, JOURNAL_VERSION);
  if (line.server === server) return;
  throw new PartnerError('STATE_UNUSABLE', {
    message: `${path} was left by an apply to ${line.server}, not to ${server}`,
    hint: 'finish that one first: run it again against its own server, or keep two states apart with --state',
  });
}

/** What a journal says is true of the state it was written beside: folded into a newer one, it takes jobs from it. */
function assertOfState(path: string, { states }: JournalContent, state: string): void {
  if (states.length === 0 || states.includes(state)) return;
  throw new PartnerError('STATE_UNUSABLE', {
    message: `${path} was left by an apply that worked with another state than the one that is there now`,
    hint: 'put back the state of that time; or, where the state is the newer of the two, remove the journal and run it with --rebuild, which makes nothing twice',
  });
}

function noLine(path: string, line: number): PartnerError {
  return damaged(path, {
    line,
    message: 'this is no line of a journal',
    hint: 'the jobs it speaks of may exist: restore the file, or move it away and rebuild the state with `partner jobs apply --rebuild`',
  });
}
