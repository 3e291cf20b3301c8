import { type ErrorCode, errorRow, isErrorCode, PartnerError } from '../contract/errors.ts';
import { type LocationSuggestion, LocationSuggestionSchema } from '../contract/job.ts';
import { OPERATIONS, type OperationName } from '../contract/operations.ts';
import { clipped } from '../contract/problems.ts';
import { isObject } from '../contract/values.ts';
import type { Answer } from './exchange.ts';
import { fittingObject, type ServerJob, serverJob } from './server-job.ts';

export interface JobPage {
  readonly items: readonly ServerJob[];
  readonly nextCursor: string | null;
}

const CODE_OF_STATUS: Readonly<Record<number, ErrorCode>> = {
  401: 'INVALID_SERVICE_KEY',
  402: 'PAYMENT_METHOD_REQUIRED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  409: 'INVALID_TRANSITION',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  422: 'VALIDATION_FAILED',
  429: 'RATE_LIMITED',
};

/** Without the error body these say only that something else than the API answers at this address. */
const NEED_ENVELOPE: readonly number[] = [404, 405];

const EXTENSION_NAMES: Partial<Record<OperationName, string>> = {
  pauseJob: 'pause',
  resumeJob: 'resume',
  listJobs: 'list of jobs',
};

const EXCERPT_CHARACTERS = 160;

/** The error that an answer carries; undefined where it is a success, which any 2xx is (decision 6). */
export function refusal(answer: Answer, operation: OperationName): PartnerError | undefined {
  const { status } = answer;
  if ((status >= 200 && status < 300) || isElsewhere(answer)) return undefined;
  const envelope = envelopeOf(answer);
  if (isNotOffered(operation, status, envelope !== undefined))
    return notOffered(operation, answer.url, status);
  const byStatus = status >= 500 ? 'SERVER_FAILED' : CODE_OF_STATUS[status];
  if (envelope === undefined) {
    if (byStatus === undefined || NEED_ENVELOPE.includes(status)) {
      return unreadable(answer, 'what is no answer of this API');
    }
    const words = byStatus === 'SERVER_FAILED' ? 'the server failed' : errorRow(byStatus).message;
    return new PartnerError(byStatus, { status, message: `${words} (${excerptOf(answer)})` });
  }
  // The address itself is unknown, as no id was named.
  if (status === 404 && !OPERATIONS[operation].path.includes('{id}')) {
    return new PartnerError('ANSWER_UNREADABLE', {
      status,
      message: `there is no such address on this server: ${answer.method} ${answer.url}`,
      hint: 'check --base-url: it ends with the version, as in https://api.example.com/v1',
    });
  }
  const { code, message, fields } = envelope;
  // A code without a status is a client's own: no server makes us say "interrupted".
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
    message: `this server offers no ${EXTENSION_NAMES[operation] ?? operation} at ${new URL(url).pathname}`,
    hint:
      status === undefined
        ? 'that is known from earlier; `partner doctor --remote --write` looks again'
        : 'nothing was changed; the operator of the server knows whether it can be done elsewhere',
  });
}

/** A 405 says so in any form, a 404 unless it is the contract's own, and a list has no id that could be unknown. */
function isNotOffered(operation: OperationName, status: number, hasEnvelope: boolean): boolean {
  if (!OPERATIONS[operation].isExtension) return false;
  return status === 405 || (status === 404 && (!hasEnvelope || operation === 'listJobs'));
}

/** A 303 to a POST that names a job: the work is done, and its result is there. */
function isElsewhere(answer: Answer): boolean {
  return answer.status === 303 && answer.method === 'POST' && idOfLocation(answer) !== undefined;
}

function idOfLocation({ headers }: Answer): number | undefined {
  const id = Number(/(?:^|\/)jobs\/(\d+)\/?$/.exec(headers.get('location') ?? '')?.[1]);
  return Number.isSafeInteger(id) ? id : undefined;
}

/** The job of an answer; undefined where it is empty or only says where the job is. Throws ANSWER_UNREADABLE. */
function decodeJob(answer: Answer): ServerJob | undefined {
  if (answer.text.trim() === '' || isElsewhere(answer)) return undefined;
  return asJob(asObject(answer), answer);
}

/** The job in the response to a change, if any. A 202 only accepts the change. */
export function decodeChanged(answer: Answer) {
  return { job: decodeJob(answer), isPending: answer.status === 202 };
}

export function decodeCreated(answer: Answer): ServerJob | number {
  const made = decodeJob(answer) ?? idOfLocation(answer);
  if (made === undefined) throw unreadable(answer, 'neither a job nor a Location');
  return made;
}

export function decodeFoundJob(answer: Answer): ServerJob {
  const job = decodeJob(answer);
  if (job === undefined) throw unreadable(answer, 'nothing');
  return job;
}

export function decodeJobPage(answer: Answer): JobPage {
  const page = asObject(answer);
  const items = itemsOf(page, answer).map((item) => asJob(item, answer));
  return { items, nextCursor: typeof page.nextCursor === 'string' ? page.nextCursor : null };
}

export function decodePlaces(answer: Answer): LocationSuggestion[] {
  return itemsOf(asObject(answer), answer).map((item) => {
    const place = isObject(item) ? withNames(fittingObject(LocationSuggestionSchema, item)) : item;
    if (!LocationSuggestionSchema.safeParse(place, { jitless: true }).success) {
      throw unreadable(answer, 'a place that lacks its id or one of its names');
    }
    return place as LocationSuggestion;
  });
}

function withNames(place: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { city, stateProvince = '', country } = place;
  const displayName = [city, stateProvince, country].filter((name) => name !== '').join(', ');
  return { displayName, ...place, stateProvince };
}

export function unreadable(answer: Answer, what: string): PartnerError {
  return new PartnerError('ANSWER_UNREADABLE', {
    status: answer.status,
    message: `${answer.method} ${answer.url} answered with ${what}: ${excerptOf(answer)}`,
  });
}

function excerptOf({ status, text, headers }: Answer): string {
  const excerpt = text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/ +/g, ' ')
    .trim();
  const shown = excerpt === '' ? 'empty' : `“${clipped(excerpt, EXCERPT_CHARACTERS)}”`;
  const type = headers.get('content-type')?.split(';')[0];
  return [`status ${status}`, type, shown].filter((part) => part !== undefined).join(', ');
}

/** The error body (2.7); a message or fields of another type are left out, the code must be there. */
function envelopeOf(answer: Answer) {
  const body = jsonOf(answer);
  const error = isObject(body) ? body.error : undefined;
  if (!isObject(error) || typeof error.code !== 'string') return undefined;
  const { code, message, fields } = error;
  return {
    code,
    message: typeof message === 'string' && message !== '' ? message : undefined,
    fields: isObject(fields) ? textFields(fields) : undefined,
  };
}

const MAX_FIELDS = 100;

/** Nobody reads more than a hundred of them. */
function textFields(fields: Record<string, unknown>): Record<string, string> {
  const all = Object.entries(fields);
  const shown = all
    .slice(0, MAX_FIELDS)
    .map(([name, text]) => [name, typeof text === 'string' ? text : JSON.stringify(text)]);
  const more = all.length > MAX_FIELDS ? [['…', `and ${all.length - MAX_FIELDS} more`]] : [];
  return Object.fromEntries([...shown, ...more]);
}

/** What is nested much deeper overflows the stack where it is shown. */
const MAX_LEVELS = 64;

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(levels - 1, inner));
}

function jsonOf({ headers, text }: Answer): unknown {
  if (/\bx?html\b/i.test(headers.get('content-type') ?? '')) return undefined;
  try {
    const body: unknown = JSON.parse(text);
    return isDeeperThan(MAX_LEVELS, body) ? undefined : body;
  } catch {
    return undefined;
  }
}

export function isJson(answer: Answer): boolean {
  return jsonOf(answer) !== undefined;
}

function asObject(answer: Answer): Record<string, unknown> {
  const body = jsonOf(answer);
  if (!isObject(body)) throw unreadable(answer, 'no JSON object');
  return body;
}

function itemsOf(page: Record<string, unknown>, answer: Answer): readonly unknown[] {
  if (!Array.isArray(page.items)) throw unreadable(answer, 'no list of `items`');
  return page.items;
}

function asJob(job: unknown, answer: Answer): ServerJob {
  if (!isObject(job) || !Number.isSafeInteger(job.id)) throw unreadable(answer, 'a job without an id');
  return serverJob(job as { id: number });
}
