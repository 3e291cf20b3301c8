import { hash } from 'node:crypto';
import * as z from 'zod';
import { PartnerError } from '../../contract/errors.ts';
import { CONTENT_FIELDS } from '../../contract/job.ts';
import { attempt } from '../../contract/system-errors.ts';
import { isObject, pickFields } from '../../contract/values.ts';
import type { Fault } from '../../listings/check/finding.ts';
import { readJson } from '../../listings/read/json.ts';
import { formatEntries } from '../../text/outside-text.ts';

const Digests = z.partialRecord(z.enum(CONTENT_FIELDS), z.string());

export type FieldDigests = Readonly<z.infer<typeof Digests>>;

export const Entry = z.strictObject({
  job: z.int(),
  key: z.string().optional(),
  opportunityId: z.string().optional(),
  applied: Digests,
  answered: Digests.optional(),
  sent: Digests.optional(),
  closing: z.literal(true).optional(),
  /** True if an earlier apply didn't find the listing. A new listing may use its path. */
  gone: z.literal(true).optional(),
  /** Digest of the listing that `--adopt` linked to the job. Used until a change to the listing is applied. */
  adopted: z.string().optional(),
});

export type StateEntry = Readonly<z.infer<typeof Entry>>;

/** The job of each listing, stored between runs so that `apply` updates it instead of creating another one. */
export interface BulkState {
  /** Random, created with the state. Idempotency keys are derived from it (decision 38). */
  readonly id?: string | undefined;
  readonly server: string;
  /** True after the server has shown that it honors `Idempotency-Key` (decision 27). */
  readonly honoursIdempotencyKeys: boolean;
  /** Number of former jobs per `createName`, because their idempotency keys can't be used again. */
  readonly creates?: ReadonlyMap<string, number> | undefined;
  readonly ignored?: readonly number[] | undefined;
  readonly listings: ReadonlyMap<string, StateEntry>;
}

export function emptyState(server: string): BulkState {
  return { server, honoursIdempotencyKeys: false, listings: new Map() };
}

export function listKnownJobs({ listings, ignored = [] }: BulkState): ReadonlySet<number> {
  return new Set([...Array.from(listings.values(), ({ job }) => job), ...ignored]);
}

export const SentCreate = z.object({
  key: z.string(),
  idempotencyKey: z.string(),
  at: z.int(),
  body: z.record(z.string(), z.unknown()),
  replaces: z.int().optional(),
  name: z.string().optional(),
});

/** `keyDigest` comes from the run that recorded the create. Undefined if an earlier release recorded it. */
export type Intent = Readonly<z.infer<typeof SentCreate> & { keyDigest?: string | undefined }>;

const STATE_VERSION = 1;

const RESTORE =
  'restore it from version control or a backup, or rebuild it with `partner jobs apply --rebuild`';

/** Formats a state with one sorted line per listing, so that git can merge two branches. */
export function formatState({ id, server, honoursIdempotencyKeys, ...more }: BulkState): string {
  const { ignored, creates, listings } = more;
  const fields = { version: STATE_VERSION, id, server, idempotencyKeys: honoursIdempotencyKeys, ignored };
  const lines = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : `"${name}": ${JSON.stringify(value)}`,
  );
  if (creates !== undefined) lines.push(`"creates": ${formatEntries(creates, String)}`);
  const formatEntry = (entry: StateEntry) => JSON.stringify(pickFields(entry, ENTRY_FIELDS));
  lines.push(`"listings": ${formatEntries(listings, formatEntry)}`);
  return `{\n  ${lines.join(',\n  ')}\n}\n`;
}

export function textDigest(text: string): string {
  return hash('sha256', text, 'base64url');
}

/** Caches digests, because formatting a large state takes time and memory. */
const DIGESTS = new WeakMap<BulkState, string>();

export function stateDigest(state: BulkState | undefined): string {
  return state === undefined ? 'none' : (DIGESTS.get(state) ?? textDigest(formatState(state)));
}

const ENTRY_FIELDS = Entry.keyof().options;

/** Parses a state file. Throws STATE_UNUSABLE with line and column. */
export function parseState(path: string, text: string): BulkState {
  const value = parseJson(path, text);
  const version = isObject(value) ? value.version : undefined;
  if (Number.isSafeInteger(version) && Number(version) > STATE_VERSION) {
    throw fromNewerRelease(path, Number(version), STATE_VERSION);
  }
  const { version: _, idempotencyKeys: honoursIdempotencyKeys, ...more } = checkState(path, text, value);
  const state: BulkState = { ...more, honoursIdempotencyKeys };
  const formatted = formatState(state);
  DIGESTS.set(state, textDigest(formatted));
  // Text that is identical to the formatted state can't contain a duplicate name.
  if (formatted !== text) refuseRepeats(path, text);
  return state;
}

function parseJson(path: string, text: string): unknown {
  const value: unknown = attempt(() => JSON.parse(text));
  if (value !== undefined) return value;
  const reading = readJson(text);
  if (reading.ok) throw new Error('only one of the two JSON parsers accepts this text');
  throw createDamageError(path, findMergeConflict(text) ?? { ...reading.fault, hint: RESTORE });
}

function findMergeConflict(text: string): Damage | undefined {
  const mark = /^(?:<{7}|\|{7}|={7}|>{7})(?![<|=>])/m.exec(text);
  if (mark === null) return undefined;
  const line = text.slice(0, mark.index).split('\n').length;
  return {
    line,
    column: 1,
    message: `unresolved merge conflict: ${mark[0]}`,
    hint: "resolve the conflict. Keep both sides' lines if they're for different listings",
  };
}

function refuseRepeats(path: string, text: string): void {
  const reading = readJson(text);
  const repeat = reading.ok && reading.document.flaws.find(({ rule }) => rule === 'json-repeated-field');
  if (!repeat) return;
  const name = JSON.stringify(repeat.path?.at(-1));
  const message = `${name} ${repeat.message}`;
  throw createDamageError(path, { line: repeat.line, column: repeat.column, message, hint: RESTORE });
}

/** Listings are checked as a map, because zod would drop a listing with the key `__proto__`. */
const StateFile = z.strictObject({
  version: z.literal(STATE_VERSION, `must be ${STATE_VERSION}`),
  id: z.string().min(1).optional(),
  server: z.string().min(1),
  idempotencyKeys: z.boolean(),
  ignored: z.array(z.int()).optional(),
  creates: z
    .record(z.string(), z.int())
    .transform((counts) => new Map(Object.entries(counts)))
    .optional(),
  listings: z.preprocess(
    (value) => (isObject(value) ? new Map(Object.entries(value)) : value),
    z.map(z.string(), Entry, 'must be an object'),
  ),
});

function checkState(path: string, text: string, value: unknown): z.infer<typeof StateFile> {
  const createStateError = (at: readonly string[], message: string): PartnerError => {
    const reading = readJson(text);
    const { line, column } = reading.ok ? reading.document.locate(at) : { line: 1, column: 1 };
    return createDamageError(path, { line, column, message, hint: RESTORE });
  };
  if (!isObject(value)) throw createStateError([], 'not a state file of `apply`');
  const { success, data: state, error } = StateFile.safeParse(value);
  if (!success) {
    const { issues } = error;
    const [issue] = issues.filter(({ code }) => code === 'unrecognized_keys').concat(issues);
    const at = (issue?.path ?? []).map(String);
    const [unknown] = issue?.code === 'unrecognized_keys' ? issue.keys : [];
    if (unknown === undefined) throw createStateError(at, `\`${at.at(-1)}\` ${issue?.message}`);
    throw createStateError([...at, unknown], `unknown field ${JSON.stringify(unknown)}`);
  }
  const keyOf = new Map<number, string>();
  for (const [key, { job }] of state.listings) {
    const other = JSON.stringify(keyOf.get(job));
    if (other !== undefined) {
      const message = `job ${job} is already linked to ${other}, but a job can belong to only one listing`;
      throw createStateError(['listings', key, 'job'], message);
    }
    keyOf.set(job, key);
  }
  return state;
}

type Damage = Pick<Fault, 'line' | 'message' | 'hint'> & Partial<Pick<Fault, 'column'>>;

export function createDamageError(path: string, { line, column, message, hint }: Damage): PartnerError {
  const at = column === undefined ? `line ${line}` : `line ${line}, column ${column}`;
  return new PartnerError('STATE_UNUSABLE', { message: `${path}, ${at}: ${message}`, hint });
}

export function fromNewerRelease(path: string, version: number, known: number): PartnerError {
  return new PartnerError('STATE_UNUSABLE', {
    message: `${path} was written by a newer release: it has version ${version}, but this release supports up to ${known}`,
    hint: 'upgrade partner. The file was not changed',
  });
}
