import * as z from 'zod';
import { isObject } from '../../contract/is-object.ts';
import { Entry as entry } from './state.ts';

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
const Intent = z.object({
  kind: z.literal('intent'),
  ...ofIntent,
  at: whole,
  body: z.record(z.string(), z.unknown()),
  replaces: whole.optional(),
});

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

const Line = z.discriminatedUnion('kind', [Run, Intent, Outcome]);

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
