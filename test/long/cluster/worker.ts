import { randomBytes } from 'node:crypto';
import { MOVES } from '../../../src/contract/lifecycle.ts';
import type { Transition } from '../../../src/contract/operations.ts';
import type { JobStatus } from '../../../src/contract/values.ts';
import { PDF } from '../../engine/applications/documents.ts';
import { somebodyElse } from '../../engine/applications/somebody.ts';
import { COMPLETE } from '../../engine/listing.ts';
import { type Answer, ClusterClient, type Tally } from './client.ts';
import type { Fleet } from './fleet.ts';

/** A company, with jobs that everybody applies to and nobody closes. */
export interface Tenant {
  readonly companyId: string;
  readonly key: string;
  readonly session: string;
  readonly csrf: string;
  // biome-ignore lint/suspicious/noExplicitAny: jobs as the engine answers them
  readonly shared: readonly any[];
}

/** What a worker was told of a job that nobody else changes: all that may be true of it. */
export interface KnownJob {
  readonly id: number;
  readonly companyId: string;
  readonly name: string;
  titles: Set<string>;
  statuses: Set<JobStatus>;
}

export interface KnownApplication {
  readonly jobId: number;
  readonly companyId: string;
  readonly email: string;
  /** Undefined where only the refusal of a second one says that it is there. */
  readonly id: number | undefined;
  readonly fileId: string;
  decisions: Set<string>;
}

/** All that the workers of a run were told. */
export interface Told {
  readonly jobs: KnownJob[];
  readonly applications: KnownApplication[];
  readonly files: string[];
  /** Jobs that were created under a key, and those of which nothing is known. */
  readonly underKey: Set<string>;
  readonly unknown: Set<string>;
}

const LIST_PAGES_MAX = 4;
const KINDS = Object.keys(MOVES) as Transition[];
const pick = <T>(from: readonly T[]): T => from[Math.floor(Math.random() * from.length)] as T;
const chance = (share: number): boolean => Math.random() < share;

/** Has a client call whatever it may, until the tally is over, and notes what it is told. */
export async function work(
  name: string,
  tenant: Tenant,
  fleet: Fleet,
  tally: Tally,
  told: Told,
): Promise<void> {
  const client = new ClusterClient(fleet, tally);
  const second = new ClusterClient(fleet, tally);
  const somebody = somebodyElse();
  const jobs: KnownJob[] = [];
  const applications: KnownApplication[] = [];
  const { companyId, key, shared } = tenant;
  const authorization = `Bearer ${key}`;
  let made = 0;

  const wrong = (text: string, answer?: Pick<Answer, 'status' | 'text'>): void =>
    tally.wrong(
      `${name}: ${text}${answer === undefined ? '' : `: ${answer.status} ${answer.text.slice(0, 500)}`}`,
    );
  const expect = (what: string, answer: Answer, ...statuses: number[]): boolean => {
    if (!statuses.includes(answer.status)) wrong(what, answer);
    const isDone = answer.status < 300 || answer.status === 303;
    if (isDone && !/^(get|list|search)/.test(what)) tally.acknowledged++;
    return isDone;
  };
  const fitting = (job: KnownJob, body: { status: JobStatus; title: string }, what: string): void => {
    const fits = job.statuses.has(body.status) && job.titles.has(body.title);
    const known = `${[...job.statuses]} "${[...job.titles]}"`;
    if (!fits) wrong(`${what} shows job ${job.id} as ${body.status} "${body.title}", known as ${known}`);
  };

  const create = async (): Promise<void> => {
    const jobName = `${name} job ${++made}`;
    const publish = chance(0.5);
    const body = { ...COMPLETE, title: jobName, questions: [], publish };
    const isKeyed = chance(0.7);
    const headers = { authorization, ...(isKeyed ? { 'idempotency-key': jobName } : {}) };
    const send = (from: ClusterClient) => from.until('POST', '/v1/jobs', { headers, body });
    let answer: Answer;
    if (isKeyed) {
      told.underKey.add(jobName);
      answer = await send(client);
      const again = chance(0.1) ? await Promise.all([send(client), send(second)]) : [];
      for (const { text } of again)
        if (text !== answer.text) wrong(`${jobName} has two answers: ${text}`, answer);
    } else {
      const once = await client.once('POST', '/v1/jobs', { headers, body });
      if (once === undefined) return void told.unknown.add(jobName);
      answer = { ...once, tries: 1 };
    }
    if (!expect(`create ${jobName}`, answer, 201)) return;
    const { id, status } = answer.body;
    if (status !== (publish ? 'ACTIVE' : 'DRAFT')) wrong(`created ${jobName} wrongly`, answer);
    const job = { id, companyId, name: jobName, titles: new Set([jobName]), statuses: new Set([status]) };
    jobs.push(job);
    told.jobs.push(job);
  };

  const get = async (): Promise<void> => {
    const job = pick(jobs);
    if (job === undefined) return;
    const answer = await client.until('GET', `/v1/jobs/${job.id}`, { headers: { authorization } });
    if (expect('get', answer, 200)) fitting(job, answer.body, 'a GET');
  };

  const list = async (): Promise<void> => {
    const status = chance(0.5) ? pick(['DRAFT', 'ACTIVE', 'PAUSED', 'CLOSED']) : undefined;
    const known = new Map(jobs.map((job) => [job.id, job]));
    const newest = Math.max(0, ...known.keys());
    let before = Number.POSITIVE_INFINITY;
    let cursor = '';
    for (let page = 0; page < LIST_PAGES_MAX; page++) {
      const query = `limit=${pick([10, 50, 100])}${status ? `&status=${status}` : ''}${cursor}`;
      const answer = await client.until('GET', `/v1/jobs?${query}`, { headers: { authorization } });
      if (!expect('list', answer, 200)) return;
      for (const item of answer.body.items) {
        if (item.id >= before || item.companyId !== companyId)
          wrong(`a list has job ${item.id} after ${before}`);
        if (status !== undefined && item.status !== status)
          wrong(`a list of ${status} has job ${item.id}, ${item.status}`);
        before = item.id;
        const job = known.get(item.id);
        if (job !== undefined) fitting(job, item, 'a list');
        known.delete(item.id);
      }
      const end = answer.body.nextCursor === null ? 0 : before;
      for (const job of known.values()) {
        const isDue =
          status === undefined || (job.statuses.size === 1 && job.statuses.has(status as JobStatus));
        if (isDue && job.id > end && job.id <= newest)
          wrong(`a list of ${status ?? 'all'} misses job ${job.id}`);
      }
      if (end === 0) return;
      cursor = `&cursor=${answer.body.nextCursor}`;
    }
  };

  const update = async (): Promise<void> => {
    const job = pick(jobs);
    if (job === undefined) return;
    const title = `${job.name} rev ${++made}`;
    const sent = { headers: { authorization }, body: { title, description: `Changed ${made} times.` } };
    const answer = await client.until('PATCH', `/v1/jobs/${job.id}`, sent);
    const mayRefuse = job.statuses.has('CLOSED');
    if (expect(`update of job ${job.id} (${[...job.statuses]})`, answer, 200, ...(mayRefuse ? [409] : []))) {
      job.titles = new Set([title]);
      fitting(job, answer.body, 'an update');
    }
  };

  const move = async (): Promise<void> => {
    const job = pick(jobs);
    if (job === undefined) return;
    const legal = KINDS.filter((kind) => MOVES[kind].from.some((from) => job.statuses.has(from)));
    const kind = pick(chance(0.9) && legal.length > 0 ? legal : KINDS);
    const { from, to } = MOVES[kind];
    const isKeyed = chance(0.7);
    const headers = { authorization, ...(isKeyed ? { 'idempotency-key': `${name} move ${++made}` } : {}) };
    const path = `/v1/jobs/${job.id}/${kind}`;
    const known = `${[...job.statuses]}`;
    const once = isKeyed
      ? await client.until('POST', path, { headers })
      : await client.once('POST', path, { headers });
    if (once === undefined) {
      if (from.some((one) => job.statuses.has(one))) job.statuses.add(to);
      return;
    }
    const left = [...job.statuses].filter((status) => !from.includes(status));
    const isPossible = once.status === 200 ? left.length < job.statuses.size : left.length > 0;
    if (!isPossible) wrong(`${kind} of job ${job.id}, known as ${known}`, once);
    if (expect(kind, { ...once, tries: 1 }, 200, 409)) job.statuses = new Set([to]);
    else if (left.length > 0) job.statuses = new Set(left);
  };

  const upload = async (): Promise<string> => {
    const body = chance(0.1) ? PDF : Buffer.concat([PDF, randomBytes(pick([200, 20_000]))]);
    const answer = await client.until('POST', '/candidate/v1/files?name=cv.pdf', { body });
    if (!expect('upload', answer, 201, 429)) return pick(told.files);
    told.files.push(answer.body.fileId);
    return answer.body.fileId;
  };

  // biome-ignore lint/suspicious/noExplicitAny: a job as the engine answers it
  const applyTo = async (job: any, refusals: number[]): Promise<void> => {
    const fileId = await upload();
    const email = `${name}.${++made}@example.com`.replaceAll(' ', '.');
    const [number, choice] = job.questions;
    const answers = number === undefined ? {} : { [number.id]: made, [choice.id]: ['first'] };
    const meets = chance(0.8) ? job.qualifications.map(({ id }: { id: string }) => id) : [];
    const body = somebody({ email, resume: fileId, answers, meets });
    const answer = await client.until('POST', `/candidate/v1/jobs/${job.id}/applications`, { body });
    const { tries, body: taken } = answer;
    const isThere = tries > 1 && taken?.error?.code === 'ALREADY_APPLIED';
    if (!isThere && !expect(`apply to job ${job.id}`, answer, 201, ...refusals)) return;
    const decisions = new Set(['pending']);
    const application = { jobId: job.id, companyId, email, id: taken.id, fileId, decisions };
    if (taken.id !== undefined) applications.push(application);
    told.applications.push(application);
  };
  const apply = () => applyTo(pick(shared), []);

  /** The questions of a job that somebody applies to at the same moment: they change before, or not at all. */
  const freeze = async (): Promise<void> => {
    const job = jobs.find(({ statuses }) => statuses.size === 1 && statuses.has('ACTIVE'));
    if (job === undefined) return;
    const { body } = await client.until('GET', `/candidate/v1/jobs/${job.id}`);
    if (body.qualifications === undefined) return wrong(`job ${job.id} is not open`);
    const qualifications = [{ text: `Changed ${++made}`, kind: 'REQUIRED', order: 1 }];
    const edit = second.until('PATCH', `/v1/jobs/${job.id}`, {
      headers: { authorization },
      body: { qualifications },
    });
    const [edited] = await Promise.all([edit, applyTo({ ...body, questions: [] }, [422])]);
    expect(`edit of the qualifications of job ${job.id}`, edited, 200, 409);
  };

  const thaw = async (): Promise<void> => {
    const job = pick(shared);
    const questions = [{ prompt: 'Another one?', answerFormat: 'TEXT', order: 1 }];
    const sent = { headers: { authorization }, body: { questions } };
    const answer = await client.until('PATCH', `/v1/jobs/${job.id}`, sent);
    if (answer.body?.error?.code !== 'JOB_FROZEN') wrong(`job ${job.id} is frozen`, answer);
  };

  const decide = async (): Promise<void> => {
    const application = pick(applications);
    if (application === undefined) return;
    const to = pick(['accepted', 'rejected']);
    application.decisions.add(to);
    const answer = await client.until('POST', `/dashboard/applications/${application.id}/decide`, {
      session: tenant.session,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({ csrf: tenant.csrf, to }).toString(),
    });
    if (expect(`decision on application ${application.id}`, answer, 303))
      application.decisions = new Set([to]);
  };

  const search = async (): Promise<void> => {
    const q = pick(['Austin', 'Munich', 'San']);
    const answer = await client.until('GET', `/v1/locations/search?q=${q}`, { headers: { authorization } });
    if (expect('search', answer, 200) && answer.body.items.length === 0)
      wrong('search finds nothing', answer);
  };

  const browse = async (): Promise<void> => {
    const answer = await client.until('GET', `/candidate/v1/jobs?limit=${pick([5, 20])}`);
    if (!expect('list of openings', answer, 200)) return;
    const ids: number[] = answer.body.items.map(({ id }: { id: number }) => id);
    if (ids.some((id, index) => index > 0 && id >= (ids[index - 1] ?? 0)))
      wrong('openings are out of order', answer);
  };

  const mix = [
    create,
    create,
    create,
    get,
    get,
    get,
    list,
    update,
    update,
    move,
    move,
    move,
    apply,
    apply,
    apply,
  ];
  const all = [...mix, freeze, thaw, decide, search, browse];
  while (!tally.isOver) {
    const operation = pick(all);
    tally.count(operation.name);
    await operation().catch((error: unknown) => wrong(`${operation.name} threw ${(error as Error).stack}`));
  }
  await Promise.all([client.close(), second.close()]);
}
