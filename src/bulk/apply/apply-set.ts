import { hostname } from 'node:os';
import { PartnerError } from '../../contract/errors.ts';
import { groupBy } from '../../contract/group-by.ts';
import { createName, type DesiredListing, listingOfKey, unlistedKey } from '../plan/desired-listing.ts';
import { rekeyed } from '../plan/match.ts';
import { duplicateNotice } from '../plan/plan.ts';
import type { Plan } from '../plan/plan-item.ts';
import { type PlannedSet, planSet } from '../plan/plan-set.ts';
import { reclaimedEntries } from '../plan/rebuild.ts';
import { assertSamePlan } from '../plan/saved-plan.ts';
import type { SetReading } from '../read-set.ts';
import { unclaimedJobs } from '../server-jobs.ts';
import type { Session } from '../session.ts';
import type { Journal } from '../state/journal.ts';
import { folded } from '../state/journal-content.ts';
import type { LockWait } from '../state/shared-state.ts';
import { type BulkState, type Intent, knownJobs } from '../state/state.ts';
import { formatState, stateDigest, textDigest } from '../state/state-text.ts';
import { type PendingParts, provenBy } from './create.ts';
import { type ApplyProgress, executeAll, tasksOf } from './execute.ts';
import { type ItemOutcome, notLiveAfter, type RunEnd } from './outcome.ts';
import { adopt, ignore, resend, resolveOutcomes, resolvePending } from './resolve-pending.ts';
import { PublishCircuitBreaker, RunStop, STATE_GONE } from './run-stop.ts';

export interface ApplyRequest {
  readonly adopt: ReadonlyMap<string, number>;
  readonly resend: readonly string[];
  /** Jobs that aren't duplicates of a listing. */
  readonly ignore?: readonly number[];
  /** Only this is to be done; where it is no longer what has to be done, nothing is. */
  readonly saved: Plan | undefined;
  /** Without a lock, nothing keeps a second apply of this state away. */
  readonly isLocking: boolean;
}

export interface ApplyContext extends LockWait {
  readonly clock: () => number;
  readonly monotonicNow: () => number;
  readonly newId: () => string;
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

/** Settles what an earlier run left open, plans, and does what is planned. Throws what keeps it from beginning. */
export async function applySet(
  session: Session,
  reading: SetReading,
  request: ApplyRequest,
  context: ApplyContext,
): Promise<RunEnd> {
  const { clock, newId, command } = context;
  const { store, server, remembered } = session;
  const [host, { pid }] = [hostname(), process];
  const since = new Date(clock()).toISOString();
  const isLocking = request.isLocking || store.isShared;
  const lock = isLocking ? await store.lock({ pid, host, since, command }, context) : undefined;
  let end: RunEnd | undefined;
  const work = async (): Promise<RunEnd> => {
    // Read again now that nobody else writes it.
    const saved = await store.readState(remembered.saved);
    const journal = await store.openJournal({
      server: server.baseUrl,
      state: stateDigest(saved),
      keyDigest: server.keyDigest,
      now: clock,
      runId: newId(),
      host,
      pid,
    });
    const run = new ApplyRun(session, reading, journal, context, saved ?? remembered.saved);
    try {
      end = await run.run(request);
      return end;
    } finally {
      await run.keep();
    }
  };
  try {
    return await work().finally(() => lock?.release());
  } catch (error) {
    // The outcomes are known even if they couldn't be stored.
    if (end === undefined || !(error instanceof PartnerError && STATE_GONE.includes(error.code))) throw error;
    return { ...end, stopped: end.stopped ?? error };
  }
}

class ApplyRun {
  readonly #stop = new RunStop();
  readonly #parts: PendingParts;
  #claimed = new Set<number>();

  constructor(
    private readonly session: Session,
    private readonly reading: SetReading,
    private readonly journal: Journal,
    private readonly context: ApplyContext,
    private readonly saved: BulkState,
  ) {
    const { server, request } = session;
    this.#parts = {
      client: server.client,
      journal,
      gate: new PublishCircuitBreaker(),
      stop: this.#stop,
      serverNow: server.now,
      keyDigest: server.keyDigest,
      concurrency: request.concurrency,
      onMade: (jobId) => {
        this.#claimed.add(jobId);
        context.onMade(jobId);
      },
      isClaimed: (jobId) => this.#claimed.has(jobId),
      makeRoom: this.#makeRoom,
      proven: new Map(),
    };
    const interrupt = (): void =>
      this.#stop.stop(new PartnerError('INTERRUPTED', { message: 'interrupted before its turn' }));
    context.interrupted.addEventListener('abort', interrupt, { once: true });
    if (context.interrupted.aborted) interrupt();
  }

  async run({
    adopt: adoptions,
    ignore: ignored = [],
    resend: resent,
    saved,
  }: ApplyRequest): Promise<RunEnd> {
    const { pending } = this.journal.content;
    for (const jobId of ignored) await ignore(jobId, { ...this.#parts, state: this.#state() });
    for (const key of resent) resend(key, this.journal);
    for (const [key, jobId] of adoptions) {
      await adopt(key, jobId, { ...this.#parts, state: this.#state(), reading: this.reading });
    }
    this.#claimed = new Set(knownJobs(this.#state()));
    const resolved = await this.#finishing(() => resolvePending(pending.values(), this.#parts));
    if (this.#stop.reason !== undefined) throw this.#stop.reason;
    const { newId, monotonicNow, onProgress } = this.context;
    const { place, request } = this.session;
    let before = this.#state();
    const nameOf = (listing: DesiredListing) => createName(listing.key, listing, listing.digests);
    const named = groupBy(this.reading.wanted, nameOf);
    const newIdempotencyKey = (wanted: DesiredListing, again: number): string => {
      const known = again === 0 ? this.#parts.proven.get(wanted.key) : undefined;
      if (known !== undefined) return known.idempotencyKey;
      // The user decided that this listing has no job, so no earlier response may be replayed.
      if (request.plan.createAnyway || resent.includes(wanted.key)) return newId();
      const own = nameOf(wanted);
      const name = named.get(own)?.length === 1 ? own : `${own} ${wanted.key}`;
      const count = (before.creates?.get(own) ?? 0) + again;
      return textDigest(JSON.stringify([before.server, before.id ?? `/${place}`, name, count]));
    };
    await this.#reclaim((wanted) => newIdempotencyKey(wanted, 0));
    const planned = await planSet(this.session, this.reading, { state: this.#state(), pending });
    if (saved !== undefined) assertSamePlan(saved, planned.plan);
    await this.context.agree(planned.plan);
    this.#rekey(planned);
    this.#recordEntries(planned.resolved);
    const unresolved = new Map(
      [...resolved].flatMap(([key, { error }]) => (error === undefined ? [] : [[key, error] as const])),
    );
    before = this.#state();
    this.#claimed = new Set(knownJobs(before));
    const lookalikes = async (wanted: DesiredListing) => {
      const jobs = await unclaimedJobs(this.#parts.client, knownJobs(this.#state()));
      return jobs?.versionsOf(wanted).map(({ id }) => id);
    };
    const parts = { ...this.#parts, newIdempotencyKey, lookalikes, monotonicNow, onProgress, unresolved };
    const outcomes = await this.#finishing(async () => {
      const done = await executeAll(tasksOf(planned), parts);
      return resolveOutcomes(done, pending, () => knownJobs(this.#state()), parts);
    });
    await this.#rememberFailed(outcomes);
    const { plan } = planned;
    const duplicates = await this.#newDuplicates(planned, outcomes);
    return {
      plan: { ...plan, notices: [...plan.notices, ...duplicates] },
      isTwice: duplicates.length > 0,
      outcomes,
      invalid: this.reading.invalidKeys.length,
      stopped: this.#stop.reason,
      gate: this.#parts.gate.refusal,
    };
  }

  /** Without idempotency keys, another runner may have created the same jobs meanwhile. */
  async #newDuplicates({ plan, matching }: PlannedSet, outcomes: readonly ItemOutcome[]) {
    const { client } = this.#parts;
    const created = new Set(outcomes.flatMap(({ result, item }) => (result === 'created' ? item.key : [])));
    const isSafe = client.traits.honoursIdempotencyKeys || this.#stop.reason !== undefined;
    if (isSafe || created.size === 0) return [];
    const known = new Set([...knownJobs(this.#state()), ...plan.notices.map(({ jobId }) => jobId)]);
    const listings = matching.matches.flatMap(({ wanted }) => (created.has(wanted.key) ? [wanted] : []));
    const jobs = await unclaimedJobs(client, known).catch(() => undefined);
    const duplicates = jobs?.duplicatesOf(listings);
    return listings.flatMap((wanted) =>
      (duplicates?.get(wanted.key) ?? []).map((job) => duplicateNotice(wanted, job)),
    );
  }

  /** Folds what was done into the state; of the journal only what is still open is kept. */
  async keep(): Promise<void> {
    const journal = this.journal;
    if (this.#parts.client.traits.honoursIdempotencyKeys && !journal.content.honours) {
      journal.record({ kind: 'honours' });
    }
    try {
      const { changes, honours, ignored } = journal.content;
      const isChanged = changes.length + ignored.size > 0 || (honours && !this.saved.honoursIdempotencyKeys);
      const state = isChanged ? this.#state() : this.saved;
      if (isChanged && (state.listings.size > 0 || this.saved.listings.size > 0 || state.ignored)) {
        // The journal says first which state it belongs to from then on: what follows may be killed at any moment.
        const text = formatState({ ...state, id: state.id ?? this.context.newId() });
        journal.record({ kind: 'folded', state: textDigest(text) });
        // Where that cannot be written, the state itself may still be, or says why not.
        await journal.flush().catch(() => {});
        await this.session.store.replaceState(text);
      }
      await journal.discard();
    } finally {
      // Where the state cannot be written, the journal has it all; that too may fail, and then says so.
      await journal.close();
    }
  }

  /** A listing that was moved to the key of an intent since keeps its job, to be found again by what it holds. */
  readonly #makeRoom = ({ key, replaces }: Intent): void => {
    const entry = this.#state().listings.get(key);
    if (entry === undefined || entry.job === replaces) return;
    const unlisted = unlistedKey(listingOfKey(key).path, entry.job);
    this.journal.record({ kind: 'moves', moves: [{ key: unlisted, was: key, entry }] });
  };

  #state(): BulkState {
    return folded(this.saved, this.journal.content);
  }

  async #finishing<T>(work: () => Promise<T>): Promise<T> {
    this.context.finishing(true);
    try {
      return await work();
    } finally {
      this.context.finishing(false);
    }
  }

  async #reclaim(keyOf: (wanted: DesiredListing) => string): Promise<void> {
    const known = { state: this.#state(), pending: this.journal.content.pending };
    const found = await reclaimedEntries(this.session, this.reading, known, provenBy(keyOf, this.#parts));
    if (found === undefined) return;
    this.#rekey(found);
    this.#recordEntries(found.entries);
  }

  /** Listings that were found under other keys stay found, whatever becomes of the items. */
  #rekey({ matching }: Pick<PlannedSet, 'matching'>): void {
    const { listings } = this.#state();
    const keys = new Map([...listings].map(([key, { job }]) => [job, key]));
    const moves = [...rekeyed(matching)].flatMap(([key, entry]) => {
      const was = keys.get(entry.job);
      const before = listings.get(key);
      const isSame = was === key && before?.key === entry.key && before?.gone === entry.gone;
      return was === undefined || isSame ? [] : [{ key, was, entry }];
    });
    if (moves.length > 0) this.journal.record({ kind: 'moves', moves });
  }

  #recordEntries(entries: PlannedSet['resolved']): void {
    for (const [key, entry] of entries) this.journal.record({ kind: 'entry', key, entry });
  }

  async #rememberFailed(outcomes: readonly ItemOutcome[]): Promise<void> {
    // What was done in part has an error too: a change that was made, and whose publication was refused.
    const failed = outcomes.flatMap((outcome) => {
      const { item, result, error } = outcome;
      const isToDo = error !== undefined || result === 'left' || result === 'unknown';
      return isToDo || (result === 'held' && notLiveAfter(outcome)) ? [item.key] : [];
    });
    try {
      await this.session.store.writeLastRun({
        failed: [...failed, ...this.reading.invalidKeys],
        at: this.context.clock(),
      });
    } catch (error) {
      // The reason that stopped the run, a full disk above all, is the better error.
      if (this.#stop.reason === undefined) throw error;
    }
  }
}
