import { randomUUID } from 'node:crypto';
import type { RemoteTarget } from '../../cli/settings/target.ts';
import { decodeCreated, decodeFoundJob, decodeJobPage, decodePlaces } from '../../client/decode.ts';
import type { Answer } from '../../client/exchange.ts';
import { isQueryRefused } from '../../client/optional-operation.ts';
import type { ServerJob } from '../../client/server-job.ts';
import { isRouteMissing } from '../../client/traits.ts';
import { ERRORS, PartnerError } from '../../contract/errors.ts';
import { OPERATIONS, TRANSITIONS } from '../../contract/operations.ts';
import { attempt } from '../../contract/system-errors.ts';
import { isLoopback } from '../../contract/uri.ts';
import { normalise } from '../../places/place-names.ts';
import { clockCheck, type Look } from './checks.ts';
import type { Examination } from './examination.ts';

const CITY = 'Boston';
const PARAMETERS = ['q', 'query', 'search', 'text', 'term', 'name', 'input', 'keyword'];

/** Returns false if the server can't be reached or refuses the key. */
export async function readChecks(on: Examination): Promise<boolean> {
  const parameter = on.target.locationQueryParameter ?? 'q';
  let answer: Answer | undefined;
  await on.look('Connection', async () => {
    answer = await search(on, parameter);
    return describeRoute(on.target);
  });
  const first = answer;
  if (first === undefined || !(await on.look('Key', () => keyTaken(first)))) return false;
  const date = first.headers.get('date');
  if (date !== null) on.checks.push(clockCheck(Date.parse(date) - on.clocks.clock()));
  let job: ServerJob | undefined;
  await on.look('List of jobs', async () => {
    const limited = await on.askOptional({ method: 'GET', path: '/jobs?limit=1' });
    const list = isQueryRefused(limited) ? await on.askOptional({ method: 'GET', path: '/jobs' }) : limited;
    const jobs = list.status < 300 ? attempt(() => decodeJobPage(list).items) : undefined;
    job = jobs?.[0];
    const answer = describeStatus(list);
    if (jobs !== undefined) {
      on.learnAnswer('listsJobs', true);
      return `supported: ${answer}`;
    }
    const isMissing = isRouteMissing(list.status);
    if (isMissing) on.learnAnswer('listsJobs', false);
    const unclear = findTemporaryFailure(list);
    if (unclear !== undefined) return unclear;
    const isStored = on.traits.listsJobs === false;
    const later =
      isMissing && !isStored ? '. It is stored after a second check a day later, or with --write' : '';
    return `not supported (${answer}): jobs created from this machine are read by ID${later}`;
  });
  const missing = { 'Unknown job': `/jobs/${Number.MAX_SAFE_INTEGER}`, 'Unknown route': '/partner-doctor' };
  for (const [name, path] of Object.entries(missing)) {
    await on.look(name, async () => {
      const answer = await on.askOptional({ method: 'GET', path });
      return findTemporaryFailure(answer) ?? describeStatus(answer);
    });
  }
  // Runs last, because it may take many requests.
  await on.look('Places', () => findParameter(on, parameter, first));
  await on.look('Job format', () => (job ? describeJobForm(job) : 'no job to check'));
  return true;
}

function search(on: Examination, parameter: string): Promise<Answer> {
  return on.ask({ method: 'GET', path: `/locations/search?${new URLSearchParams({ [parameter]: CITY })}` });
}

function describeRoute({ baseUrl, caFile, proxy }: RemoteTarget): string {
  const { protocol, host, hostname } = new URL(baseUrl);
  const isTls = protocol === 'https:';
  const trust = caFile === undefined ? '' : ` (CA file ${caFile})`;
  const plain = isLoopback(hostname) ? 'plain HTTP on this machine' : 'plain HTTP: the key is not encrypted';
  const way = isTls ? `HTTPS with a trusted certificate${trust}` : plain;
  return `${host} over ${way}${proxy === undefined ? '' : `, through the proxy ${new URL(proxy).host}`}`;
}

/** Checks the key. A server that refuses the query has still accepted the key. */
function keyTaken(answer: Answer): Look {
  const { status } = answer;
  if (status < 300) decodePlaces(answer);
  if (status < 300 || isQueryRefused(answer)) return `accepted: ${describeStatus(answer)}`;
  if (status === 401 || status === 403) {
    const { next, exit } = status === 401 ? ERRORS.INVALID_SERVICE_KEY : ERRORS.FORBIDDEN;
    return { found: `rejected: ${describeStatus(answer)}`, advice: next, exit };
  }
  return {
    found: `the location search returned ${describeStatus(answer)}`,
    advice: 'check --base-url. It must end with the version, as in https://api.example.com/v1',
    exit: ERRORS.ANSWER_UNREADABLE.exit,
  };
}

async function findParameter(on: Examination, parameter: string, first: Answer): Promise<Look> {
  if (findsCity(first)) return `found with the parameter \`${parameter}\``;
  for (const name of PARAMETERS.filter((one) => one !== parameter)) {
    if (!findsCity(await search(on, name))) continue;
    on.locationQueryParameter = name;
    return `found with the parameter \`${name}\`, not with \`${parameter}\``;
  }
  return {
    found: `can't be determined: ${CITY} wasn't found with ${[...new Set([parameter, ...PARAMETERS])].join(', ')}`,
    advice: 'set the search parameter with `partner auth login --location-query-parameter NAME`',
  };
}

function findsCity(answer: Answer): boolean {
  const [place] = (answer.status < 300 ? attempt(() => decodePlaces(answer)) : undefined) ?? [];
  return place !== undefined && normalise(place.city) === normalise(CITY);
}

/** Returns a failed check for a temporary failure, which doesn't show what the server supports. */
function findTemporaryFailure(answer: Answer): Look | undefined {
  const { status } = answer;
  if (status !== 429 && (status < 500 || isRouteMissing(status))) return undefined;
  const { next: advice, exit } = status === 429 ? ERRORS.RATE_LIMITED : ERRORS.SERVER_FAILED;
  return { found: `can't be determined: ${describeStatus(answer)}`, advice, exit };
}

function describeStatus({ status, headers, text }: Answer): string {
  const code = attempt(() => JSON.parse(text).error.code as unknown);
  const type = headers.get('content-type')?.split(';')[0] ?? (text === '' ? 'empty' : 'no content type');
  return typeof code === 'string' ? `${status} ${code.slice(0, 60)}` : `${status}, ${type}`;
}

const DATES = ['publishedAt', 'expiresAt', 'closedAt'];
const NULLABLE = ['remoteOption', 'remoteCountry', 'jobType', 'salaryMin', 'opportunityId', 'atsJobUrl'];

function describeJobForm(job: ServerJob): string {
  const dates = DATES.map((name) => job[name]).filter((date) => typeof date === 'string');
  const isMissing = [...DATES, ...NULLABLE].some((name) => job[name] === undefined);
  const empty = isMissing ? 'empty fields are omitted' : 'empty fields are null';
  return `${dates[0] === undefined ? 'no dates' : `dates such as ${dates[0]}`}, ${empty}`;
}

const DRAFT_TITLE = 'Test draft of partner doctor, please ignore';

const DRAFT = {
  title: DRAFT_TITLE,
  opportunityId: 'partner-doctor',
  qualifications: [{ text: 'Test', kind: 'REQUIRED', order: 1 }],
};

export function draftNotice(baseUrl: string): string {
  return `This creates a draft at ${baseUrl}, “${DRAFT_TITLE}”. Drafts can't be deleted or closed. Only your company sees them.`;
}

export function describeLeftDraft(id: number): string {
  return `You can ignore draft ${id}, “${DRAFT_TITLE}”. It can't be deleted.`;
}

/** Returns the IDs of the test drafts, because the user can't delete them. */
export async function writeChecks(on: Examination): Promise<number[]> {
  on.beginPart();
  const idempotencyKey = randomUUID();
  const drafts: number[] = [];
  const create = () => on.ask({ method: 'POST', path: '/jobs', body: DRAFT, idempotencyKey });
  const isMade = await on.look('Create', async () => {
    const made = await create().catch((error: unknown) => {
      const hint = 'the draft may have been created. You can ignore it';
      throw error instanceof PartnerError ? error.with({ hint }) : error;
    });
    if (made.status >= 300) return { found: `the draft was rejected: ${describeStatus(made)}`, exit: 1 };
    const isBodyless = typeof decodeCreated(made) === 'number';
    drafts.push(decodeId(made));
    return `${describeStatus(made)}${isBodyless ? ', with the ID in the Location header' : ''}`;
  });
  const [id] = drafts;
  if (!isMade || id === undefined) return drafts;
  await on.look('Repeated key', async () => checkIdempotency(on, await create(), drafts));
  await on.look('Read', async () => describeJobForm(await jobNow(on, id)));
  await on.look('Clear with null', () =>
    clearField(on, id, { opportunityId: null }, ({ opportunityId }) => opportunityId == null),
  );
  await on.look('Clear with []', () =>
    clearField(on, id, { qualifications: [] }, ({ qualifications }) => String(qualifications ?? '') === ''),
  );
  for (const [name, transition, trait] of [
    ['Pause', 'pause', 'pausesJobs'],
    ['Resume', 'resume', 'resumesJobs'],
  ] as const) {
    const path = OPERATIONS[TRANSITIONS[transition]].path.replace('{id}', String(id));
    await on.look(name, async () => {
      const answer = await on.askOptional({ method: 'POST', path });
      const isOffered = isTransitionOffered(answer);
      if (isOffered === undefined)
        return findTemporaryFailure(answer) ?? `can't be determined: ${describeStatus(answer)}`;
      on.learnAnswer(trait, isOffered);
      return `${isOffered ? '' : 'not '}supported: the response for a draft is ${describeStatus(answer)}`;
    });
  }
  return drafts;
}

function checkIdempotency(on: Examination, again: Answer, drafts: number[]): Look {
  const [id] = drafts;
  const unclear = findTemporaryFailure(again);
  if (unclear !== undefined) return unclear;
  if (again.status >= 300) {
    on.learn({ honoursIdempotencyKeys: false, honoursKeysUnannounced: false });
    return `rejected (${describeStatus(again)}): creates without a response aren't retried`;
  }
  const second = decodeId(again);
  const isSame = second === id;
  if (!isSame) drafts.push(second);
  const isAnnounced = again.headers.has('idempotency-status');
  on.learn({ honoursIdempotencyKeys: isSame, honoursKeysUnannounced: isSame && !isAnnounced });
  if (!isSame) return `created a second draft, ${second}: creates without a response aren't retried`;
  return `returned the same job${isAnnounced ? '' : ' without an Idempotency-Status header'}: creates without a response are retried`;
}

function decodeId(made: Answer): number {
  const job = decodeCreated(made);
  return typeof job === 'number' ? job : job.id;
}

async function jobNow(on: Examination, id: number): Promise<ServerJob> {
  return decodeFoundJob(await on.ask({ method: 'GET', path: `/jobs/${id}` }));
}

async function clearField(on: Examination, id: number, body: object, isEmpty: (job: ServerJob) => boolean) {
  const answer = await on.ask({ method: 'PATCH', path: `/jobs/${id}`, body });
  if (answer.status >= 300) return findTemporaryFailure(answer) ?? `not supported: ${describeStatus(answer)}`;
  return `${isEmpty(await jobNow(on, id)) ? 'supported' : 'not supported, the value remains'}: ${describeStatus(answer)}`;
}

/** The job was just read, so a 404 means that the server doesn't offer the transition. */
function isTransitionOffered({ status, text }: Answer): boolean | undefined {
  if (status === 409 || text.includes('INVALID_TRANSITION') || status < 300) return true;
  return isRouteMissing(status) ? false : undefined;
}
