import type { JobContent } from '../../src/contract/job.ts';

/** An answer to a route that the specification does not show. */
export interface UnknownRoute {
  readonly status: number;
  readonly body: string;
  readonly type?: string;
  readonly location?: string;
}

export interface StoredJob {
  readonly id: number;
  readonly companyId: string;
  status: string;
  content: JobContent;
  publishedAt: Date | null;
  expiresAt: Date | null;
  closedAt: Date | null;
}

export interface Reply {
  readonly status: number;
  readonly body?: unknown;
  /** As it is, instead of `body` as JSON. */
  readonly raw?: UnknownRoute;
}

/** A wrong way to answer calls, as a row of a JSON table. A call is carried out unless it says otherwise. */
export interface Lie {
  /** `create`, `publish`, `get`, `list` and so on; without it, every call that changes a job. */
  readonly on?: readonly string[];
  /** The job stays as it was, for good or until it's read for the Nth time. A created job stays a draft. */
  readonly skips?: true | number;
  /** Fields of the request that are ignored. */
  readonly ignores?: readonly string[];
  /** Fields that the answer has instead of its own, and the only ones that it has. */
  readonly says?: object;
  readonly only?: readonly string[];
  readonly status?: number;
  readonly raw?: Omit<UnknownRoute, 'status'>;
}

const CHANGES: readonly string[] = ['create', 'update', 'publish', 'pause', 'resume', 'close'];
const later = new WeakMap<StoredJob, { left: number; readonly after: object }>();

/** Answers a call wrongly, if the lie is about such calls. `answer` answers it rightly and gives its job. */
export function lyingReply(
  { on = CHANGES, skips, ignores = [], says, only, ...lie }: Lie,
  { name, sent, before }: { name: string; sent: object | undefined; before: StoredJob | undefined },
  answer: (sent: object | undefined) => { readonly reply: Reply; readonly job: StoredJob | undefined },
  write: (job: StoredJob) => object,
): Reply {
  if (!on.includes(name)) return answer(sent).reply;
  const was = before ? { ...before } : { status: 'DRAFT', publishedAt: null, expiresAt: null };
  const kept = Object.entries(sent ?? {}).filter(([field]) => !ignores.includes(field));
  const { reply, job } = answer(sent && Object.fromEntries(kept));
  const { status = reply.status, raw } = lie;
  const isDone = job !== undefined && reply.status < 400;
  if (isDone && typeof skips === 'number') later.set(job, { left: skips, after: { ...job } });
  if (isDone && skips) Object.assign(job, was);
  if (raw !== undefined) return { status, raw: { status, ...raw } };
  if (!isDone) return reply;
  const fields = Object.entries({ ...write(job), ...says }).filter(
    ([field]) => only?.includes(field) ?? true,
  );
  return { status, body: Object.fromEntries(fields) };
}

/** Carries out at this read what an earlier call only accepted. */
export function readOnce(job: StoredJob): void {
  const due = later.get(job);
  if (due !== undefined && --due.left === 0) Object.assign(job, due.after);
}
