import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import { PartnerError } from '../../contract/errors.ts';
import { tried } from '../../contract/tried.ts';
import { type JournalOptions, openJournalIn } from './journal.ts';
import { type JournalContent, journalIn } from './journal-content.ts';
import { Holder, type LockHolder, stateLocked } from './lock.ts';
import type { BulkState } from './state.ts';
import { LastRun } from './state-file.ts';
import { parseState } from './state-text.ts';

/** The names of a state's files in a branch, and in the column of a row. */
const [STATE, JOURNAL] = ['state.json', 'state.journal.ndjson'];
const [LAST_RUN, LOCK] = ['state.last-run.json', 'state.lock'];

export type Documents = Readonly<Record<string, string | undefined>>;

/** Without a version if there is none yet; `idleMs` since the last change, if the place has a clock. */
type Stored = { version: string | undefined; documents: Documents; idleMs?: number };

/** Keeps documents under a version that every change replaces. Throws STATE_UNREACHABLE and STATE_UNUSABLE. */
export interface SharedPlace {
  readonly name: string;
  read(): Promise<Stored>;
  /** Returns the new version, or undefined if another process has replaced `version`. */
  replace(version: string | undefined, documents: Documents, summary: string): Promise<string | undefined>;
}

export type LockWait = { interrupted?: AbortSignal; onLockWait?(waitMs: number): void };

const Lease = Holder.extend({
  owner: z.string(),
  renewedAt: z.int(),
  leaseMs: z.int().positive().max(3_600_000),
});

/** A state that several machines share. Its lock is a lease: the holder renews it, and it expires after a crash. */
export class SharedState {
  readonly isShared: boolean = true;
  readonly name: string;
  readonly #owner = randomUUID();
  #holder: LockHolder | undefined;
  #summary = 'partner state';
  #stored: Stored | undefined;
  #wanted: Documents = {};
  #renewedAt: { wallMs: number; monotonicMs: number } | undefined;
  #saving: Promise<void> = Promise.resolve();
  #failure: PartnerError | undefined;
  #lost: PartnerError | undefined;

  constructor(
    readonly place: SharedPlace,
    readonly base: string,
    private readonly leaseMs: number,
  ) {
    this.name = place.name;
  }

  async readState(_known?: BulkState): Promise<BulkState | undefined> {
    const { [STATE]: state } = await this.#documents();
    return state === undefined ? undefined : parseState(this.name, state);
  }

  async readJournal(server: string, state: string): Promise<JournalContent | undefined> {
    const { [JOURNAL]: journal } = await this.#documents();
    return journalIn(this.name, journal === undefined ? undefined : Buffer.from(journal), server, state);
  }

  async readLastRun(): Promise<LastRun | undefined> {
    return lastRunIn((await this.#documents())[LAST_RUN]);
  }

  /** Takes the lock if it is free or its lease has expired. Throws STATE_LOCKED and INTERRUPTED. */
  async lock(self: LockHolder, wait: LockWait = {}): Promise<{ release(): void | Promise<void> }> {
    do {
      const stored = await this.#unlocked(wait);
      this.#stored = stored;
      this.#wanted = stored.documents;
      this.#holder = self;
      this.#summary = self.command;
    } while (!(await this.#write()));
    const renew = (): void => {
      if (this.#elapsedMs() > this.leaseMs / 5) this.#save().catch(() => {});
    };
    const renewing = setInterval(renew, this.leaseMs / 4).unref();
    return {
      release: async (): Promise<void> => {
        clearInterval(renewing);
        await this.#saving;
        this.#holder = undefined;
        if (this.lost() === undefined) return this.#save();
        // If its server is back, everything is stored, although the run has stopped.
        if (!(await this.#write())) throw lockLost(this.name);
      },
    };
  }

  /** Why nothing may be sent anymore; undefined while the lock is held, or if it was never taken. */
  lost(): PartnerError | undefined {
    // The rest of the lease is for requests under way.
    if (this.#elapsedMs() > this.leaseMs * 0.75) this.#lost ??= this.#failure ?? lockLost(this.name);
    return this.#lost;
  }

  openJournal(options: JournalOptions) {
    const left = Buffer.from(this.#wanted[JOURNAL] ?? '');
    const replace = async (journal: string | undefined) => this.#want({ [JOURNAL]: journal });
    const open = async (goodBytes: number) => {
      let text = left.subarray(0, goodBytes).toString();
      const append = async (more: string): Promise<void> => {
        text += more;
        await replace(text);
      };
      return { isInMemory: true, append, sync: () => this.#save(), close: async () => {} };
    };
    return openJournalIn({ path: this.name, read: () => left, open, replace }, options);
  }

  async replaceState(state: string): Promise<void> {
    this.#want({ [STATE]: state });
  }

  async writeLastRun(run: LastRun): Promise<void> {
    const before = lastRunIn(this.#wanted[LAST_RUN])?.failed;
    if (before?.join('\n') !== run.failed.join('\n')) this.#want({ [LAST_RUN]: `${JSON.stringify(run)}\n` });
  }

  async #unlocked({ interrupted, onLockWait }: LockWait): Promise<Stored> {
    const begunAt = performance.now();
    let watched: Stored | undefined;
    for (;;) {
      const stored = await this.place.read();
      const { documents, idleMs } = stored;
      if (documents[LOCK] === undefined) return stored;
      const lease = leaseIn(documents[LOCK]);
      const { leaseMs = this.leaseMs, renewedAt = 0 } = lease ?? {};
      const leftMs = leaseMs - (idleMs ?? Date.now() - renewedAt);
      const isAlive = watched !== undefined && watched.version !== stored.version;
      if (isAlive || (leftMs > 0 && leftMs <= leaseMs))
        throw stateLocked(lease, `. If it was killed, run this again in ${Math.ceil(leaseMs / 1000)} s`);
      // The clock of another machine doesn't prove that a lease is over. A holder that is alive changes the version.
      if (idleMs !== undefined || (watched && performance.now() - begunAt > leaseMs)) return stored;
      if (watched === undefined) onLockWait?.(leaseMs);
      watched = stored;
      await pause(Math.min(2000, leaseMs / 8), undefined, { signal: interrupted }).catch(() => {
        throw new PartnerError('INTERRUPTED');
      });
    }
  }

  async #documents(): Promise<Documents> {
    this.#stored ??= await this.place.read();
    return this.#stored.documents;
  }

  #want(documents: Documents): void {
    this.#wanted = { ...this.#wanted, ...documents };
  }

  /** Since the lease was renewed. The monotonic clock stops while a laptop sleeps; the other one can be set back. */
  #elapsedMs(): number {
    if (this.#renewedAt === undefined) return 0;
    const { wallMs, monotonicMs } = this.#renewedAt;
    return Math.max(performance.now() - monotonicMs, Date.now() - wallMs);
  }

  async #write(): Promise<boolean> {
    const renewedAt = { wallMs: Date.now(), monotonicMs: performance.now() };
    const lease = { owner: this.#owner, leaseMs: this.leaseMs, renewedAt: renewedAt.wallMs };
    const lock = this.#holder && `${JSON.stringify({ ...this.#holder, ...lease })}\n`;
    const documents = { ...this.#wanted, [LOCK]: lock };
    const version = await this.place.replace(this.#stored?.version, documents, this.#summary);
    if (version === undefined) return false;
    this.#stored = { version, documents };
    this.#renewedAt = renewedAt;
    return true;
  }

  /** Stores what is wanted and renews the lease. Tries again until the lease is over. */
  #save(): Promise<void> {
    const saving = this.#saving.then(async () => {
      for (;;) {
        const lost = this.lost();
        if (lost !== undefined) throw lost;
        try {
          if (await this.#write()) return;
          this.#lost = lockLost(this.name);
        } catch (error) {
          if (!(error instanceof PartnerError)) throw error;
          this.#failure = error;
          if (error.code !== 'STATE_UNREACHABLE') this.#lost = error;
          else await pause(Math.min(500, this.leaseMs / 10));
        }
      }
    });
    this.#saving = saving.catch(() => {});
    return saving;
  }
}

const leaseIn = (text: string) => Lease.safeParse(tried(() => JSON.parse(text))).data;
const lastRunIn = (text = '') => LastRun.safeParse(tried(() => JSON.parse(text))).data;

const lockLost = (name: string) =>
  new PartnerError('STATE_LOCK_LOST', { message: `another run holds the lock of ${name} by now, or may` });
