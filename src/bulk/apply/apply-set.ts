import { PartnerError } from '../../contract/errors.ts';
import { groupBy } from '../../text/group-by.ts';
import { buildUnlistedKey, createName, type DesiredListing, listingOfKey } from '../plan/desired-listing.ts';
import { rekeyEntries } from '../plan/match.ts';
import { duplicateNotice } from '../plan/plan.ts';
import type { Plan } from '../plan/plan-item.ts';
import { type PlannedSet, planSet } from '../plan/plan-set.ts';
import { reclaimEntries } from '../plan/rebuild.ts';
import { assertSamePlan } from '../plan/saved-plan.ts';
import type { SetReading } from '../read-set.ts';
import { loadUnclaimedJobs } from '../server-jobs.ts';
import type { Session } from '../session.ts';
import type { Journal } from '../state/journal.ts';
import { foldJournal } from '../state/journal-content.ts';
import { type BulkState, type Intent, listKnownJobs, textDigest } from '../state/state.ts';
import { changeState, type StateChanger } from '../state/state-store.ts';
import { buildProver, type PendingParts } from './create.ts';
import { type ApplyProgress, executeAll, listTasks } from './execute.ts';
import { findNotLiveReason, type ItemOutcome, type RunEnd } from './outcome.ts';
import { adopt, ignore, resend, resolveOutcomes, resolvePending } from './resolve-pending.ts';
import { PublishCircuitBreaker, RunStop, STATE_GONE } from './run-stop.ts';

export interface ApplyRequest {
  readonly adopt: ReadonlyMap<string, number>;
  readonly resend: readonly string[];
  readonly ignore?: readonly number[];
  readonly saved: Plan | undefined;
  readonly isLocking: boolean;
}

export interface ApplyContext extends StateChanger {
  readonly monotonicNow: () => number;
  readonly interrupted: AbortSignal;
  /** Called with true while requests must finish even if the run is interrupted. */
  markFinishing(isFinishing: boolean): void;
  agree(plan: Plan): Promise<void>;
  onProgress(progress: ApplyProgress): void;
  onMade(jobId: number): void;
}

/** Resolves pending creates of an earlier run, then plans and applies. Throws errors that occur before the apply. */
export async function applySet(
  session: Session,
  reading: SetReading,
  request: ApplyRequest,
  context: ApplyContext,
): Promise<RunEnd> {
  const { store, server, remembered } = session;
  let end: RunEnd | undefined;
  try {
    const change = { store, server, known: remembered.saved, isLocking: request.isLocking };
    return await changeState(change, context, async (journal, saved) => {
      end = await new ApplyRun(session, reading, journal, context, saved).run(request);
      return end;
    });
  } catch (error) {
    if (end === undefined || !(error instanceof PartnerError && STATE_GONE.includes(error.code))) throw error;
    return { ...end, stopped: end.stopped ?? error };
  }
}

class ApplyRun {
  readonly #stop = new RunStop();
  readonly #parts: PendingParts;

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
      onMade: context.onMade,
      claimed: new Set(),
      makeRoom: this.#makeRoom,
      proven: new Map(),
    };
    const error = new PartnerError('INTERRUPTED', { message: 'interrupted before this listing was sent' });
    const interrupt = (): void => this.#stop.stop(error);
    context.interrupted.addEventListener('abort', interrupt, { once: true });
    if (context.interrupted.aborted) interrupt();
  }

  async run(request: ApplyRequest): Promise<RunEnd> {
    const { adopt: adoptions, ignore: ignored = [], resend: resent, saved } = request;
    const { pending } = this.journal.content;
    for (const jobId of ignored) await ignore(jobId, { ...this.#parts, state: this.#state() });
    for (const key of resent) resend(key, this.journal);
    for (const [key, jobId] of adoptions) {
      await adopt(key, jobId, { ...this.#parts, state: this.#state(), reading: this.reading });
    }
    this.#claimJobs();
    const resolved = await this.#finish(() => resolvePending(pending.values(), this.#parts));
    if (this.#stop.reason !== undefined) throw this.#stop.reason;
    const { newId, monotonicNow, onProgress } = this.context;
    const { place, request: given } = this.session;
    let before = this.#state();
    const buildCreateName = (listing: DesiredListing) => createName(listing.key, listing, listing.digests);
    const named = groupBy(this.reading.wanted, buildCreateName);
    const newIdempotencyKey = (wanted: DesiredListing, again: number): string => {
      const known = again === 0 ? this.#parts.proven.get(wanted.key) : undefined;
      if (known !== undefined) return known.idempotencyKey;
      // The user decided that this listing doesn't have a job, so no earlier response may be replayed.
      if (given.plan.createAnyway || resent.includes(wanted.key)) return newId();
      const own = buildCreateName(wanted);
      const name = named.get(own)?.length === 1 ? own : `${own} ${wanted.key}`;
      const count = (before.creates?.get(own) ?? 0) + again;
      return textDigest(JSON.stringify([before.server, before.id ?? `/${place}`, name, count]));
    };
    const prove = buildProver((wanted) => newIdempotencyKey(wanted, 0), this.#parts);
    const found = await reclaimEntries(this.session, this.reading, { state: before, pending }, prove);
    if (found !== undefined) this.#recordEntries(found.matching, found.entries);
    const planned = await planSet(this.session, this.reading, { state: this.#state(), pending });
    if (saved !== undefined) assertSamePlan(saved, planned.plan);
    await this.context.agree(planned.plan);
    this.#recordEntries(planned.matching, planned.resolved);
    before = this.#state();
    this.#claimJobs();
    const lookalikes = async (wanted: DesiredListing) => {
      const jobs = await loadUnclaimedJobs(this.#parts.client, listKnownJobs(this.#state()));
      return jobs?.listVersions(wanted).map(({ id }) => id);
    };
    const parts = { ...this.#parts, newIdempotencyKey, lookalikes, monotonicNow, onProgress, resolved };
    const outcomes = await this.#finish(async () => {
      const done = await executeAll(listTasks(planned), parts);
      return resolveOutcomes(done, pending, () => listKnownJobs(this.#state()), parts);
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

  async #newDuplicates({ plan, matching }: PlannedSet, outcomes: readonly ItemOutcome[]) {
    const { client } = this.#parts;
    const created = new Set(outcomes.flatMap(({ result, item }) => (result === 'created' ? item.key : [])));
    const isSafe = client.traits.honoursIdempotencyKeys || this.#stop.reason !== undefined;
    if (isSafe || created.size === 0) return [];
    const known = new Set([
      ...listKnownJobs(this.#state()),
      ...plan.notices.flatMap(({ jobId = [] }) => jobId),
    ]);
    const listings = matching.matches.flatMap(({ wanted }) => (created.has(wanted.key) ? [wanted] : []));
    const jobs = await loadUnclaimedJobs(client, known).catch(() => undefined);
    const duplicates = jobs?.findDuplicates(listings);
    return listings.flatMap((wanted) =>
      (duplicates?.get(wanted.key) ?? []).map((job) => duplicateNotice(wanted, job)),
    );
  }

  /** If another listing uses the create's key now, moves its job to a spare key. Later runs match it by content. */
  readonly #makeRoom = ({ key, replaces }: Intent): void => {
    const entry = this.#state().listings.get(key);
    if (entry === undefined || entry.job === replaces) return;
    const unlisted = buildUnlistedKey(listingOfKey(key).path, entry.job);
    this.journal.record({ kind: 'moves', moves: [{ key: unlisted, was: key, entry }] });
  };

  #claimJobs(): void {
    for (const jobId of listKnownJobs(this.#state())) this.#parts.claimed.add(jobId);
  }

  #state(): BulkState {
    return foldJournal(this.saved, this.journal.content);
  }

  async #finish<T>(work: () => Promise<T>): Promise<T> {
    this.context.markFinishing(true);
    try {
      return await work();
    } finally {
      this.context.markFinishing(false);
    }
  }

  /** Records the new keys of moved entries first, because a new entry may use the old key of a moved one. */
  #recordEntries(matching: PlannedSet['matching'], entries: PlannedSet['resolved']): void {
    const { listings } = this.#state();
    const keys = new Map([...listings].map(([key, { job }]) => [job, key]));
    const moves = [...rekeyEntries(matching)].flatMap(([key, entry]) => {
      const was = keys.get(entry.job);
      const before = listings.get(key);
      const isSame = was === key && before?.key === entry.key && before?.gone === entry.gone;
      return was === undefined || isSame ? [] : [{ key, was, entry }];
    });
    if (moves.length > 0) this.journal.record({ kind: 'moves', moves });
    for (const [key, entry] of entries) this.journal.record({ kind: 'entry', key, entry });
  }

  async #rememberFailed(outcomes: readonly ItemOutcome[]): Promise<void> {
    // An item can succeed in part and have an error, such as an update whose publication was refused.
    const failed = outcomes.flatMap((outcome) => {
      const { item, result, error } = outcome;
      const isToDo = error !== undefined || result === 'left' || result === 'unknown';
      return isToDo || (result === 'held' && findNotLiveReason(outcome)) ? [item.key] : [];
    });
    try {
      await this.session.store.writeLastRun({
        failed: [...failed, ...this.reading.invalidKeys],
        at: this.context.clock(),
      });
    } catch (error) {
      if (this.#stop.reason === undefined) throw error;
    }
  }
}
