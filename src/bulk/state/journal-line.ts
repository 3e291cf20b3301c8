import { isObject } from '../../contract/is-object.ts';
import type { Intent, StateEntry } from './state.ts';
import { entryProblem } from './state-text.ts';

export const JOURNAL_VERSION = 1;

interface OfKey {
  readonly key: string;
}

interface OfIntent extends OfKey {
  readonly idempotencyKey: string;
}

/** A run has begun to write; a run that goes on with the journal of a killed one says so again. */
export interface RunLine {
  readonly kind: 'run';
  readonly version: typeof JOURNAL_VERSION;
  readonly runId: string;
  readonly at: number;
  readonly server: string;
  readonly host: string;
  readonly pid: number;
  /** `stateDigest` of the state that it began with: what the lines that follow add to. */
  readonly state?: string | undefined;
  /** Of the API key that the intents which follow are sent with: another company's server knows nothing of them. */
  readonly keyDigest?: string | undefined;
}

/** A create that is about to be sent, with the key of the run before it. */
export type IntentLine = { readonly kind: 'intent' } & Omit<Intent, 'keyDigest'>;

/** A listing that is remembered under another key than `was`. */
export interface Move {
  readonly key: string;
  readonly was: string;
  readonly entry: StateEntry;
}

export type OutcomeLine =
  /** The intent became a job, by an answer or by `--adopt`. */
  | (OfIntent & {
      readonly kind: 'made';
      readonly job: number;
      readonly entry: StateEntry;
      readonly published?: boolean | undefined;
    })
  /** The server has refused the intent: there is no job of it. `code` is the error's. */
  | (OfIntent & { readonly kind: 'refused'; readonly code: string })
  /** The intent is given up: it is sent again as another one. */
  | (OfIntent & { readonly kind: 'resent' })
  | (OfKey & { readonly kind: 'entry'; readonly entry: StateEntry })
  /** Listings have other keys from now on: all of them in one line, as some may have changed places. */
  | { readonly kind: 'moves'; readonly moves: readonly Move[] }
  /** The listing is no longer remembered; with `job`, only where it is still that job's. */
  | (OfKey & { readonly kind: 'forget'; readonly job?: number | undefined })
  | { readonly kind: 'honours' }
  /** All of it so far is about to be written into the state, which has this `stateDigest` then. */
  | { readonly kind: 'folded'; readonly state: string };

export type JournalLine = RunLine | IntentLine | OutcomeLine;

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isNumber: Check = Number.isSafeInteger;
const isEntry: Check = (value) => entryProblem(value) === undefined;
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);

const OF_INTENT = { key: isText, idempotencyKey: isText };

const isMoves: Check = (value) =>
  Array.isArray(value) &&
  value.every((move) => isObject(move) && isText(move.key) && isText(move.was) && isEntry(move.entry));

const LINES: Readonly<Record<JournalLine['kind'], Readonly<Record<string, Check>>>> = {
  run: {
    version: isNumber,
    runId: isText,
    at: isNumber,
    server: isText,
    host: isText,
    pid: isNumber,
    state: optional(isText),
    keyDigest: optional(isText),
  },
  intent: { ...OF_INTENT, at: isNumber, body: isObject, replaces: optional(isNumber) },
  made: { ...OF_INTENT, job: isNumber, entry: isEntry },
  refused: { ...OF_INTENT, code: isText },
  resent: OF_INTENT,
  entry: { key: isText, entry: isEntry },
  moves: { moves: isMoves },
  forget: { key: isText, job: optional(isNumber) },
  honours: {},
  folded: { state: isText },
};

/** The line that a text holds; otherwise whether it was cut off (no JSON), or is JSON of nobody's. */
export function parseLine(text: string): JournalLine | 'cut off' | 'unknown' {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'cut off';
  }
  return isLine(value) ? value : 'unknown';
}

function isLine(value: unknown): value is JournalLine {
  if (!isObject(value) || typeof value.kind !== 'string' || !Object.hasOwn(LINES, value.kind)) return false;
  // Of a newer release no more is known than that.
  if (value.kind === 'run' && Number(value.version) > JOURNAL_VERSION) return true;
  const checks = Object.entries(LINES[value.kind as JournalLine['kind']]);
  return checks.every(([field, isRight]) => isRight(value[field]));
}
