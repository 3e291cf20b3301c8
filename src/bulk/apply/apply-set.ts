import { PartnerError } from '../../contract/errors.ts';
import { listingOfKey, unlistedKey } from '../plan/listing-key.ts';
import { rekeyed } from '../plan/match.ts';
import type { Plan } from '../plan/plan-item.ts';
import { plannedSet, reclaimedEntries } from '../plan/plan-run.ts';
import type { PlannedSet } from '../plan/plan-set.ts';
import { samePlan } from '../plan/same-plan.ts';
import type { SetReading } from '../read-set.ts';
import type { Session } from '../session.ts';
import { type Journal, openJournal } from '../state/journal.ts';
import { folded } from '../state/journal-content.ts';
import { writeLastRun } from '../state/last-run.ts';
import { lockState } from '../state/lock.ts';
import type { BulkState, Intent } from '../state/state.ts';
import { readState, writeState } from '../state/state-file.ts';
import { stateDigest } from '../state/state-text.ts';
import { adopt, resend } from './adopt.ts';
import { applyItems, interruption } from './apply.ts';
import { executeParts, tasksOf } from './execute-parts.ts';
import type { ApplyProgress, ItemOutcome } from './outcome.ts';
import { createPublishCircuitBreaker, type PublishCircuitBreaker } from './publish-circuit-breaker.ts';
import { resettled } from './resolve-again.ts';
import { errorOf, type PendingParts, resolvePending } from './resolve-pending.ts';
import { createRunStop, type RunStop } from './run-stop.ts';

/** What an apply is asked for besides what a plan is. */
export interface ApplyRequest {
  /** Listings and the jobs that they are to be taken for. */
  readonly adopt: ReadonlyMap<string, number>;
  /** Creates of unknown outcome that are given up and made again. */
  readonly resend: readonly string[];
  /** Only this is to be done; where it is no longer what has to be done, nothing is. */
  readonly saved: Plan | undefined;
  /** Whether to take the lock of the state; without it, nothing keeps a second apply away. */
  readonly isLocking: boolean;
}

/** What an apply is given of the world. */
export interface ApplyWorld {
  readonly clock: () => number;
  readonly monotonicNow: () => number;
  readonly newId: () => string;
  readonly host: string;
  readonly pid: number;
  /** As it was typed: shown to a second apply. */
  readonly command: string;
  readonly interrupted: AbortSignal;
  /** Whether calls under way are to be finished although the run is interrupted. */
  finishing(isFinishing: boolean): void;
  /** Is shown the plan before anything is done; throws where it may not be. */
  agree(plan: Plan): Promise<void>;
  onProgress(progress: ApplyProgress): void;
  onMade(jobId: number): void;
}

/** What an apply has come to. */
export interface AppliedSet {
  readonly plan: Plan;
  readonly outcomes: readonly ItemOutcome[];
  readonly stopped: PartnerError | undefined;
  readonly gate: PartnerError | undefined;
}

/**
 * Makes a set true: settles what an earlier run left open, plans, and does what is planned, each step written
 * down before and after. Throws what keeps it from beginning; what becomes of single listings is in the outcomes.
 */
export async function applySet(
  session: Session,
  reading: SetReading,
  request: ApplyRequest,
  world: ApplyWorld,
): Promise<AppliedSet> {
  const { clock, newId, host, pid, command } = world;
  const since = new Date(clock()).toISOString();
  const lock = request.isLocking
    ? await lockState(session.statePath, { pid, host, since, command })
    : undefined;
  try {
    // Read again now that nobody else writes it.
    const saved = readState(session.statePath);
    const journal = await openJournal(session.statePath, {
      server: session.server.baseUrl,
      state: stateDigest(saved),
      keyDigest: session.server.keyDigest,
      now: clock,
      runId: newId(),
      host,
      pid,
    });
    const run = new ApplyRun(session, reading, journal, world, saved ?? session.remembered.saved);
    try {
      return await run.run(request);
    } finally {
      await run.keep();
    }
  } finally {
    lock?.release();
  }
}

class ApplyRun {
  readonly #session: Session;
  readonly #reading: SetReading;
  readonly #journal: Journal;
  readonly #world: ApplyWorld;
  readonly #saved: BulkState;
  readonly #gate: PublishCircuitBreaker = createPublishCircuitBreaker();
  readonly #stop: RunStop = createRunStop();

  constructor(session: Session, reading: SetReading, journal: Journal, world: ApplyWorld, saved: BulkState) {
    this.#session = session;
    this.#reading = reading;
    this.#journal = journal;
    this.#world = world;
    this.#saved = saved;
    world.interrupted.addEventListener('abort', () => this.#stop.stop(interruption()), { once: true });
    if (world.interrupted.aborted) this.#stop.stop(interruption());
  }

  async run({ adopt: adoptions, resend: resent, saved }: ApplyRequest): Promise<AppliedSet> {
    const { listings } = this.#session;
    for (const key of resent) resend(key, { journal: this.#journal });
    for (const [key, jobId] of adoptions) {
      const parts = { ...this.#parts(), state: this.#state(), reading: this.#reading, listings };
      await adopt(key, jobId, parts);
    }
    const settled = await this.#finishing(() =>
      resolvePending(this.#journal.content.pending.values(), this.#parts()),
    );
    if (this.#stop.reason !== undefined) throw this.#stop.reason;
    await this.#reclaim();
    const planned = await this.#plan();
    if (saved !== undefined) assertSame(saved, planned.plan);
    await this.#world.agree(planned.plan);
    this.#rekey(planned);
    for (const [key, entry] of planned.settled) this.#journal.record({ kind: 'entry', key, entry });
    const unsettled = new Map(
      [...settled].flatMap(([key, outcome]) => (errorOf(outcome) ? [[key, errorOf(outcome)]] : [])),
    );
    const outcomes = await this.#finishing(async () => {
      const done = await this.#execute(planned, unsettled as ReadonlyMap<string, PartnerError>);
      const { pending } = this.#journal.content;
      return resettled(done, pending, this.#claimed, this.#parts());
    });
    this.#rememberFailed(outcomes);
    return { plan: planned.plan, outcomes, stopped: this.#stop.reason, gate: this.#gate.refusal };
  }

  /** Folds what was done into the state; of the journal only what is still open is kept. */
  async keep(): Promise<void> {
    const { content } = this.#journal;
    if (this.#session.server.client.traits.honoursIdempotencyKeys && !content.honours) {
      this.#journal.record({ kind: 'honours' });
    }
    try {
      const state = this.#state();
      if (state.listings.size > 0 || this.#saved.listings.size > 0) await this.#write(state);
      await this.#journal.discard();
    } finally {
      // Where the state cannot be written, the journal has it all; that too may fail, and then says so.
      await this.#journal.close();
    }
  }

  /** The journal says first which state it belongs to from then on: what follows may be killed at any moment. */
  async #write(state: BulkState): Promise<void> {
    this.#journal.record({ kind: 'folded', state: stateDigest(state) });
    // Where that cannot be written, the state itself may still be, or says why not.
    await this.#journal.flush().catch(() => {});
    writeState(this.#session.statePath, state);
  }

  /** A listing that was moved to the key of an intent since keeps its job, to be found again by what it holds. */
  readonly #makeRoom = ({ key, replaces }: Intent): void => {
    const entry = this.#state().listings.get(key);
    if (entry === undefined || entry.job === replaces) return;
    const unlisted = unlistedKey(listingOfKey(key).path, entry.job);
    this.#journal.record({ kind: 'moves', moves: [{ key: unlisted, was: key, entry }] });
  };

  readonly #claimed = (): ReadonlySet<number> =>
    new Set([...this.#state().listings.values()].map(({ job }) => job));

  #state(): BulkState {
    return folded(this.#saved, this.#journal.content);
  }

  #parts(): PendingParts {
    const { server, request } = this.#session;
    return {
      client: server.client,
      journal: this.#journal,
      gate: this.#gate,
      stop: this.#stop,
      serverNow: server.now,
      keyDigest: server.keyDigest,
      concurrency: request.concurrency,
      onMade: this.#world.onMade,
      makeRoom: this.#makeRoom,
    };
  }

  /** Interrupted meanwhile, `work` ends what it has begun, and nothing else is begun. */
  async #finishing<T>(work: () => Promise<T>): Promise<T> {
    this.#world.finishing(true);
    try {
      return await work();
    } finally {
      this.#world.finishing(false);
    }
  }

  async #reclaim(): Promise<void> {
    const { pending } = this.#journal.content;
    const found = await reclaimedEntries(this.#session, this.#reading, { state: this.#state(), pending });
    if (found === undefined) return;
    this.#rekey(found);
    for (const [key, entry] of found.entries) this.#journal.record({ kind: 'entry', key, entry });
  }

  /** Listings that were found under other names are remembered by those first: they stay found, whatever follows. */
  #rekey({ matching }: Pick<PlannedSet, 'matching'>): void {
    const { listings } = this.#state();
    const keys = new Map([...listings].map(([key, { job }]) => [job, key]));
    const moves = [...rekeyed(matching)].flatMap(([key, entry]) => {
      const was = keys.get(entry.job);
      const isSame = was === key && listings.get(key)?.opportunityId === entry.opportunityId;
      return was === undefined || isSame ? [] : [{ key, was, entry }];
    });
    if (moves.length > 0) this.#journal.record({ kind: 'moves', moves });
  }

  #plan(): Promise<PlannedSet> {
    return plannedSet(this.#session, this.#reading, {
      state: this.#state(),
      pending: this.#journal.content.pending,
    });
  }

  #execute(planned: PlannedSet, unsettled: ReadonlyMap<string, PartnerError>): Promise<ItemOutcome[]> {
    const { monotonicNow, newId, onProgress } = this.#world;
    const parts = {
      ...this.#parts(),
      newIdempotencyKey: newId,
      unsettled,
      ...executeParts(planned),
    };
    const tasks = tasksOf(planned, this.#reading, this.#session.listings);
    const { concurrency } = this.#session.request;
    return applyItems(
      planned.plan.items,
      tasks,
      { ...parts, monotonicNow },
      { concurrency, stop: this.#stop, onProgress },
    );
  }

  /** For `--only failed`. */
  #rememberFailed(outcomes: readonly ItemOutcome[]): void {
    // What was done in part has an error too: a change that was made, and whose publication was refused.
    const failed = outcomes.flatMap(({ item, result, error }) =>
      error !== undefined || result === 'left' || result === 'unknown' ? [item.key] : [],
    );
    try {
      writeLastRun(this.#session.statePath, {
        failed: [...failed, ...this.#reading.invalidKeys],
        at: this.#world.clock(),
      });
    } catch (error) {
      // What stopped the run, a full disk above all, is told in its own words.
      if (this.#stop.reason === undefined) throw error;
    }
  }
}

function assertSame(saved: Plan, now: Plan): void {
  const comparison = samePlan(saved, now);
  if (comparison.same) return;
  const { differences } = comparison;
  const shown = differences.slice(0, 20).map((difference) => {
    const [key = '', ...told] = difference.split(': ');
    return [key, told.join(': ')];
  });
  const more = differences.length - shown.length;
  throw new PartnerError('PLAN_OUTDATED', {
    fields: { ...Object.fromEntries(shown), ...(more > 0 ? { '…': `and ${more} more` } : {}) },
  });
}
