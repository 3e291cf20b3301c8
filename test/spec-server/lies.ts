import type { JobContent } from '../../src/contract/job.ts';

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
  /** Sent instead of `body`, not as JSON. */
  readonly raw?: UnknownRoute;
}

/** A wrong response, as a row of a JSON table. The request is carried out unless `skips` is set. */
export interface Lie {
  /** Operations such as `create`, `publish`, `get` or `list`. Default: all that change a job. */
  readonly on?: readonly string[];
  /** The job doesn't change, either ever or until its Nth read. A created job stays a draft. */
  readonly skips?: true | number;
  readonly ignores?: readonly string[];
  /** `says` replaces fields of the response; `only` removes all others. */
  readonly says?: object;
  readonly only?: readonly string[];
  readonly status?: number;
  readonly raw?: Omit<UnknownRoute, 'status'>;
}

const CHANGES: readonly string[] = ['create', 'update', 'publish', 'pause', 'resume', 'close'];
const later = new WeakMap<StoredJob, { left: number; readonly after: object }>();

/** If the lie doesn't cover the request, `answer` gives the correct response. */
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

/** Carries out a change that an earlier request only accepted, when it's due at this read. */
export function readOnce(job: StoredJob): void {
  const due = later.get(job);
  if (due !== undefined && --due.left === 0) Object.assign(job, due.after);
}
