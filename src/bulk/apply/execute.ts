import type { PartnerClient, ServerJob } from '../../client/client.ts';
import { differencesFromCreate, findDifferences } from '../../contract/entries.ts';
import { type ErrorCode, PartnerError } from '../../contract/errors.ts';
import { hasEnded, notMoved } from '../../contract/lifecycle.ts';
import { inPool } from '../../contract/promises.ts';
import { fieldDigests } from '../plan/content.ts';
import { type DesiredListing, takeContent } from '../plan/desired-listing.ts';
import { updateEntry } from '../plan/entry-after.ts';
import { createNote } from '../plan/notes.ts';
import type { PlanAction, PlanItem } from '../plan/plan-item.ts';
import type { PlannedSet } from '../plan/plan-set.ts';
import { jobOrNone } from '../server-jobs.ts';
import type { StateEntry } from '../state/state.ts';
import { type CreateOutcome, type CreateParts, type PendingParts, sendCreate } from './create.ts';
import type { ItemOutcome } from './outcome.ts';
import { STATE_GONE } from './run-stop.ts';

export interface ExecuteParts extends PendingParts {
  readonly monotonicNow: () => number;
  readonly newIdempotencyKey: (wanted: DesiredListing, again: number) => string;
  readonly lookalikes: (wanted: DesiredListing) => Promise<readonly number[] | undefined>;
  /** Pending creates of an earlier run. */
  readonly resolved: ReadonlyMap<string, Pick<CreateOutcome, 'error'>>;
  readonly onProgress: (progress: ApplyProgress) => void;
}

export interface ApplyProgress {
  readonly total: number;
  readonly done: number;
  readonly failed: number;
  readonly startedAt: number;
}

export interface Task {
  readonly item: PlanItem;
  readonly wanted?: DesiredListing | undefined;
  readonly before?: StateEntry | undefined;
}

export function listTasks({ plan, matching }: PlannedSet): Task[] {
  const matches = new Map(matching.matches.map((match) => [match.wanted.key, match]));
  const orphans = new Map(matching.orphans.map(({ key, entry }) => [key, entry]));
  return plan.items.map((item) => {
    const match = matches.get(item.key);
    return { item, wanted: match?.wanted, before: match?.entry ?? orphans.get(item.key) };
  });
}

/** Applies the items. Returns outcomes in the plan's order. If `stop` gets a reason, the other items are `left`. */
export async function executeAll(tasks: readonly Task[], parts: ExecuteParts): Promise<ItemOutcome[]> {
  const { concurrency, stop, gate, monotonicNow, onProgress } = parts;
  const outcomes = new Map<PlanItem, ItemOutcome>();
  const progress = { total: tasks.length, done: 0, failed: 0, startedAt: monotonicNow() };
  const work = async (task: Task): Promise<void> => {
    const outcome = await execute(task, parts);
    outcomes.set(task.item, outcome);
    stop.note(outcome.error);
    progress.done++;
    if (outcome.result === 'failed' || outcome.result === 'unknown') progress.failed++;
    onProgress({ ...progress });
  };
  await inPool(tasks, concurrency, work, () => stop.reason !== undefined);
  const error = stop.reason ?? gate.refusal;
  const left = { result: 'left', published: false, error, durationMs: 0 } as const;
  return tasks.map(({ item }) => outcomes.get(item) ?? { item, jobId: item.jobId, ...left });
}

type Done = Pick<ItemOutcome, 'result'> & Partial<ItemOutcome>;

const NOT_ATTEMPTED: readonly ErrorCode[] = ['WAIT_TOO_LONG', 'INTERRUPTED', ...STATE_GONE];

export async function execute(task: Task, parts: ExecuteParts): Promise<ItemOutcome> {
  const { item } = task;
  const startedAt = parts.monotonicNow();
  const done = await DO[item.action](task, parts).catch((error: unknown): Done => {
    if (!(error instanceof PartnerError)) throw error;
    const isLeft = error === parts.gate.refusal || NOT_ATTEMPTED.includes(error.code);
    return { result: isLeft ? 'left' : 'failed', error };
  });
  const durationMs = parts.monotonicNow() - startedAt;
  return { item, jobId: item.jobId, published: false, error: undefined, ...done, durationMs };
}

const DO: Readonly<Record<PlanAction, (task: Task, parts: ExecuteParts) => Promise<Done>>> = {
  create,
  update,
  publish,
  close,
  record,
  held: async () => ({ result: 'held' }),
  settle: async ({ item }, { resolved }) => ({ result: 'unknown', error: resolved.get(item.key)?.error }),
};

async function create({ item, wanted }: Task, parts: ExecuteParts): Promise<Done> {
  if (wanted === undefined) throw new Error(`the plan has no listing for ${item.key}`);
  const { key, replaces } = item;
  if (replaces !== undefined)
    await assertJobEnded(replaces, parts.client, 'no other job was created in its place');
  const content = takeContent(wanted);
  const body = item.publish ? { ...content, publish: true } : content;
  const first = replaces === undefined ? 0 : 1;
  let alike: readonly number[] | undefined = [];
  for (let again = first; again < first + KEYS_TRIED && alike?.length === 0; again++) {
    const idempotencyKey = parts.newIdempotencyKey(wanted, again);
    const intent = { key, idempotencyKey, at: parts.serverNow(), body, replaces, name: wanted.name };
    const outcome = await sendCreate(intent, 'first', parts, wanted.digests);
    if (outcome.is === 'made') {
      const done = await completeCreate(outcome, item.publish, parts);
      if (!outcome.isAdopted) return { ...done, differences: differencesFromCreate(body, outcome.job) };
      const notes = [...item.notes, createNote('CREATED_ELSEWHERE', { jobId: outcome.job.id })];
      return { ...done, item: { ...item, action: 'record', jobId: outcome.job.id, notes } };
    }
    if (outcome.is === 'unknown') return { result: 'unknown', error: outcome.error };
    if (outcome.error.code !== 'IDEMPOTENCY_CONFLICT') throw outcome.error;
    // The key was used for another version of the listing, for another listing, or for a closed job.
    alike = await parts.lookalikes(wanted);
  }
  const error = new PartnerError('IDEMPOTENCY_CONFLICT', {
    message: `another run created ${alike?.[0] ? `job ${alike.join(' or ')}` : 'a job'} from a different version of this listing. No second job was created`,
    hint: `apply again with that run's state, or link the job with --adopt ${key}=${alike?.[0] ?? 'ID'}. If the listing is new, pass --create-anyway`,
  });
  return { result: 'held', error };
}

const KEYS_TRIED = 10;

type PublishParts = Pick<CreateParts, 'gate' | 'client'>;

export async function completeCreate(
  { job: { id, status }, isAdopted }: Extract<CreateOutcome, { is: 'made' }>,
  isToBeLive: boolean,
  parts: PublishParts,
): Promise<Done> {
  const isLive = isToBeLive && status === 'ACTIVE';
  const done: Done = {
    result: isAdopted ? 'recorded' : 'created',
    jobId: id,
    published: isLive && !isAdopted,
  };
  if (!isToBeLive || isLive) return done;
  if (status === 'DRAFT') return publishThroughGate(done, id, parts);
  return { ...done, error: notMoved('publish', id, status) };
}

/** Throws PLAN_OUTDATED if the job still exists and hasn't ended. An earlier 404 may come from an outdated replica. */
async function assertJobEnded(jobId: number, client: PartnerClient, so: string): Promise<void> {
  const job = await jobOrNone(client, jobId);
  if (job === undefined || hasEnded(job.status)) return;
  throw new PartnerError('PLAN_OUTDATED', {
    message: `job ${jobId} still exists and is ${job.status}: ${so}`,
    hint: 'run the command again to create a new plan',
  });
}

async function update(task: Task, parts: ExecuteParts): Promise<Done> {
  const { item } = task;
  const jobId = getJobId(item);
  await recordSending(task, { sent: fieldDigests(item.patch) }, parts);
  const job = await parts.client.updateJob(jobId, item.patch);
  remember(task, job, parts);
  const done = { result: 'updated', differences: findDifferences({ ...item.patch }, job) } as const;
  return item.publish ? publishThroughGate(done, jobId, parts) : done;
}

async function publishThroughGate(done: Done, jobId: number, { gate, client }: PublishParts): Promise<Done> {
  try {
    await gate.pass(() => client.transition('publish', jobId));
    return { ...done, published: true };
  } catch (error) {
    if (!(error instanceof PartnerError)) throw error;
    return error === gate.refusal ? { ...done, error } : { ...done, result: 'failed', error };
  }
}

async function publish(task: Task, parts: ExecuteParts): Promise<Done> {
  const job = await parts.gate.pass(() => parts.client.transition('publish', getJobId(task.item)));
  remember(task, job, parts);
  return { result: 'published', published: true };
}

async function close(task: Task, parts: ExecuteParts): Promise<Done> {
  const { client, journal } = parts;
  const jobId = getJobId(task.item);
  await recordSending(task, { closing: true }, parts);
  await client.transition('close', jobId);
  journal.record({ kind: 'forget', key: task.item.key, job: jobId });
  return { result: 'closed' };
}

/** Records a request before it's sent. If this run is killed, the next run won't report an edit on the server. */
async function recordSending({ item, before }: Task, change: Partial<StateEntry>, { journal }: ExecuteParts) {
  if (before === undefined) return;
  journal.record({ kind: 'entry', key: item.key, entry: { ...before, ...change } });
  await journal.written();
}

async function record(task: Task, parts: ExecuteParts): Promise<Done> {
  const { item } = task;
  if (item.forget && item.status === undefined) {
    await assertJobEnded(getJobId(item), parts.client, 'its entry stays in the state');
  }
  remember(task, undefined, parts);
  return { result: 'recorded' };
}

function remember({ item, wanted, before }: Task, job: ServerJob | undefined, { journal }: ExecuteParts) {
  if (before === undefined) throw new Error(`no state entry for ${item.key}`);
  const { key, jobId } = item;
  const entry = updateEntry(item, wanted, before, job);
  journal.record(entry === undefined ? { kind: 'forget', key, job: jobId } : { kind: 'entry', key, entry });
}

function getJobId({ jobId, key }: PlanItem): number {
  if (jobId === undefined) throw new Error(`the plan has no job for ${key}`);
  return jobId;
}
