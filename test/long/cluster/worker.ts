import { randomBytes } from 'node:crypto';
import { MOVES } from '../../../src/contract/lifecycle.ts';
import type { Transition } from '../../../src/contract/operations.ts';
import type { JobStatus } from '../../../src/contract/values.ts';
import { PDF } from '../../engine/applications/documents.ts';
import { somebodyElse } from '../../engine/applications/somebody.ts';
import { COMPLETE } from '../../engine/listing.ts';
import { type Answer, ClusterClient, type Tally } from './client.ts';
import type { Fleet } from './fleet.ts';

/** The shared jobs get applications from every worker, but no worker changes their status. */
export interface Tenant {
  readonly companyId: string;
  readonly key: string;
  readonly session: string;
  readonly csrf: string;
  // biome-ignore lint/suspicious/noExplicitAny: jobs as the engine answers them
  readonly shared: readonly any[];
}

/** A job that only its worker changes, with every title and status it may have. */
interface KnownJob {
  readonly id: number;
  readonly name: string;
  titles: Set<string>;
  statuses: Set<JobStatus>;
}

interface KnownApplication {
  readonly jobId: number;
  readonly email: string;
  /** Undefined if the only proof of the application is that a second one was refused. */
  readonly id: number | undefined;
  decisions: Set<string>;
}

export interface Told {
  readonly jobs: KnownJob[];
  readonly applications: KnownApplication[];
  readonly files: string[];
  /** Names of jobs whose single create request got no response. */
  readonly unknown: Set<string>;
}

const LIST_PAGES_MAX = 4;
const KINDS = Object.keys(MOVES) as Transition[];
const SEARCH = '/v1/locations/search?q=Austin';
const READS = [SEARCH, '/candidate/v1/jobs?limit=10', '/candidate/v1/jobs?limit=50'];
const pick = <T>(from: readonly T[]): T => from[Math.floor(Math.random() * from.length)] as T;
const chance = (share: number): boolean => Math.random() < share;

/** Sends random requests until the run ends, and checks each response against earlier ones. */
export async function work(
  name: string,
  tenant: Tenant,
  { told, tally, ...run }: { fleet: Fleet; tally: Tally; told: Told },
): Promise<void> {
  const [client, second] = [new ClusterClient(run.fleet, tally), new ClusterClient(run.fleet, tally)];
  const somebody = somebodyElse();
  const jobs: KnownJob[] = [];
  const decidable: KnownApplication[] = [];
  const authorization = `Bearer ${tenant.key}`;
  const headers = { authorization };
  let made = 0;

  const wrong = (text: string, { status, text: answered }: Partial<Answer> = {}) =>
    tally.wrong(`${name}: ${text}: ${status} ${answered?.slice(0, 500)}`);
  const isDone = (call: string, answer: Answer, ...refusals: number[]): boolean => {
    const done = answer.status < 400;
    if (!done && !refusals.includes(answer.status)) wrong(call, answer);
    return done;
  };
  const compare = (job: KnownJob, shown: { status: JobStatus; title: string }, where: string): void => {
    if (job.statuses.has(shown.status) && job.titles.has(shown.title)) return;
    const known = `${[...job.statuses]} "${[...job.titles]}"`;
    wrong(`${where} shows job ${job.id} as ${shown.status} "${shown.title}", known as ${known}`);
  };

  const create = async (): Promise<void> => {
    const jobName = `${name} job ${++made}`;
    const body = { ...COMPLETE, title: jobName, questions: [], publish: chance(0.5) };
    const isKeyed = chance(0.7);
    const sent = { headers: isKeyed ? { ...headers, 'idempotency-key': jobName } : headers, body };
    const answer = await (isKeyed
      ? client.until('POST', '/v1/jobs', sent)
      : client.once('POST', '/v1/jobs', sent));
    if (answer === undefined) return void told.unknown.add(jobName);
    if (!isDone(`create ${jobName}`, answer)) return;
    tally.acknowledged++;
    const again = isKeyed && chance(0.2) ? [client, second] : [];
    const replays = await Promise.all(again.map((from) => from.until('POST', '/v1/jobs', sent)));
    for (const replay of replays)
      if (replay.text !== answer.text) wrong(`${answer.text} is replayed as`, replay);
    const status: JobStatus = body.publish ? 'ACTIVE' : 'DRAFT';
    const { id } = answer.body;
    const job = { id, name: jobName, titles: new Set([jobName]), statuses: new Set([status]) };
    compare(job, answer.body, 'a create');
    jobs.push(job);
    told.jobs.push(job);
  };

  const read = async (): Promise<void> => {
    const path = pick(READS);
    const answer = await client.until('GET', path, { headers });
    // When the caps are used up, every job may be hidden.
    const isEmpty = isDone(path, answer) && answer.body.items.length === 0;
    if (isEmpty && path === SEARCH) wrong('no place is found', answer);
    const job = pick(jobs);
    const got = job && (await client.until('GET', `/v1/jobs/${job.id}`, { headers }));
    if (got && isDone('a GET', got)) compare(job, got.body, 'a GET');
  };

  const list = async (): Promise<void> => {
    const status = pick(['', 'DRAFT', 'ACTIVE', 'PAUSED', 'CLOSED'] as const);
    const unseen = new Map(jobs.map((job) => [job.id, job]));
    let [before, cursor] = [Number.POSITIVE_INFINITY, ''];
    for (let page = 0; page < LIST_PAGES_MAX; page++) {
      const query = `limit=${pick([10, 50, 100])}${status && `&status=${status}`}${cursor}`;
      const answer = await client.until('GET', `/v1/jobs?${query}`, { headers });
      if (!isDone('a list', answer)) return;
      const { items, nextCursor } = answer.body;
      for (const item of items) {
        const isInPlace = item.id < before && item.companyId === tenant.companyId;
        if (!isInPlace || (status && item.status !== status))
          wrong(`a list of ${status} has job ${item.id} there`);
        before = item.id;
        const job = unseen.get(item.id);
        if (job !== undefined) compare(job, item, 'a list');
        unseen.delete(item.id);
      }
      const end = nextCursor === null ? 0 : before;
      for (const { id, statuses } of unseen.values()) {
        const isDue = id > end && (status === '' || (statuses.size === 1 && statuses.has(status)));
        if (isDue) wrong(`a list of ${status || 'all'} misses job ${id}`);
      }
      if (end === 0) return;
      cursor = `&cursor=${nextCursor}`;
    }
  };

  const update = async (): Promise<void> => {
    const job = pick(jobs);
    if (job === undefined) return;
    const title = `${job.name} rev ${++made}`;
    const answer = await client.until('PATCH', `/v1/jobs/${job.id}`, { headers, body: { title } });
    const refusals = job.statuses.has('CLOSED') ? [409] : [];
    if (!isDone(`an update of job ${job.id} (${[...job.statuses]})`, answer, ...refusals)) return;
    tally.acknowledged++;
    job.titles = new Set([title]);
    compare(job, answer.body, 'an update');
  };

  const move = async (): Promise<void> => {
    const job = pick(jobs);
    if (job === undefined) return;
    const { id, statuses } = job;
    const legal = KINDS.filter((kind) => MOVES[kind].from.some((from) => statuses.has(from)));
    const kind = pick(chance(0.9) && legal.length > 0 ? legal : KINDS);
    const { from, to } = MOVES[kind];
    const under = { headers: { ...headers, 'idempotency-key': `${name} move ${++made}` } };
    const path = `/v1/jobs/${id}/${kind}`;
    const answer = chance(0.7)
      ? await client.until('POST', path, under)
      : await client.once('POST', path, { headers });
    const others = [...statuses].filter((status) => !from.includes(status));
    if (answer === undefined) {
      if (others.length < statuses.size) statuses.add(to);
    } else if (isDone(kind, answer, 409)) {
      tally.acknowledged++;
      if (others.length === statuses.size) wrong(`${kind} of job ${id}, known as ${[...statuses]}`, answer);
      job.statuses = new Set([to]);
    } else {
      if (others.length === 0) wrong(`${kind} of job ${id}, known as ${[...statuses]}`, answer);
      job.statuses = new Set(others);
    }
  };

  // biome-ignore lint/suspicious/noExplicitAny: a job as the engine answers it
  const applyTo = async (job: any, ...refusals: number[]): Promise<void> => {
    const body = chance(0.1) ? PDF : Buffer.concat([PDF, randomBytes(pick([200, 20_000]))]);
    const file = await client.until('POST', '/candidate/v1/files?name=cv.pdf', { body });
    const isKept = isDone('an upload', file, 429);
    if (isKept) told.files.push(file.body.fileId);
    const resume = isKept ? file.body.fileId : pick(told.files);
    const email = `${name}.${++made}@example.com`.replaceAll(' ', '.');
    const [number, choice] = job.questions;
    const answers = number === undefined ? {} : { [number.id]: made, [choice.id]: ['first'] };
    const meets = chance(0.8) ? job.qualifications.map(({ id }: { id: string }) => id) : [];
    const path = `/candidate/v1/jobs/${job.id}/applications`;
    const answer = await client.until('POST', path, { body: somebody({ email, resume, answers, meets }) });
    const isThere = answer.tries > 1 && answer.body.error?.code === 'ALREADY_APPLIED';
    if (!isThere && !isDone(`an application to job ${job.id}`, answer, ...refusals)) return;
    tally.acknowledged++;
    const application = { jobId: job.id, email, id: answer.body.id, decisions: new Set(['pending']) };
    if (!isThere) decidable.push(application);
    told.applications.push(application);
  };
  const apply = () => applyTo(pick(tenant.shared));

  /** Edits a job's qualifications during an application: the edit comes first or is refused. */
  const freeze = async (): Promise<void> => {
    const job = jobs.find(({ statuses }) => statuses.size === 1 && statuses.has('ACTIVE'));
    if (job === undefined) return;
    const { body } = await client.until('GET', `/candidate/v1/jobs/${job.id}`);
    const qualifications = [{ text: `Changed ${++made}`, kind: 'REQUIRED', order: 1 }];
    const edit = (id: number) =>
      second.until('PATCH', `/v1/jobs/${id}`, { headers, body: { qualifications } });
    const [edited] = await Promise.all([edit(job.id), applyTo({ ...body, questions: [] }, 422)]);
    isDone(`an edit of job ${job.id}`, edited, 409);
    const frozen = await edit(pick(tenant.shared).id);
    if (frozen.body.error?.code !== 'JOB_FROZEN') wrong('a frozen job is changed', frozen);
  };

  const decide = async (): Promise<void> => {
    const application = pick(decidable);
    if (application === undefined) return;
    const to = pick(['accepted', 'rejected']);
    application.decisions.add(to);
    const answer = await client.until('POST', `/dashboard/applications/${application.id}/decide`, {
      session: tenant.session,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ csrf: tenant.csrf, to }).toString(),
    });
    if (!isDone(`a decision on application ${application.id}`, answer)) return;
    tally.acknowledged++;
    application.decisions = new Set([to]);
  };

  const often = [create, read, update, move, apply];
  const all = [...often, ...often, ...often, list, list, freeze, decide, decide];
  while (!tally.isOver) {
    const operation = pick(all);
    tally.count(operation.name);
    await operation().catch((error: Error) => wrong(`${operation.name} threw ${error.stack}`));
  }
  await Promise.all([client.close(), second.close()]);
}
