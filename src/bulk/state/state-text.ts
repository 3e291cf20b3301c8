import { hash } from 'node:crypto';
import * as z from 'zod';
import type { PartnerError } from '../../contract/errors.ts';
import { isObject } from '../../contract/values.ts';
import { readJson } from '../../listings/read/json.ts';
import { type BulkState, Entry, type StateEntry } from './state.ts';
import { type Damage, damaged, fromNewerRelease } from './state-directory.ts';

const STATE_VERSION = 1;

const RESTORE =
  'restore it from version control or a backup, or rebuild it with `partner jobs apply --rebuild`';

/** A state as its file holds it: one listing a line, by code unit, so that git merges two branches line by line. */
export function formatState({ id, server, honoursIdempotencyKeys, ...more }: BulkState): string {
  const { ignored, creates, listings } = more;
  const fields = { version: STATE_VERSION, id, server, idempotencyKeys: honoursIdempotencyKeys, ignored };
  const lines = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : `"${name}": ${JSON.stringify(value)}`,
  );
  if (creates !== undefined) lines.push(`"creates": ${linesOf(creates, String)}`);
  lines.push(`"listings": ${linesOf(listings, (entry) => JSON.stringify(inOrder(entry)))}`);
  return `{\n  ${lines.join(',\n  ')}\n}\n`;
}

function linesOf<Value>(values: ReadonlyMap<string, Value>, textOf: (value: Value) => string): string {
  const lines = [...values]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `    ${JSON.stringify(key)}: ${textOf(value)}`);
  return lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n  }`;
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
function inOrder({
  job,
  key,
  opportunityId,
  applied,
  answered,
  sent,
  closing,
  gone,
  adopted,
}: StateEntry): StateEntry {
  return { job, key, opportunityId, applied, answered, sent, closing, gone, adopted };
}

/** The state that a file's text holds. Throws STATE_UNUSABLE with line and column for anything but that. */
export function parseState(path: string, text: string): BulkState {
  const value = parsed(path, text);
  const version = isObject(value) ? value.version : undefined;
  if (Number.isSafeInteger(version) && Number(version) > STATE_VERSION) {
    throw fromNewerRelease(path, Number(version), STATE_VERSION);
  }
  const { id, server, idempotencyKeys, creates, ignored, listings } = stateIn(path, text, value);
  const state: BulkState = {
    ...(id && { id }),
    server,
    honoursIdempotencyKeys: idempotencyKeys,
    ...(creates && { creates: new Map(Object.entries(creates)) }),
    ...(ignored && { ignored }),
    listings: new Map(Object.entries(listings)),
  };
  const formatted = formatState(state);
  DIGESTS.set(state, textDigest(formatted));
  // A text that is just as it was written cannot hold a name twice.
  if (formatted !== text) refuseRepeats(path, text);
  return state;
}

function parsed(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const reading = readJson(text);
    if (reading.ok) throw new Error('a text that is JSON for one reader and not for the other');
    throw damaged(path, conflictIn(text) ?? { ...reading.fault, hint: RESTORE });
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

function refuseRepeats(path: string, text: string): void {
  const reading = readJson(text);
  const repeat = reading.ok && reading.document.flaws.find(({ rule }) => rule === 'json-repeated-field');
  if (!repeat) return;
  const name = JSON.stringify(repeat.path?.at(-1));
  const message = `${name} ${repeat.message}`;
  throw damaged(path, { line: repeat.line, column: repeat.column, message, hint: RESTORE });
}

/** Its entries are checked one by one: an object that zod copies loses a listing with the key `__proto__`. */
const StateFile = z.strictObject({
  version: z.literal(STATE_VERSION, `must be ${STATE_VERSION}`),
  id: z.string().min(1).optional(),
  server: z.string().min(1),
  idempotencyKeys: z.boolean(),
  ignored: z.array(z.int()).optional(),
  creates: z.record(z.string(), z.int()).optional(),
  listings: z.custom<Readonly<Record<string, StateEntry>>>(isObject, 'must be an object'),
});

type JsonPath = readonly string[];

function stateIn(path: string, text: string, value: unknown): z.infer<typeof StateFile> {
  const refused = (at: JsonPath, message: string): PartnerError => {
    const reading = readJson(text);
    const { line, column } = reading.ok ? reading.document.locate(at) : { line: 1, column: 1 };
    return damaged(path, { line, column, message, hint: RESTORE });
  };
  const checked = <T>(schema: z.ZodType<T>, part: unknown, at: JsonPath): T => {
    const { success, data, error } = schema.safeParse(part);
    if (success) return data;
    const { issues } = error;
    const [issue] = issues.filter(({ code }) => code === 'unrecognized_keys').concat(issues);
    const inside = [...at, ...(issue?.path ?? []).map(String)];
    const [unknown] = issue?.code === 'unrecognized_keys' ? issue.keys : [];
    if (unknown !== undefined)
      throw refused([...inside, unknown], `${JSON.stringify(unknown)} is no field of it`);
    throw refused(inside, `\`${inside.at(-1)}\` ${issue?.message}`);
  };
  if (!isObject(value)) throw refused([], 'this is no state of `apply`');
  const state = checked(StateFile, value, []);
  const keyOf = new Map<number, string>();
  for (const [key, each] of Object.entries(state.listings)) {
    const { job } = checked(Entry, each, ['listings', key]);
    const other = JSON.stringify(keyOf.get(job));
    if (other !== undefined) {
      const message = `job ${job} is the job of ${other} already: a job belongs to one listing`;
      throw refused(['listings', key, 'job'], message);
    }
    keyOf.set(job, key);
  }
  return state;
}
