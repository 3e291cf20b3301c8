import * as z from 'zod';
import { isObject } from '../../contract/values.ts';
import { type BulkState, Entry as entry, type Intent, SentCreate, type StateEntry } from './state.ts';

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
  /** All of it so far is about to be written into the state, which has this `stateDigest` then. */
  z.object({ kind: z.literal('folded'), state: text }),
]);

const Line = z.discriminatedUnion('kind', [Run, IntentLine, Outcome]);

export type RunLine = z.infer<typeof Run>;
export type OutcomeLine = z.infer<typeof Outcome>;
export type JournalLine = z.infer<typeof Line>;

/** The line that a text holds; otherwise whether it was cut off (no JSON), or is other JSON. */
export function parseLine(text: string): JournalLine | 'cut off' | 'unknown' {
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
export class JournalLines {
  readonly changes: StateChange[] = [];
  readonly pending = new Map<string, Intent>();
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
export function folded(state: BulkState, { changes, honours }: JournalContent): BulkState {
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
  return { ...state, honoursIdempotencyKeys: state.honoursIdempotencyKeys || honours, listings };
}
