import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import { checkJobInput, checkJobUpdate } from '../../src/contract/check.ts';
import { completenessGaps } from '../../src/contract/gate.ts';
import { EMPTY_CONTENT, type JobContent, type LocationInput } from '../../src/contract/job.ts';
import { type Problem, toFields } from '../../src/contract/problems.ts';
import { type Lie, lyingReply, type Reply, readOnce, type StoredJob, type UnknownRoute } from './lies.ts';

const PLACES: readonly LocationInput[] = [
  { locationId: 101, city: 'Austin', stateProvince: 'Texas', country: 'United States' },
  { locationId: 102, city: 'Boston', stateProvince: 'Massachusetts', country: 'United States' },
  { locationId: 103, city: 'São Paulo', stateProvince: 'São Paulo', country: 'Brazil' },
  { locationId: 104, city: 'Singapore', stateProvince: '', country: 'Singapore' },
];

/** Choices where the specification is silent. */
export interface Variation {
  /** Pause and resume return this too, unless they're offered. */
  readonly unknownRoute?: UnknownRoute;
  readonly offersPause?: boolean;
  /** Default: nulls as in the specification. */
  readonly nulls?: 'left-out' | 'everywhere';
  readonly success?: { readonly status: number; readonly isEmpty?: boolean };
  readonly date?: (time: Date) => string;
  readonly type?: string;
  readonly invalidTransitionStatus?: number;
  /** Replaces `unknownRoute` for the list of jobs; undefined returns the list. */
  readonly list?: (query: URLSearchParams) => UnknownRoute | undefined;
  readonly search?: (q: string) => readonly LocationInput[];
}

export const KEY = 'sk_ext_specification_only_0001';
const OTHER_KEY = 'sk_ext_specification_only_0002';
const COMPANIES: Readonly<Record<string, string>> = { [KEY]: 'company-1', [OTHER_KEY]: 'company-2' };

export interface SpecServer {
  readonly url: string;
  readonly jobs: readonly StoredJob[];
  /** For example `GET /v1/jobs/7`, in order of arrival. */
  readonly calls: readonly string[];
  /** Only the dashboard can accept terms or add a card. */
  readonly dashboard: { hasTerms: boolean; hasCard: boolean };
  lie: Lie;
  add(content: object, status: string): StoredJob;
  foreignJob(): number;
  close(): Promise<void>;
}

const HONEST: Lie = { on: [] };
const LISTING_DAYS = 30;
const NOT_FOUND: UnknownRoute = {
  status: 404,
  body: '{"error":{"code":"NOT_FOUND","message":"no such route"}}',
};

/** Implements only the specification: no list of jobs, no idempotency keys. */
export async function startSpecServer(variation: Variation = {}): Promise<SpecServer> {
  const jobs: StoredJob[] = [];
  const calls: string[] = [];
  const dashboard = { hasTerms: true, hasCard: true };
  const state: Pick<SpecServer, 'lie'> = { lie: HONEST };
  const { unknownRoute = NOT_FOUND, offersPause = false, success = { status: 200 } } = variation;
  const { invalidTransitionStatus = 409, type = 'application/json', search = searchPlaces } = variation;
  const unknownPlace = ({ locations }: JobContent): Reply | undefined => {
    const isKnown = (given: LocationInput) =>
      search(given.city).some((place) => isDeepStrictEqual(place, given));
    if (locations.every(isKnown)) return undefined;
    const message = 'must come from the location search';
    return invalid([{ path: ['locations'], kind: 'invalid', message }]);
  };

  const written = (job: StoredJob) => jobAnswer(job, variation);
  const changed = (job: StoredJob) =>
    success.isEmpty ? { status: success.status } : { status: success.status, body: written(job) };
  const refusedMove = (job: StoredJob, verb: string) =>
    refusal(invalidTransitionStatus, 'INVALID_TRANSITION', `a ${job.status} job cannot be ${verb}`);

  function refusedGate(content: JobContent): Reply | undefined {
    const gaps = completenessGaps(content);
    if (gaps.length > 0) return invalid(gaps);
    if (!dashboard.hasTerms) return refusal(409, 'AGREEMENT_OUTDATED', 'the terms are not accepted');
    if (!dashboard.hasCard) return refusal(402, 'PAYMENT_METHOD_REQUIRED', 'no card is on file');
    return undefined;
  }

  function publish(job: StoredJob): void {
    job.status = 'ACTIVE';
    job.publishedAt = new Date();
    job.expiresAt = new Date(job.publishedAt.getTime() + LISTING_DAYS * 86_400_000);
  }

  function create(body: unknown, companyId: string): Reply {
    const checked = checkJobInput(body);
    if (!checked.ok) return invalid(checked.problems);
    const { publish: isLive = false, ...given } = checked.value;
    const content = { ...EMPTY_CONTENT, ...given } as JobContent;
    const refused = unknownPlace(content) ?? (isLive ? refusedGate(content) : undefined);
    if (refused !== undefined) return refused;
    const dates = { publishedAt: null, expiresAt: null, closedAt: null };
    const job: StoredJob = { id: 5000 + jobs.length, companyId, status: 'DRAFT', content, ...dates };
    jobs.push(job);
    if (isLive) publish(job);
    return { status: 201, body: written(job) };
  }

  function update(job: StoredJob, body: unknown): Reply {
    const checked = checkJobUpdate(body);
    if (!checked.ok) return invalid(checked.problems);
    if (job.status === 'CLOSED' || job.status === 'EXPIRED') return refusedMove(job, 'edited');
    const content = { ...job.content, ...checked.value } as JobContent;
    const gaps = job.status === 'DRAFT' ? [] : completenessGaps(content);
    const refused = unknownPlace(content) ?? (gaps.length > 0 ? invalid(gaps) : undefined);
    if (refused !== undefined) return refused;
    job.content = content;
    return changed(job);
  }

  const moves: Readonly<Record<string, (job: StoredJob) => Reply>> = {
    publish(job) {
      if (job.status !== 'DRAFT') return refusedMove(job, 'published');
      const refused = refusedGate(job.content);
      if (refused !== undefined) return refused;
      publish(job);
      return changed(job);
    },
    close(job) {
      if (job.status !== 'ACTIVE' && job.status !== 'PAUSED') return refusedMove(job, 'closed');
      job.status = 'CLOSED';
      job.closedAt = new Date();
      return changed(job);
    },
    ...(offersPause ? { pause: moving('ACTIVE', 'PAUSED', 'paused') } : {}),
    ...(offersPause ? { resume: moving('PAUSED', 'ACTIVE', 'resumed') } : {}),
  };

  function moving(from: string, to: string, verb: string) {
    return (job: StoredJob): Reply => {
      if (job.status !== from) return refusedMove(job, verb);
      job.status = to;
      return changed(job);
    };
  }

  function route(method: string, path: string, query: URLSearchParams, body: unknown, companyId: string) {
    if (method === 'POST' && path === '/v1/jobs') return create(body, companyId);
    if (method === 'GET' && path === '/v1/locations/search')
      return { status: 200, body: { items: search(query.get('q') ?? '').map(suggestion) } };
    if (method === 'GET' && path === '/v1/jobs' && variation.list !== undefined) {
      const raw = variation.list(query);
      const own = jobs.filter((job) => job.companyId === companyId).reverse();
      const page = { items: own.map(written), nextCursor: null };
      return raw === undefined ? { status: 200, body: page } : { status: raw.status, raw };
    }
    const [, id, verb] = /^\/v1\/jobs\/([^/]+)(?:\/(\w+))?$/.exec(path) ?? [];
    const isJobRoute = verb === undefined && (method === 'GET' || method === 'PATCH');
    const move =
      method === 'POST' && verb !== undefined && Object.hasOwn(moves, verb) ? moves[verb] : undefined;
    if (id === undefined || (!isJobRoute && move === undefined))
      return { status: unknownRoute.status, raw: unknownRoute };
    const job = jobs.find((each) => String(each.id) === id && each.companyId === companyId);
    if (job === undefined) return refusal(404, 'NOT_FOUND', 'no such job');
    if (move !== undefined) return move(job);
    return method === 'PATCH' ? update(job, body) : { status: 200, body: written(job) };
  }

  function answered(
    name: string,
    id: string | undefined,
    sent: object | undefined,
    right: (sent?: object) => Reply,
  ) {
    const before = jobs.find((job) => String(job.id) === id);
    if (name === 'get' && before !== undefined) readOnce(before);
    const answer = (given?: object) => ({ reply: right(given), job: before ?? jobs.at(-1) });
    return lyingReply(state.lie, { name, sent, before }, answer, written);
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://specification.test');
    const method = request.method ?? 'GET';
    calls.push(`${method} ${pathname}`);
    const sent = parsed(await text(request));
    const [, id, verb] = /\/jobs(?:\/([^/]+))?(?:\/(\w+))?$/.exec(pathname) ?? [];
    const names: Record<string, string> = { POST: 'create', PATCH: 'update', GET: id ? 'get' : 'list' };
    const companyId = COMPANIES[(request.headers.authorization ?? '').replace(/^Bearer /, '')];
    const reply =
      companyId === undefined
        ? refusal(401, 'INVALID_SERVICE_KEY', 'the key is missing, unknown or revoked')
        : answered(verb ?? names[method] ?? method, id, sent, (body) =>
            route(method, pathname, searchParams, body, companyId),
          );
    const { status, raw } = reply;
    const contentType = raw?.type ?? type;
    const location = raw?.location === undefined ? {} : { location: raw.location };
    response.writeHead(status, status === 204 ? {} : { 'content-type': contentType, ...location });
    response.end(raw?.body ?? (reply.body === undefined ? undefined : JSON.stringify(reply.body)));
  }

  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(state, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    jobs,
    calls,
    dashboard,
    add(content: object, status: string) {
      create(content, 'company-1');
      const job = jobs.at(-1) as StoredJob;
      if (status !== 'DRAFT') publish(job);
      return Object.assign(job, { status });
    },
    foreignJob() {
      create({ title: 'Of another company' }, 'company-2');
      return jobs.at(-1)?.id ?? 0;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

function jobAnswer(job: StoredJob, { nulls, date = (time) => time.toISOString() }: Variation) {
  const { id, companyId, status, content } = job;
  const written = (time: Date | null) => (time === null ? null : date(time));
  const numbered = (field: 'qualifications' | 'questions') =>
    content[field].map((entry, index) => ({ id: `${id}-${field}-${index}`, ...entry }));
  const answer = {
    id,
    status,
    companyId,
    ...content,
    locations: content.locations.map(suggestion),
    qualifications: numbered('qualifications'),
    questions: numbered('questions'),
    applicationCounts: { pending: 0, accepted: 0, rejected: 0 },
    isFrozen: false,
    newApplicantCount: 0,
    publishedAt: written(job.publishedAt),
    expiresAt: written(job.expiresAt),
    closedAt: written(job.closedAt),
  };
  if (nulls === 'left-out')
    return Object.fromEntries(Object.entries(answer).filter(([, value]) => value !== null));
  if (nulls !== 'everywhere') return answer;
  return {
    ...answer,
    questions: [...answer.questions.map((question) => ({ options: null, ...question })), null],
    budgets: answer.budgets.map((budget) => ({ notes: null, ...budget })),
    locations: answer.locations.length === 0 ? null : answer.locations,
    applicationCounts: null,
    newApplicantCount: null,
  };
}

function suggestion(place: LocationInput) {
  const { city, stateProvince, country } = place;
  return { ...place, displayName: [city, stateProvince, country].filter((part) => part !== '').join(', ') };
}

function searchPlaces(query: string): LocationInput[] {
  const wanted = query.trim().toLowerCase();
  return PLACES.filter(
    (place) => wanted !== '' && suggestion(place).displayName.toLowerCase().includes(wanted),
  );
}

function refusal(status: number, code: string, message: string, fields?: Record<string, string>): Reply {
  return { status, body: { error: { code, message, ...(fields === undefined ? {} : { fields }) } } };
}

function invalid(problems: readonly Problem[]): Reply {
  return refusal(422, 'VALIDATION_FAILED', 'invalid input', toFields(problems));
}

function parsed(text: string): object | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
