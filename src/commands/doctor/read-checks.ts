import type { RemoteTarget } from '../../cli/settings/target.ts';
import { decodeJobPage, decodePlaces } from '../../client/decode.ts';
import type { Answer } from '../../client/exchange.ts';
import { isQueryRefused } from '../../client/optional-operation.ts';
import type { ServerJob } from '../../client/server-job.ts';
import { isRouteMissing } from '../../client/traits.ts';
import { ERRORS } from '../../contract/errors.ts';
import { normalise } from '../../contract/place-names.ts';
import { tried } from '../../contract/tried.ts';
import { isLoopback } from '../../contract/uri.ts';
import { clockCheck, type Look } from './checks.ts';
import type { Examination } from './examination.ts';

const CITY = 'Boston';
const PARAMETERS = ['q', 'query', 'search', 'text', 'term', 'name', 'input', 'keyword'];

/** Looks at all that reads alone can tell. False where the server cannot be reached or refuses the key. */
export async function readChecks(on: Examination): Promise<boolean> {
  const parameter = on.target.locationQueryParameter ?? 'q';
  let answer: Answer | undefined;
  await on.look('Connection', async () => {
    answer = await search(on, parameter);
    return { found: wayOf(on.target) };
  });
  const first = answer;
  if (first === undefined || !(await on.look('Key', () => keyTaken(first)))) return false;
  const date = first.headers.get('date');
  if (date !== null) on.checks.push(clockCheck(Date.parse(date) - on.clocks.clock()));
  let job: ServerJob | undefined;
  await on.look('List of jobs', async () => {
    const limited = await on.askOptional({ method: 'GET', path: '/jobs?limit=1' });
    const list = isQueryRefused(limited) ? await on.askOptional({ method: 'GET', path: '/jobs' }) : limited;
    const jobs = list.status < 300 ? tried(() => decodeJobPage(list).items) : undefined;
    job = jobs?.[0];
    const answer = described(list);
    if (jobs !== undefined) {
      on.learnAnswer('listsJobs', true);
      return { found: `offered: ${answer}` };
    }
    const isMissing = isRouteMissing(list.status);
    if (isMissing) on.learnAnswer('listsJobs', false);
    const unclear = undetermined(list);
    if (unclear !== undefined) return unclear;
    const isStored = on.traits.listsJobs === false;
    const later = isMissing && !isStored ? '. Stored if it is the same a day later, or with --write' : '';
    return { found: `no list (${answer}): jobs created from this machine are read by ID${later}` };
  });
  const missing = { 'Unknown job': `/jobs/${Number.MAX_SAFE_INTEGER}`, 'Unknown route': '/partner-doctor' };
  for (const [name, path] of Object.entries(missing)) {
    await on.look(name, async () => {
      const answer = await on.askOptional({ method: 'GET', path });
      return undetermined(answer) ?? { found: described(answer) };
    });
  }
  // Last, as it may take many calls.
  await on.look('Places', () => parameterOf(on, parameter, first));
  await on.look('Form of a job', () => ({ found: job ? formOf(job) : 'there is none to look at' }));
  return true;
}

function search(on: Examination, parameter: string): Promise<Answer> {
  return on.ask({ method: 'GET', path: `/locations/search?${new URLSearchParams({ [parameter]: CITY })}` });
}

function wayOf({ baseUrl, caFile, proxy }: RemoteTarget): string {
  const { protocol, host, hostname } = new URL(baseUrl);
  const isTls = protocol === 'https:';
  const trust = caFile === undefined ? '' : ` with ${caFile}`;
  const plain = isLoopback(hostname) ? 'plain http on this machine' : 'plain http: the key is not encrypted';
  const way = isTls ? `https, the certificate is trusted${trust}` : plain;
  return `${host} over ${way}${proxy === undefined ? '' : `, by the proxy ${new URL(proxy).host}`}`;
}

/** A server that dislikes the search has let it in. */
function keyTaken(answer: Answer): Look {
  const { status } = answer;
  if (status < 300) decodePlaces(answer);
  if (status < 300 || isQueryRefused(answer)) return { found: `taken: ${described(answer)}` };
  if (status === 401 || status === 403) {
    const { next, exit } = status === 401 ? ERRORS.INVALID_SERVICE_KEY : ERRORS.FORBIDDEN;
    return { found: `refused: ${described(answer)}`, advice: next, exit };
  }
  return {
    found: `the location search answered ${described(answer)}`,
    advice: 'check --base-url: it ends with the version, as in https://api.example.com/v1',
    exit: ERRORS.ANSWER_UNREADABLE.exit,
  };
}

async function parameterOf(on: Examination, parameter: string, first: Answer): Promise<Look> {
  if (findsCity(first)) return { found: `found by the parameter \`${parameter}\`` };
  for (const name of PARAMETERS.filter((one) => one !== parameter)) {
    if (!findsCity(await search(on, name))) continue;
    on.locationQueryParameter = name;
    return { found: `found by the parameter \`${name}\`, not by \`${parameter}\`` };
  }
  return {
    found: `cannot be told: ${CITY} is not found by ${[...new Set([parameter, ...PARAMETERS])].join(', ')}`,
    advice: 'name the parameter of the search text with `partner auth login --location-query-parameter NAME`',
  };
}

function findsCity(answer: Answer): boolean {
  const [place] = (answer.status < 300 ? tried(() => decodePlaces(answer)) : undefined) ?? [];
  return place !== undefined && normalise(place.city) === normalise(CITY);
}

/** The finding for a temporary failure, which doesn't show how the server behaves. */
export function undetermined(answer: Answer): Look | undefined {
  const { status } = answer;
  if (status !== 429 && (status < 500 || isRouteMissing(status))) return undefined;
  const { next: advice, exit } = status === 429 ? ERRORS.RATE_LIMITED : ERRORS.SERVER_FAILED;
  return { found: `can't be determined: ${described(answer)}`, advice, exit };
}

/** The status and, where the answer has the contract's error body, its code; else the type of its content. */
export function described({ status, headers, text }: Answer): string {
  const code = tried(() => JSON.parse(text).error.code as unknown);
  const type = headers.get('content-type')?.split(';')[0] ?? (text === '' ? 'empty' : 'no content type');
  return typeof code === 'string' ? `${status} ${code.slice(0, 60)}` : `${status}, ${type}`;
}

const DATES = ['publishedAt', 'expiresAt', 'closedAt'];
const NULLABLE = ['remoteOption', 'remoteCountry', 'jobType', 'salaryMin', 'opportunityId', 'atsJobUrl'];

export function formOf(job: ServerJob): string {
  const dates = DATES.map((name) => job[name]).filter((date) => typeof date === 'string');
  const isMissing = [...DATES, ...NULLABLE].some((name) => job[name] === undefined);
  const empty = isMissing ? 'empty fields are left out' : 'empty fields are null';
  return `${dates[0] === undefined ? 'no dates in it' : `dates like ${dates[0]}`}, ${empty}`;
}
