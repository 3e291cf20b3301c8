import { setMaxListeners } from 'node:events';
import { PartnerError } from '../contract/errors.ts';
import type { JobInput, JobUpdate, LocationSuggestion } from '../contract/job.ts';
import { MOVES } from '../contract/lifecycle.ts';
import { TRANSITIONS, type Transition } from '../contract/operations.ts';
import type { PlaceQuery } from '../contract/place-names.ts';
import { LIST_LIMIT_MAX } from '../contract/values.ts';
import {
  type Call,
  type ClientContext,
  type ClientOptions,
  type Outcome,
  perform,
  withoutKey,
} from './call.ts';
import {
  decodeCreated,
  decodeFoundJob,
  decodeJob,
  decodeJobPage,
  decodePlaces,
  type JobPage,
} from './decode.ts';
import { type Deadline, startDeadline } from './exchange.ts';
import { assertOffered, learnNotOffered, mayMeanNotOffered, performOptional } from './optional-operation.ts';
import type { ServerJob } from './server-job.ts';
import { LearnedTraits, type ServerTraits } from './traits.ts';

export type { ClientOptions, Wait } from './call.ts';
export type { Send, TraceEvent } from './exchange.ts';
export type { ServerJob } from './server-job.ts';
export type { ServerTraits } from './traits.ts';

export interface JobQuery {
  readonly status?: string | undefined;
  readonly opportunityId?: string | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** Pages without a new job, in a row: a server may filter after paging. */
const OLD_PAGES_MAX = 100;
/** A million jobs: more than any company has. */
const LIST_PAGES_MAX = 10_000;

export type PartnerClient = Pick<Client, keyof Client>;

export function createClient(options: ClientOptions): PartnerClient {
  return new Client(options);
}

class Client {
  readonly #context: ClientContext;
  /** What the server refuses in a list's query: 0 nothing so far, 1 the limit, 2 the filters too. */
  #listForm = 0;

  constructor(private readonly options: ClientOptions) {
    // Each call under way listens to it, and a batch has more of them than Node thinks sound.
    if (options.signal !== undefined) setMaxListeners(0, options.signal);
    this.#context = {
      ...options,
      baseUrl: options.baseUrl.replace(/\/+$/, ''),
      key: options.key ?? '',
      learned: new LearnedTraits(options.traits, options.clock, options.onLearn),
    };
  }

  get traits(): ServerTraits {
    return this.#context.learned.known;
  }

  learn(traits: ServerTraits): void {
    this.#context.learned.learn(traits);
  }

  /** Throws OUTCOME_UNKNOWN where the server may have made the job although no answer came. */
  createJob(
    input: JobInput,
    {
      idempotencyKey = this.options.newIdempotencyKey(),
      onReplay,
    }: Pick<Partial<Call<unknown>>, 'onReplay'> & { readonly idempotencyKey?: string | undefined } = {},
  ): Promise<ServerJob> {
    return this.#withinDeadline(async (deadline) => {
      const more = { idempotencyKey, onReplay, decode: decodeCreated };
      const call = { operation: 'createJob', body: input, ...more } as const;
      const made = await this.#value(call, deadline);
      return typeof made === 'number' ? this.#readBack(made, deadline, true) : made;
    });
  }

  updateJob(id: number, patch: JobUpdate): Promise<ServerJob> {
    return this.#withinDeadline(async (deadline) => {
      const call = { operation: 'updateJob', id, body: patch, decode: decodeJob } as const;
      return (await this.#value(call, deadline)) ?? (await this.#readBack(id, deadline));
    });
  }

  /** Throws OPERATION_NOT_OFFERED where the server knows no such transition (decision 2). */
  transition(name: Transition, id: number): Promise<ServerJob> {
    return this.#withinDeadline(async (deadline) => {
      const idempotencyKey = this.options.newIdempotencyKey();
      const call = { operation: TRANSITIONS[name], id, idempotencyKey, decode: decodeJob };
      assertOffered(this.#context, call);
      const outcome = await perform(this.#context, call, deadline);
      if (outcome.error !== undefined) return this.#afterRefusal(name, id, outcome, deadline);
      this.#context.learned.learnOffered(call.operation);
      return outcome.value ?? (await this.#readBack(id, deadline));
    });
  }

  getJob(id: number): Promise<ServerJob> {
    return this.#withinDeadline((deadline) => this.#read(id, deadline));
  }

  /** False if a list was needed and refused. */
  get listsJobs(): boolean {
    return !this.#context.learned.isRefused('listJobs');
  }

  get hasListedJobs(): boolean {
    return this.options.traits?.listsJobs === true || this.traits.listsJobs === true;
  }

  /** One page, unfiltered if the server refuses filters. Throws OPERATION_NOT_OFFERED if it lists no jobs (decision 5). */
  listJobs({ status, opportunityId, limit, cursor }: JobQuery = {}): Promise<JobPage> {
    const forms = [{ status, opportunityId, limit, cursor }, { status, opportunityId, cursor }, { cursor }];
    const callOf = (form: number): Call<JobPage> => ({
      operation: 'listJobs',
      query: definedParams({ ...forms[form] }),
      decode: (answer) => {
        const page = decodeJobPage(answer);
        this.#listForm = form;
        return page;
      },
    });
    const isSimpler = [false, limit !== undefined, (status ?? opportunityId) !== undefined];
    const simpler = [1, 2].filter((form) => form > this.#listForm && isSimpler[form]);
    return this.#withinDeadline((deadline) => {
      const calls = [callOf(this.#listForm), ...simpler.map(callOf)] as const;
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
        throw endlessList(`has no end within ${LIST_PAGES_MAX} pages and ${ids.size} jobs`);
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
      if (oldInARow > OLD_PAGES_MAX) throw endlessList('has more and more pages, and nothing new in them');
      // Past its last job a server may lead to the same empty page for ever.
      if (page.nextCursor === next && page.items.length === 0) return;
      next = page.nextCursor;
    }
  }

  /** With a signal it is a search while somebody types: `onWait` is not called. */
  searchLocations(query: PlaceQuery, signal?: AbortSignal): Promise<LocationSuggestion[]> {
    const call = { ...this.#search(query), isQuiet: signal !== undefined };
    return this.#withinDeadline((deadline) => this.#value(call, deadline), signal);
  }

  #search({ q, ...more }: PlaceQuery): Call<LocationSuggestion[]> {
    const query = definedParams({ [this.options.locationQueryParameter ?? 'q']: q, ...more });
    return { operation: 'searchLocations', query, decode: decodePlaces };
  }

  /** Runs one call of a method: not without a key, not past its end, and never the key in an error. */
  async #withinDeadline<T>(work: (deadline: Deadline) => Promise<T>, own?: AbortSignal): Promise<T> {
    assertUsableKey(this.options.key);
    const deadline = startDeadline(this.options, own);
    try {
      deadline.signal.throwIfAborted();
      return await work(deadline);
    } catch (error) {
      throw error instanceof PartnerError ? withoutKey(error, this.#context.key) : error;
    } finally {
      deadline.end();
    }
  }

  async #value<T>(call: Call<T>, deadline: Deadline): Promise<T> {
    const outcome = await perform(this.#context, call, deadline);
    if (outcome.error !== undefined) throw outcome.error;
    return outcome.value;
  }

  #read(id: number, deadline: Deadline): Promise<ServerJob> {
    return this.#value({ operation: 'getJob', id, decode: decodeFoundJob }, deadline);
  }

  /** Decision 6: an empty body is followed by a GET. What fails now is only the reading. */
  async #readBack(id: number, deadline: Deadline, isCreated = false): Promise<ServerJob> {
    try {
      return await this.#read(id, deadline);
    } catch (error) {
      if (!(error instanceof PartnerError)) throw error;
      const hint = `job ${id} was changed; only reading it back failed: \`partner jobs get ${id}\` shows it`;
      throw error.with({ hint, mayHaveCreated: isCreated });
    }
  }

  /** A refused transition may be none: an earlier attempt of ours made it, or the server has no such operation. */
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
    if (isMaybeDone && job?.status === MOVES[name].to) return job;
    if (!isMaybeNotOffered || job === undefined) throw error;
    throw learnNotOffered(this.#context, { operation, id }, error.status);
  }
}

/** A server may have refused or ignored the filter. */
export function matchesFilter(job: ServerJob, { status, opportunityId }: JobQuery): boolean {
  if (status !== undefined && (job.status ?? status) !== status) return false;
  return opportunityId === undefined || job.opportunityId === opportunityId;
}

function assertUsableKey(key: string | undefined): void {
  if (key === undefined || key === '') throw new PartnerError('KEY_MISSING');
  if (/[^\x21-\x7e]/.test(key)) {
    throw new PartnerError('INVALID_SERVICE_KEY', {
      message: 'the partner key holds a space, a line break or a letter that no key has',
    });
  }
}

function definedParams(query: Readonly<Record<string, string | number | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
}

function endlessList(how: string): PartnerError {
  return new PartnerError('ANSWER_UNREADABLE', {
    message: `the list of jobs ${how}`,
    hint: 'not all jobs were read: ask the operator of the server; `partner jobs get ID` shows a single one',
  });
}
