import { hash } from 'node:crypto';
import { isObject } from '../../contract/is-object.ts';
import { CONTENT_FIELDS } from '../../contract/job.ts';
import type { FieldPath } from '../../contract/problems.ts';
import { readJson } from '../../listings/read/json.ts';
import type { BulkState, StateEntry } from './state.ts';
import { type Damage, damaged, fromNewerRelease } from './state-directory.ts';

const STATE_VERSION = 1;

const RESTORE =
  'restore it from version control or a backup, or rebuild it with `partner jobs apply --rebuild`';

/** A state as its file holds it: one listing a line, by code unit, so that git merges two branches line by line. */
export function formatState(state: BulkState): string {
  const lines = [...state.listings]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, entry]) => `    ${JSON.stringify(key)}: ${JSON.stringify(inOrder(entry))}`);
  const listings = lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n  }`;
  return `{
  "version": ${STATE_VERSION},
  "server": ${JSON.stringify(state.server)},
  "idempotencyKeys": ${state.honoursIdempotencyKeys},
  "listings": ${listings}
}
`;
}

export function textDigest(text: string): string {
  return hash('sha256', text, 'base64url');
}

/** Of the states that were read: to format a large one again takes time and memory. */
const DIGESTS = new WeakMap<BulkState, string>();

/** What distinguishes one state from another, whatever its line ends, and from none. */
export function stateDigest(state: BulkState | undefined): string {
  return state === undefined ? 'none' : (DIGESTS.get(state) ?? textDigest(formatState(state)));
}

/** The digests are in the specification's order wherever they are made. */
function inOrder({ job, opportunityId, applied, answered, sent, closing }: StateEntry): StateEntry {
  return { job, opportunityId, applied, answered, sent, closing };
}

/** The state that a file's text holds. Throws STATE_UNUSABLE with line and column for anything but that. */
export function parseState(path: string, text: string): BulkState {
  const value = parsed(path, text);
  const version = isObject(value) ? value.version : undefined;
  if (Number.isSafeInteger(version) && Number(version) > STATE_VERSION) {
    throw fromNewerRelease(path, Number(version), STATE_VERSION);
  }
  const wrong = stateProblem(value);
  if (wrong !== undefined) throw damaged(path, located(text, wrong));
  const { server, idempotencyKeys, listings } = value as StateFile;
  const state: BulkState = {
    server,
    honoursIdempotencyKeys: idempotencyKeys,
    listings: new Map(Object.entries(listings)),
  };
  const formatted = formatState(state);
  DIGESTS.set(state, textDigest(formatted));
  // A text that is just as it was written cannot hold a name twice.
  if (formatted !== text) refuseRepeats(path, text);
  return state;
}

interface StateFile {
  readonly version: number;
  readonly server: string;
  readonly idempotencyKeys: boolean;
  readonly listings: Readonly<Record<string, StateEntry>>;
}

function parsed(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw damaged(path, conflictIn(text) ?? syntaxDamage(text));
  }
}

/** A merge's mark at the start of a line: no JSON has one there. */
function conflictIn(text: string): Damage | undefined {
  const mark = /^(?:<{7}|\|{7}|={7}|>{7})(?![<|=>])/m.exec(text);
  if (mark === null) return undefined;
  const line = text.slice(0, mark.index).split('\n').length;
  return {
    line,
    column: 1,
    message: `${mark[0]} is left from a merge conflict`,
    hint: 'resolve the merge: keep the lines of both sides where they are of different listings',
  };
}

function syntaxDamage(text: string): Damage {
  const reading = readJson(text);
  if (reading.ok) throw new Error('a text that is JSON for one reader and not for the other');
  const { line, column, message } = reading.fault;
  return { line, column, message, hint: RESTORE };
}

function refuseRepeats(path: string, text: string): void {
  const reading = readJson(text);
  const repeat = reading.ok && reading.document.flaws.find(({ rule }) => rule === 'json-repeated-field');
  if (!repeat) return;
  const name = JSON.stringify(repeat.path?.at(-1));
  const message = `${name} ${repeat.message}`;
  throw damaged(path, { line: repeat.line, column: repeat.column, message, hint: RESTORE });
}

/** What is wrong in a JSON value, and where. */
interface Problem {
  readonly path: FieldPath;
  readonly message: string;
}

function problem(message: string, ...path: string[]): Problem {
  return { path, message };
}

function located(text: string, { path, message }: Problem): Damage {
  const reading = readJson(text);
  const { line, column } = reading.ok ? reading.document.locate(path) : { line: 1, column: 1 };
  return { line, column, message, hint: RESTORE };
}

const FIELDS: Readonly<Record<keyof StateFile, readonly [(value: unknown) => boolean, wanted: string]>> = {
  version: [(value) => value === STATE_VERSION, `must be ${STATE_VERSION}`],
  server: [(value) => typeof value === 'string' && value !== '', "must be the API's root"],
  idempotencyKeys: [(value) => typeof value === 'boolean', 'must be true or false'],
  listings: [isObject, 'must be an object'],
};

function stateProblem(value: unknown): Problem | undefined {
  if (!isObject(value)) return problem('this is no state of `apply`');
  for (const [field, [isRight, wanted]] of Object.entries(FIELDS)) {
    if (!isRight(value[field])) return problem(`\`${field}\` ${wanted}`, field);
  }
  const unknown = Object.keys(value).find((field) => !Object.hasOwn(FIELDS, field));
  if (unknown !== undefined) return problem(`${JSON.stringify(unknown)} is no field of it`, unknown);
  const keyOf = new Map<number, string>();
  for (const [key, entry] of Object.entries(value.listings as Record<string, unknown>)) {
    const wrong = entryProblem(entry);
    if (wrong !== undefined) return { ...wrong, path: ['listings', key, ...wrong.path] };
    const { job } = entry as StateEntry;
    const other = JSON.stringify(keyOf.get(job));
    if (other !== undefined) {
      const message = `job ${job} is the job of ${other} already: a job belongs to one listing`;
      return problem(message, 'listings', key, 'job');
    }
    keyOf.set(job, key);
  }
  return undefined;
}

const ENTRY_FIELDS = new Set(['job', 'opportunityId', 'applied', 'answered', 'sent', 'closing']);
const DIGESTED = new Set<string>(CONTENT_FIELDS);

/** What keeps a value from being an entry of a state; undefined where nothing does. */
export function entryProblem(entry: unknown): Problem | undefined {
  if (!isObject(entry)) return problem('a listing must be an object');
  for (const field in entry) {
    if (!ENTRY_FIELDS.has(field)) return problem(`${JSON.stringify(field)} is no field of a listing`, field);
  }
  const { job, opportunityId = '', applied, answered = {}, sent = {}, closing = true } = entry;
  if (!Number.isSafeInteger(job)) return problem('`job` must be the id of a job', 'job');
  if (typeof opportunityId !== 'string') return problem('`opportunityId` must be a string', 'opportunityId');
  if (closing !== true) return problem('`closing` is true or not there', 'closing');
  return (
    digestsProblem('applied', applied) ?? digestsProblem('answered', answered) ?? digestsProblem('sent', sent)
  );
}

function digestsProblem(name: string, digests: unknown): Problem | undefined {
  if (!isObject(digests)) return problem(`\`${name}\` must be an object`, name);
  for (const field in digests) {
    if (!DIGESTED.has(field) || typeof digests[field] !== 'string')
      return problem(`${JSON.stringify(field)} is no digest of a listing's field`, name, field);
  }
  return undefined;
}
