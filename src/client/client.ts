import { setMaxListeners } from 'node:events';
import { differencesFromCreate, findDifferences } from '../contract/entries.ts';
import { PartnerError } from '../contract/errors.ts';
import type { JobInput, JobUpdate, LocationSuggestion } from '../contract/job.ts';
import { hasMoved, notMoved } from '../contract/lifecycle.ts';
import { TRANSITIONS, type Transition } from '../contract/operations.ts';
import { LIST_LIMIT_MAX } from '../contract/values.ts';
import type { PlaceQuery } from '../places/place-names.ts';
import {
  assertUsableKey,
  type Call,
  type ClientContext,
  type ClientOptions,
  type Outcome,
  pause,
  perform,
  withoutKey,
} from './call.ts';
import {
  decodeChanged,
  decodeCreated,
  decodeFoundJob,
  decodeJobPage,
  decodePlaces,
  type JobPage,
  type JobQuery,
  matchesFilter,
} from './decode.ts';
import { type Answer, type Deadline, withDeadline } from './exchange.ts';
import { assertOffered, learnNotOffered, mayMeanNotOffered, performOptional } from './optional-operation.ts';
import type { ServerJob } from './server-job.ts';
import { LearnedTraits, type ServerTraits } from './traits.ts';

export type { ClientOptions, Wait } from './call.ts';
export type { Send, TraceEvent } from './exchange.ts';
export type { ServerJob } from './server-job.ts';
export type { ServerTraits } from './traits.ts';

const OLD_PAGES_MAX = 100;
const LIST_PAGES_MAX = 10_000;

const POLL_FIRST_MS = 100;
const POLL_MAX_MS = 5000;

export class PartnerClient {
  readonly #context: ClientContext;
  /** List query that the server accepts: 0 is complete, 1 omits the limit, 2 omits the limit and the filters. */
  #listForm = 0;

  constructor(options: ClientOptions) {
    // Prevents Node's warning about many listeners, because every running call adds one.
    if (options.signal !== undefined) setMaxListeners(0, options.signal);
    this.#context = { ...options, learned: new LearnedTraits(options.traits, options.clock) };
  }

  get traits(): ServerTraits {
    return this.#context.learned.known;
  }

  /** Traits to store for the next client. Undefined if there are no new ones. */
  get newTraits(): ServerTraits | undefined {
    return this.#context.learned.news;
  }

  learn(traits: ServerTraits): void {
    this.#context.learned.learn(traits);
  }

  /** Throws OUTCOME_UNKNOWN if the server may have created the job without responding. */
  createJob(
    input: JobInput,
    { idempotencyKey, onReplay }: Pick<Call<unknown>, 'idempotencyKey' | 'onReplay'> = {},
  ): Promise<ServerJob> {
    return this.#withinDeadline(async (deadline) => {
      const decode = (answer: Answer) => ({ made: decodeCreated(answer), isPending: answer.status === 202 });
      const key = idempotencyKey ?? this.#context.newIdempotencyKey();
      const call = { operation: 'createJob', body: input, idempotencyKey: key, onReplay, decode } as const;
      const { made, isPending } = await this.#value(call, deadline);
      const job = typeof made === 'number' ? await this.#readBack(made, deadline, true) : made;
      const isShown = (seen: ServerJob) =>
        (!input.publish || (isPending ? hasMoved('publish', seen.status) : seen.status !== undefined)) &&
        differencesFromCreate(input, seen).every(({ to }) => !isPending && to !== undefined);
      return this.#readSettledJob(job.id, { job, isPending }, isShown, deadline);
    });
  }

  updateJob(id: number, patch: JobUpdate): Promise<ServerJob> {
    return this.#withinDeadline(async (deadline) => {
      const call = { operation: 'updateJob', id, body: patch, decode: decodeChanged } as const;
      const isAsSent = (seen: ServerJob) => findDifferences(patch, seen).length === 0;
      return this.#readSettledJob(id, await this.#value(call, deadline), isAsSent, deadline);
    });
  }

  /** Throws OPERATION_NOT_OFFERED if the server lacks the transition (decision 2), or SERVER_FAILED. */
  transition(name: Transition, id: number): Promise<ServerJob> {
    return this.#withinDeadline(async (deadline) => {
      const idempotencyKey = this.#context.newIdempotencyKey();
      const call = { operation: TRANSITIONS[name], id, idempotencyKey, decode: decodeChanged };
      assertOffered(this.#context, call);
      const outcome = await perform(this.#context, call, deadline);
      if (outcome.error !== undefined) return this.#afterRefusal(name, id, outcome, deadline);
      const isMoved = ({ status }: ServerJob) => hasMoved(name, status);
      const job = await this.#readSettledJob(id, outcome.value, isMoved, deadline);
      if (!isMoved(job)) throw notMoved(name, id, job.status);
      this.#context.learned.learnOffered(call.operation);
      return job;
    });
  }

  getJob(id: number): Promise<ServerJob> {
    return this.#withinDeadline((deadline) => this.#read(id, deadline));
  }

  get listsJobs(): boolean {
    return !this.#context.learned.isRefused('listJobs');
  }

  get hasListedJobs(): boolean {
    return this.#context.traits?.listsJobs === true || this.traits.listsJobs === true;
  }

  /** Returns one page, unfiltered if the server refuses filters. Throws OPERATION_NOT_OFFERED (decision 5). */
  listJobs({ status, opportunityId, limit, cursor }: JobQuery = {}): Promise<JobPage> {
    const forms = [{ status, opportunityId, limit, cursor }, { status, opportunityId, cursor }, { cursor }];
    const buildListCall = (form: number): Call<JobPage> => ({
      operation: 'listJobs',
      query: { ...forms[form] },
      decode: (answer) => {
        const page = decodeJobPage(answer);
        this.#listForm = form;
        return page;
      },
    });
    const isSimpler = [false, limit !== undefined, (status ?? opportunityId) !== undefined];
    const simpler = [1, 2].filter((form) => form > this.#listForm && isSimpler[form]);
    return this.#withinDeadline((deadline) => {
      const calls = [buildListCall(this.#listForm), ...simpler.map(buildListCall)] as const;
      return performOptional(this.#context, calls, this.#search({ q: 'Boston' }), deadline);
    });
  }

  async *allJobs(
    { limit, cursor, ...filter }: JobQuery = {},
    pages = Number.POSITIVE_INFINITY,
  ): AsyncGenerator<ServerJob, void, undefined> {
    const ids = new Set<number>();
    let next = cursor;
    let left = limit ?? Number.POSITIVE_INFINITY;
    let oldInARow = 0;
    for (let read = 0; read < pages && left > 0; read++) {
      if (read === LIST_PAGES_MAX)
        throw endlessList(`doesn't end within ${LIST_PAGES_MAX} pages (${ids.size} jobs)`);
      const pageLimit = limit === undefined ? undefined : Math.min(left, LIST_LIMIT_MAX);
      const page = await this.listJobs({ ...filter, limit: pageLimit, cursor: next });
      const before = ids.size;
      for (const job of page.items) {
        if (left === 0 || ids.has(job.id)) continue;
        ids.add(job.id);
        if (!matchesFilter(job, filter)) continue;
        left--;
        yield job;
      }
      if (page.nextCursor === null) return;
      oldInARow = ids.size > before ? 0 : oldInARow + 1;
      if (oldInARow > OLD_PAGES_MAX) throw endlessList('keeps returning pages without new jobs');
      // Some servers return the same empty page forever.
      if (page.nextCursor === next && page.items.length === 0) return;
      next = page.nextCursor;
    }
  }

  /** Pass `signal` for a search while the user types. Such a search doesn't call `onWait`. */
  searchLocations(query: PlaceQuery, signal?: AbortSignal): Promise<LocationSuggestion[]> {
    const call = { ...this.#search(query), isQuiet: signal !== undefined };
    return this.#withinDeadline((deadline) => this.#value(call, deadline), signal);
  }

  #search({ q, ...more }: PlaceQuery): Call<LocationSuggestion[]> {
    const query = { [this.#context.locationQueryParameter ?? 'q']: q, ...more };
    return { operation: 'searchLocations', query, decode: decodePlaces };
  }

  async #withinDeadline<T>(work: (deadline: Deadline) => Promise<T>, own?: AbortSignal): Promise<T> {
    const { key } = this.#context;
    assertUsableKey(key);
    return withDeadline(this.#context, work, own).catch((error: unknown) => {
      throw error instanceof PartnerError ? withoutKey(error, key) : error;
    });
  }

  async #value<T>(call: Call<T>, deadline: Deadline): Promise<T> {
    const outcome = await perform(this.#context, call, deadline);
    if (outcome.error !== undefined) throw outcome.error;
    return outcome.value;
  }

  async #read(id: number, deadline: Deadline): Promise<ServerJob> {
    const job = await this.#value({ operation: 'getJob', id, decode: decodeFoundJob }, deadline);
    if (job.id === id) return job;
    throw new PartnerError('ANSWER_UNREADABLE', {
      message: `expected job ${id} from the server, got job ${job.id}`,
    });
  }

  /** If a job isn't as expected, reads it again: once, or until the deadline after a 202. */
  async #readSettledJob(
    id: number,
    { job, isPending }: ReturnType<typeof decodeChanged>,
    isExpected: (job: ServerJob) => boolean,
    deadline: Deadline,
  ): Promise<ServerJob> {
    let seen = job?.id === id ? job : await this.#readBack(id, deadline);
    for (let waitMs = 0; !isExpected(seen); waitMs = Math.min(waitMs * 2 || POLL_FIRST_MS, POLL_MAX_MS)) {
      const isLate = waitMs >= deadline.atMs - this.#context.monotonicNow();
      if (waitMs > 0 && (!isPending || isLate)) break;
      const stop = waitMs > 0 ? await pause(this.#context, waitMs, deadline) : undefined;
      if (stop !== undefined) throw stop;
      seen = await this.#read(id, deadline).catch(() => seen);
    }
    return seen;
  }

  /** Reads a job after an empty response (decision 6). An error here doesn't mean that the change failed. */
  #readBack(id: number, deadline: Deadline, isCreated = false): Promise<ServerJob> {
    return this.#read(id, deadline).catch((error: unknown) => {
      if (!(error instanceof PartnerError)) throw error;
      const hint = `the server accepted the request, but reading job ${id} back failed. Check it with \`partner jobs get ${id}\``;
      throw error.with({ hint, mayHaveCreated: isCreated });
    });
  }

  async #afterRefusal(
    name: Transition,
    id: number,
    { error, mayHaveRun }: Extract<Outcome<unknown>, { error: PartnerError }>,
    deadline: Deadline,
  ): Promise<ServerJob> {
    const operation = TRANSITIONS[name];
    const isOddSuccess = error.status !== undefined && error.status < 300;
    const isMaybeDone = isOddSuccess || (mayHaveRun && error.code === 'INVALID_TRANSITION');
    const isMaybeNotOffered = mayMeanNotOffered(this.#context, operation, error);
    if (!isMaybeDone && !isMaybeNotOffered) throw error;
    const job = await this.#read(id, deadline).catch((failure: unknown) => {
      if (failure instanceof PartnerError && failure.code === 'NOT_FOUND') throw failure;
    });
    if (isMaybeDone && hasMoved(name, job?.status)) return job as ServerJob;
    if (!isMaybeNotOffered || job === undefined) throw error;
    throw learnNotOffered(this.#context, { operation, id }, error.status);
  }
}

function endlessList(how: string): PartnerError {
  return new PartnerError('ANSWER_UNREADABLE', {
    message: `the list of jobs ${how}`,
    hint: 'not all jobs were read. Contact the operator of the server. `partner jobs get ID` still shows a single job',
  });
}
