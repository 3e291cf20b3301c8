import type { RemoteTarget } from '../../cli/settings/target.ts';
import { decodeJobPage, decodePlaces } from '../../client/decode.ts';
import type { Answer } from '../../client/exchange.ts';
import { isQueryRefused } from '../../client/optional-operation.ts';
import type { ServerJob } from '../../client/server-job.ts';
import { isRouteMissing } from '../../client/traits.ts';
import { ERRORS } from '../../contract/errors.ts';
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
    return { found: describeRoute(on.target) };
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
      return { found: `supported: ${answer}` };
    }
    const isMissing = isRouteMissing(list.status);
    if (isMissing) on.learnAnswer('listsJobs', false);
    const unclear = findTemporaryFailure(list);
    if (unclear !== undefined) return unclear;
    const isStored = on.traits.listsJobs === false;
    const later =
      isMissing && !isStored ? '. This is stored after a second check a day later, or with --write' : '';
    return { found: `not supported (${answer}): jobs created from this machine are read by ID${later}` };
  });
  const missing = { 'Unknown job': `/jobs/${Number.MAX_SAFE_INTEGER}`, 'Unknown route': '/partner-doctor' };
  for (const [name, path] of Object.entries(missing)) {
    await on.look(name, async () => {
      const answer = await on.askOptional({ method: 'GET', path });
      return findTemporaryFailure(answer) ?? { found: describeStatus(answer) };
    });
  }
  // Runs last, because it may take many requests.
  await on.look('Places', () => findParameter(on, parameter, first));
  await on.look('Job format', () => ({ found: job ? describeJobForm(job) : 'no job to check' }));
  return true;
}

function search(on: Examination, parameter: string): Promise<Answer> {
  return on.ask({ method: 'GET', path: `/locations/search?${new URLSearchParams({ [parameter]: CITY })}` });
}

function describeRoute({ baseUrl, caFile, proxy }: RemoteTarget): string {
  const { protocol, host, hostname } = new URL(baseUrl);
  const isTls = protocol === 'https:';
  const trust = caFile === undefined ? '' : ` with ${caFile}`;
  const plain = isLoopback(hostname) ? 'plain HTTP on this machine' : 'plain HTTP: the key is not encrypted';
  const way = isTls ? `HTTPS, the certificate is trusted${trust}` : plain;
  return `${host} over ${way}${proxy === undefined ? '' : `, through the proxy ${new URL(proxy).host}`}`;
}

/** Checks the key. A server that refuses the query has still accepted the key. */
function keyTaken(answer: Answer): Look {
  const { status } = answer;
  if (status < 300) decodePlaces(answer);
  if (status < 300 || isQueryRefused(answer)) return { found: `accepted: ${describeStatus(answer)}` };
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
  if (findsCity(first)) return { found: `found with the parameter \`${parameter}\`` };
  for (const name of PARAMETERS.filter((one) => one !== parameter)) {
    if (!findsCity(await search(on, name))) continue;
    on.locationQueryParameter = name;
    return { found: `found with the parameter \`${name}\`, not with \`${parameter}\`` };
  }
  return {
    found: `can't be determined: ${CITY} isn't found with ${[...new Set([parameter, ...PARAMETERS])].join(', ')}`,
    advice: 'set the search parameter with `partner auth login --location-query-parameter NAME`',
  };
}

function findsCity(answer: Answer): boolean {
  const [place] = (answer.status < 300 ? attempt(() => decodePlaces(answer)) : undefined) ?? [];
  return place !== undefined && normalise(place.city) === normalise(CITY);
}

/** Returns a failed check for a temporary failure, which doesn't show what the server supports. */
export function findTemporaryFailure(answer: Answer): Look | undefined {
  const { status } = answer;
  if (status !== 429 && (status < 500 || isRouteMissing(status))) return undefined;
  const { next: advice, exit } = status === 429 ? ERRORS.RATE_LIMITED : ERRORS.SERVER_FAILED;
  return { found: `can't be determined: ${describeStatus(answer)}`, advice, exit };
}

export function describeStatus({ status, headers, text }: Answer): string {
  const code = attempt(() => JSON.parse(text).error.code as unknown);
  const type = headers.get('content-type')?.split(';')[0] ?? (text === '' ? 'empty' : 'no content type');
  return typeof code === 'string' ? `${status} ${code.slice(0, 60)}` : `${status}, ${type}`;
}

const DATES = ['publishedAt', 'expiresAt', 'closedAt'];
const NULLABLE = ['remoteOption', 'remoteCountry', 'jobType', 'salaryMin', 'opportunityId', 'atsJobUrl'];

export function describeJobForm(job: ServerJob): string {
  const dates = DATES.map((name) => job[name]).filter((date) => typeof date === 'string');
  const isMissing = [...DATES, ...NULLABLE].some((name) => job[name] === undefined);
  const empty = isMissing ? 'empty fields are omitted' : 'empty fields are null';
  return `${dates[0] === undefined ? 'no dates' : `dates such as ${dates[0]}`}, ${empty}`;
}
