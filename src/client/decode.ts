import type * as z from 'zod';
import { clipFields, type ErrorCode, errorRow, isErrorCode, PartnerError } from '../contract/errors.ts';
import { type LocationSuggestion, LocationSuggestionSchema } from '../contract/job.ts';
import { OPERATIONS, type OperationName } from '../contract/operations.ts';
import { clipText } from '../contract/problems.ts';
import { attempt } from '../contract/system-errors.ts';
import { isObject } from '../contract/values.ts';
import type { Answer } from './exchange.ts';
import { dropMisfits, type ServerJob, serverJob } from './server-job.ts';
import statuses from './statuses.json' with { type: 'json' };

export type JobQuery = Readonly<z.input<typeof OPERATIONS.listJobs.query>>;

export type JobPage = ReturnType<typeof decodeJobPage>;

const CODE_OF_STATUS = statuses.codes as Readonly<Record<number, ErrorCode>>;

/** Without an error body, these statuses may come from something other than the API. */
const NEED_ENVELOPE: readonly number[] = [404, 405];

const EXTENSION_NAMES: Partial<Record<OperationName, string>> = {
  pauseJob: 'pausing jobs',
  resumeJob: 'resuming jobs',
  listJobs: 'listing jobs',
};

const EXCERPT_CHARACTERS = 160;

/** Returns the error of a response. Undefined for any 2xx (decision 6). */
export function readRefusal(answer: Answer, operation: OperationName): PartnerError | undefined {
  const { status } = answer;
  if ((status >= 200 && status < 300) || isElsewhere(answer)) return undefined;
  const envelope = parseErrorBody(answer);
  if (isNotOffered(operation, status, envelope !== undefined))
    return notOffered(operation, answer.url, status);
  const byStatus = status >= 500 ? 'SERVER_FAILED' : CODE_OF_STATUS[status];
  if (envelope === undefined) {
    if (byStatus === undefined || NEED_ENVELOPE.includes(status)) {
      return createDecodeError(answer, 'not a Partner API response');
    }
    const words = byStatus === 'SERVER_FAILED' ? 'the server failed' : errorRow(byStatus).message;
    return new PartnerError(byStatus, { status, message: `${words} (${describeAnswer(answer)})` });
  }
  // Without an ID in the path, a 404 means that the URL is wrong.
  if (status === 404 && !OPERATIONS[operation].path.includes('{id}')) {
    return new PartnerError('ANSWER_UNREADABLE', {
      status,
      message: `the server has no such URL: ${answer.method} ${answer.url}`,
      hint: 'check --base-url. It must end with the version, as in https://api.example.com/v1',
    });
  }
  const { code, message, fields } = envelope;
  // Codes without a status are only for clients, so a server must not cause them.
  const known = isErrorCode(code) && errorRow(code).status !== undefined ? code : undefined;
  return new PartnerError(known ?? byStatus ?? 'ANSWER_UNREADABLE', {
    status,
    message,
    fields,
    ...(known === undefined ? { serverCode: code } : {}),
  });
}

export function notOffered(operation: OperationName, url: string, status?: number): PartnerError {
  return new PartnerError('OPERATION_NOT_OFFERED', {
    status,
    message: `this server doesn't support ${EXTENSION_NAMES[operation] ?? operation} (${new URL(url).pathname})`,
    hint:
      status === undefined
        ? 'an earlier response showed this. Check again with `partner doctor --remote --write`'
        : 'nothing was changed. Ask the operator of the server for an alternative',
  });
}

/** A 405 always means that the route is missing. A 404 only means that without an error body, or for the job list. */
function isNotOffered(operation: OperationName, status: number, hasEnvelope: boolean): boolean {
  if (!OPERATIONS[operation].isExtension) return false;
  return status === 405 || (status === 404 && (!hasEnvelope || operation === 'listJobs'));
}

function isElsewhere(answer: Answer): boolean {
  return answer.status === 303 && answer.method === 'POST' && idOfLocation(answer) !== undefined;
}

function idOfLocation({ headers }: Answer): number | undefined {
  const id = Number(/(?:^|\/)jobs\/(\d+)\/?$/.exec(headers.get('location') ?? '')?.[1]);
  return Number.isSafeInteger(id) ? id : undefined;
}

function decodeJob(answer: Answer): ServerJob | undefined {
  if (answer.text.trim() === '' || isElsewhere(answer)) return undefined;
  return asJob(asObject(answer), answer);
}

/** A 202 means that the server has only accepted the change. */
export function decodeChanged(answer: Answer) {
  return { job: decodeJob(answer), isPending: answer.status === 202 };
}

export function decodeCreated(answer: Answer): ServerJob | number {
  const made = decodeJob(answer) ?? idOfLocation(answer);
  if (made === undefined) throw createDecodeError(answer, 'no job and no Location header');
  return made;
}

export function decodeFoundJob(answer: Answer): ServerJob {
  const job = decodeJob(answer);
  if (job === undefined) throw createDecodeError(answer, 'no job');
  return job;
}

export function decodeJobPage(answer: Answer) {
  const page = asObject(answer);
  const items = readItems(page, answer).map((item) => asJob(item, answer));
  return { items, nextCursor: typeof page.nextCursor === 'string' ? page.nextCursor : null };
}

export function matchesFilter(job: ServerJob, { status, opportunityId }: JobQuery): boolean {
  if (status !== undefined && (job.status ?? status) !== status) return false;
  return opportunityId === undefined || job.opportunityId === opportunityId;
}

export function decodePlaces(answer: Answer): LocationSuggestion[] {
  return readItems(asObject(answer), answer).map((item) => {
    const place = isObject(item) ? withNames(dropMisfits(LocationSuggestionSchema, item)) : item;
    if (!LocationSuggestionSchema.safeParse(place, { jitless: true }).success) {
      throw createDecodeError(answer, 'a place without an ID or a name');
    }
    return place as LocationSuggestion;
  });
}

function withNames(place: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { city, stateProvince = '', country } = place;
  const displayName = [city, stateProvince, country].filter((name) => name !== '').join(', ');
  return { displayName, ...place, stateProvince };
}

export function createDecodeError(answer: Answer, what: string): PartnerError {
  return new PartnerError('ANSWER_UNREADABLE', {
    status: answer.status,
    message: `unexpected response to ${answer.method} ${answer.url}: ${what} (${describeAnswer(answer)})`,
  });
}

function describeAnswer({ status, text, headers }: Answer): string {
  const excerpt = text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/ +/g, ' ')
    .trim();
  const shown = excerpt === '' ? 'empty' : `“${clipText(excerpt, EXCERPT_CHARACTERS)}”`;
  const type = headers.get('content-type')?.split(';')[0];
  return [`status ${status}`, type, shown].filter((part) => part !== undefined).join(', ');
}

/** Parses the error body (section 2.7). Only `code` is required. Ignores parts with an unexpected type. */
function parseErrorBody(answer: Answer) {
  const body = parseBody(answer);
  const error = isObject(body) ? body.error : undefined;
  if (!isObject(error) || typeof error.code !== 'string') return undefined;
  const { code, message, fields } = error;
  return {
    code,
    message: typeof message === 'string' && message !== '' ? message : undefined,
    fields: isObject(fields) ? clipFields(Object.entries(fields).map(toTextField), MAX_FIELDS) : undefined,
  };
}

const MAX_FIELDS = 100;

function toTextField([name, text]: readonly [string, unknown]): readonly [string, string] {
  return [name, typeof text === 'string' ? text : JSON.stringify(text)];
}

/** Deeper nesting would overflow the stack when printed. */
const MAX_LEVELS = 64;

function hasMoreLevels(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => hasMoreLevels(levels - 1, inner));
}

function parseBody({ headers, text }: Answer): unknown {
  if (/\bx?html\b/i.test(headers.get('content-type') ?? '')) return undefined;
  const body: unknown = attempt(() => JSON.parse(text));
  return hasMoreLevels(MAX_LEVELS, body) ? undefined : body;
}

export function isJson(answer: Answer): boolean {
  return parseBody(answer) !== undefined;
}

function asObject(answer: Answer): Record<string, unknown> {
  const body = parseBody(answer);
  if (!isObject(body)) throw createDecodeError(answer, 'not a JSON object');
  return body;
}

function readItems(page: Record<string, unknown>, answer: Answer): readonly unknown[] {
  if (!Array.isArray(page.items)) throw createDecodeError(answer, 'no list of `items`');
  return page.items;
}

function asJob(job: unknown, answer: Answer): ServerJob {
  if (!isObject(job) || !Number.isSafeInteger(job.id)) throw createDecodeError(answer, 'a job without an ID');
  return serverJob(job as { id: number });
}
