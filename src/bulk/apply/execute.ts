import type { PartnerClient, ServerJob } from '../../client/client.ts';
import { type ErrorCode, PartnerError } from '../../contract/errors.ts';
import type { JobUpdate } from '../../contract/job.ts';
import { isOver } from '../../contract/lifecycle.ts';
import { fieldDigests } from '../plan/content.ts';
import type { PlanItem } from '../plan/plan-item.ts';
import { readJobs } from '../server-jobs.ts';
import type { FieldDigests, StateEntry } from '../state/state.ts';
import { type CreateParts, createFrom } from './create.ts';
import type { ApplyResult, ItemOutcome } from './outcome.ts';
import type { PublishCircuitBreaker } from './publish-circuit-breaker.ts';

export interface ExecuteParts extends CreateParts {
  readonly gate: PublishCircuitBreaker;
  readonly monotonicNow: () => number;
  /** As `BulkServer` has it. */
  readonly serverNow: () => number;
  readonly newIdempotencyKey: () => string;
  /** Why the creates of an earlier run are still of unknown outcome, by listing key. */
  readonly unsettled: ReadonlyMap<string, PartnerError>;
  /** The entry that a listing has so far. */
  readonly entryBefore: (item: PlanItem) => StateEntry | undefined;
  /** The entry that a listing has from now on, with its job as the server answered it. */
  readonly entryAfter: (item: PlanItem, job: ServerJob | undefined) => StateEntry | undefined;
}

/** An item with what it takes to do it: a create needs the listing's content. */
export interface Task {
  readonly item: PlanItem;
  /** Undefined where the listing is no longer what was planned: its file has changed or is gone. */
  readonly content?: JobUpdate | undefined;
  /** Of the content, where they are at hand. */
  readonly digests?: FieldDigests | undefined;
}

interface Done {
  readonly result: ApplyResult;
  readonly jobId?: number | undefined;
  readonly published?: boolean;
  readonly error?: PartnerError | undefined;
}

/** Does one item of a plan, and writes down what came of it. Throws what is no error of a call. */
export async function execute(task: Task, parts: ExecuteParts): Promise<ItemOutcome> {
  const { item } = task;
  const startedAt = parts.monotonicNow();
  const done = await DOING[item.action](task, parts).catch((error: unknown): Done => {
    if (!(error instanceof PartnerError)) throw error;
    const isLeft = error === parts.gate.refusal || LEAVES.includes(error.code);
    return { result: isLeft ? 'left' : 'failed', error };
  });
  const { result, jobId = item.jobId, published = false, error } = done;
  return { item, result, jobId, published, error, durationMs: parts.monotonicNow() - startedAt };
}

/** What ends the wait before a call is sent. */
const LEAVES: readonly ErrorCode[] = ['WAIT_TOO_LONG', 'INTERRUPTED'];

/** What an item that nothing was done for came to. */
export function untouched(item: PlanItem, result: ApplyResult, error?: PartnerError): ItemOutcome {
  return { item, result, jobId: item.jobId, published: false, error, durationMs: 0 };
}

const DOING: Readonly<Record<PlanItem['action'], (task: Task, parts: ExecuteParts) => Promise<Done>>> = {
  create,
  update,
  publish,
  close,
  record,
  held: async () => ({ result: 'held' }),
  settle: async ({ item }, { unsettled }) => {
    const error = unsettled.get(item.key);
    return { result: 'unknown', ...(error === undefined ? {} : { error }) };
  },
};

async function create({ item, content, digests }: Task, parts: ExecuteParts): Promise<Done> {
  if (content === undefined) throw changedMeanwhile();
  const { client, gate, journal, serverNow, newIdempotencyKey } = parts;
  if (item.replaces !== undefined) {
    await assertOver(item.replaces, client, 'no other was made in its place');
  }
  const body = item.publish ? { ...content, publish: true } : content;
  const send = async (): Promise<Done> => {
    const { key, replaces } = item;
    const intent = { key, idempotencyKey: newIdempotencyKey(), at: serverNow(), body, replaces };
    await journal.intend(intent);
    const outcome = await createFrom({ ...intent, digests }, parts);
    if ('refused' in outcome) throw outcome.refused;
    if ('unknown' in outcome) return { result: 'unknown', error: outcome.unknown };
    const { id, status } = outcome.made;
    return { result: 'created', jobId: id, published: item.publish && status !== 'DRAFT' };
  };
  if (!item.publish) return send();
  const done = await gate.pass(send);
  // A server that takes no notice of `publish` has made a draft.
  if (done.jobId === undefined || done.published) return done;
  return madeLive(done, done.jobId, parts);
}

/** A job is replaced or forgotten where it is over; one 404 may be that of a server that was asked too soon. */
async function assertOver(jobId: number, client: PartnerClient, so: string): Promise<void> {
  await readJobs(client, new Set([jobId]), 1, (_, job) => {
    if (job === undefined || isOver(job.status)) return;
    throw new PartnerError('PLAN_OUTDATED', {
      message: `job ${jobId} is there and ${job.status}: ${so}`,
      hint: 'run it again: it is planned anew then',
    });
  });
}

async function update({ item }: Task, parts: ExecuteParts): Promise<Done> {
  const jobId = jobOf(item);
  const answered = await sent(item, { sent: fieldDigests(item.patch) }, parts, () =>
    parts.client.updateJob(jobId, item.patch),
  );
  remember(item, answered, parts);
  return item.publish ? madeLive({ result: 'updated' }, jobId, parts) : { result: 'updated' };
}

/** What was done, and its job published behind it. Throws what is no error of a call. */
export async function madeLive<T extends Done>(
  done: T,
  jobId: number,
  { gate, client }: Pick<ExecuteParts, 'gate' | 'client'>,
): Promise<T> {
  try {
    await gate.pass(() => client.transition('publish', jobId));
    return { ...done, published: true };
  } catch (error) {
    if (!(error instanceof PartnerError)) throw error;
    // The change is made; what is missing is told beside it.
    return error === gate.refusal ? { ...done, error } : { ...done, result: 'failed', error };
  }
}

async function publish({ item }: Task, parts: ExecuteParts): Promise<Done> {
  const job = await parts.gate.pass(() => parts.client.transition('publish', jobOf(item)));
  remember(item, job, parts);
  return { result: 'published', published: true };
}

async function close({ item }: Task, parts: ExecuteParts): Promise<Done> {
  const { client, journal } = parts;
  const jobId = jobOf(item);
  const answered = await sent(item, { closing: true }, parts, () => client.transition('close', jobId));
  const { status } = isOver(answered.status) ? answered : await client.getJob(jobId);
  // A job that is remembered no more is closed by nobody.
  if (!isOver(status)) throw notClosed(jobId, status);
  journal.record({ kind: 'forget', key: item.key, job: jobId });
  return { result: 'closed' };
}

/**
 * Writes down what is about to be sent before it is sent: killed before the answer is written down, the next run knows
 * that what it finds on the server is this one's work.
 */
async function sent(
  item: PlanItem,
  change: Pick<StateEntry, 'sent' | 'closing'>,
  { journal, entryBefore }: ExecuteParts,
  send: () => Promise<ServerJob>,
): Promise<ServerJob> {
  const before = entryBefore(item);
  if (before === undefined) return send();
  journal.record({ kind: 'entry', key: item.key, entry: { ...before, ...change } });
  await journal.written();
  return send();
}

async function record({ item }: Task, parts: ExecuteParts): Promise<Done> {
  if (item.forget && item.status === undefined) {
    await assertOver(jobOf(item), parts.client, 'it stays remembered');
  }
  remember(item, undefined, parts);
  return { result: 'recorded' };
}

function remember(item: PlanItem, job: ServerJob | undefined, { journal, entryAfter }: ExecuteParts): void {
  const entry = entryAfter(item, job);
  if (entry === undefined) journal.record({ kind: 'forget', key: item.key, job: item.jobId });
  else journal.record({ kind: 'entry', key: item.key, entry });
}

function jobOf({ jobId, key }: PlanItem): number {
  if (jobId === undefined) throw new Error(`the plan has no job for ${key}`);
  return jobId;
}

function notClosed(jobId: number, status: unknown): PartnerError {
  return new PartnerError('SERVER_FAILED', {
    message: `the server refused nothing when job ${jobId} was to be closed, and its status is ${status ?? 'none'} all the same`,
    hint: 'the listing stays remembered: run it again later',
  });
}

function changedMeanwhile(): PartnerError {
  return new PartnerError('FILE_INVALID', {
    message: 'the listing has changed since it was checked: nothing was sent for it',
    hint: 'run it again when nobody writes to the files',
  });
}
