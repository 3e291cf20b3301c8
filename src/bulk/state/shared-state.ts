import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import { PartnerError } from '../../contract/errors.ts';
import { attempt } from '../../contract/system-errors.ts';
import { isoTime } from '../../contract/time.ts';
import { type JournalOptions, openStoredJournal } from './journal.ts';
import { type JournalContent, parseJournal } from './journal-content.ts';
import { Holder, type LockHolder, stateLocked } from './lock.ts';
import { type BulkState, parseState } from './state.ts';
import { type LastRun, parseLastRun } from './state-file.ts';

const [STATE, JOURNAL] = ['state.json', 'state.journal.ndjson'];
const [LAST_RUN, LOCK] = ['state.last-run.json', 'state.lock'];

export type Documents = Readonly<Record<string, string | undefined>>;

/** `version` is undefined if nothing is stored. `idleMs` is the time since the last change, by the storage's clock. */
type Stored = { version: string | undefined; documents: Documents; idleMs?: number };

/** Stores documents with a version that changes with every write. Throws STATE_UNREACHABLE and STATE_UNUSABLE. */
export interface SharedPlace {
  readonly name: string;
  read(): Promise<Stored>;
  list(): Promise<readonly string[]>;
  replace(version: string | undefined, documents: Documents, summary: string): Promise<string | undefined>;
}

export type LockWait = { interrupted?: AbortSignal; onLockWait?(waitMs: number): void };

const Lease = Holder.extend({
  owner: z.string(),
  renewedAt: z.int(),
  leaseMs: z.int().positive().max(3_600_000),
});

/** A state that several machines share. Its lock is a lease that the holder renews and that expires after a crash. */
export class SharedState {
  readonly isShared: boolean = true;
  readonly name: string;
  readonly list: SharedPlace['list'];
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
    this.list = place.list;
  }

  async readState(_known?: BulkState): Promise<BulkState | undefined> {
    const { [STATE]: state } = (await this.#read()).documents;
    return state === undefined ? undefined : parseState(this.name, state);
  }

  async readJournal(server: string | undefined, state: string): Promise<JournalContent | undefined> {
    const { [JOURNAL]: journal } = (await this.#read()).documents;
    return parseJournal(this.name, journal === undefined ? undefined : Buffer.from(journal), server, state);
  }

  async readLastRun(): Promise<LastRun | undefined> {
    return parseLastRun((await this.#read()).documents[LAST_RUN]);
  }

  /** `expiresAt` is in ISO 8601. It's null for a file lock, which ends with its process. */
  async findLock(): Promise<{ holder: LockHolder | null; expiresAt: string | null } | undefined> {
    const stored = await this.#read();
    if (stored.documents[LOCK] === undefined) return undefined;
    const { lease, leftMs } = this.#readLease(stored);
    const expiresAt = attempt(() => isoTime(Date.now() + leftMs)) ?? null;
    return { holder: lease && Holder.parse(lease), expiresAt };
  }

  /** Removes the lock. Returns false if another process has written the state since `findLock`. */
  async unlock(): Promise<boolean> {
    const { version, documents } = await this.#read();
    const unlocked = { ...documents, [LOCK]: undefined };
    return (await this.place.replace(version, unlocked, 'partner state unlock')) !== undefined;
  }

  /** Locks the state if it's free or its lease has expired. Throws STATE_LOCKED and INTERRUPTED. */
  async lock(self: LockHolder, wait: LockWait = {}): Promise<{ release(): void | Promise<void> }> {
    do {
      const stored = await this.#readUnlocked(wait);
      this.#stored = stored;
      this.#wanted = stored.documents;
      this.#holder = self;
      this.#summary = self.command;
    } while (!(await this.#write()));
    const renew = (): void => {
      if (this.#countElapsedMs() > this.leaseMs / 5) this.save().catch(() => {});
    };
    const renewing = setInterval(renew, this.leaseMs / 4).unref();
    return {
      release: async (): Promise<void> => {
        clearInterval(renewing);
        await this.#saving;
        this.#holder = undefined;
        if (this.findLockLoss() === undefined) return this.save();
        // If the storage is reachable again, saves everything, even though the run has stopped.
        if (!(await this.#write())) throw lockLost(this.name);
      },
    };
  }

  /** Returns why requests must stop. Undefined while the lock is held, or if it was never acquired. */
  findLockLoss(): PartnerError | undefined {
    if (this.#countElapsedMs() > this.leaseMs * 0.75) this.#lost ??= this.#failure ?? lockLost(this.name);
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
      return { isInMemory: true, append, sync: () => this.save(), close: async () => {} };
    };
    return openStoredJournal({ path: this.name, read: () => left, open, replace }, options);
  }

  async replaceState(state: string): Promise<void> {
    this.#want({ [STATE]: state });
  }

  async writeLastRun(run: LastRun): Promise<void> {
    const before = parseLastRun(this.#wanted[LAST_RUN])?.failed;
    if (before?.join('\n') !== run.failed.join('\n')) this.#want({ [LAST_RUN]: `${JSON.stringify(run)}\n` });
  }

  async remove(): Promise<void> {
    this.#wanted = {};
    return this.save();
  }

  async #readUnlocked({ interrupted, onLockWait }: LockWait): Promise<Stored> {
    const begunAt = performance.now();
    const unlock = `, or run \`partner state unlock --state ${this.name}\``;
    let watched: Stored | undefined;
    for (;;) {
      const stored = await this.place.read();
      if (stored.documents[LOCK] === undefined) return stored;
      const { lease, leaseMs, leftMs } = this.#readLease(stored);
      const isAlive = watched !== undefined && watched.version !== stored.version;
      if (isAlive || (leftMs > 0 && leftMs <= leaseMs))
        throw stateLocked(
          lease,
          `. If it was killed, run this again in ${Math.ceil(leaseMs / 1000)} s${unlock}`,
        );
      // Clocks differ between machines, so an expired lease must also stay unchanged. An active holder would renew it.
      if (stored.idleMs !== undefined || (watched && performance.now() - begunAt > leaseMs)) return stored;
      if (watched === undefined) onLockWait?.(leaseMs);
      watched = stored;
      await pause(Math.min(2000, leaseMs / 8), undefined, { signal: interrupted }).catch(() => {
        throw new PartnerError('INTERRUPTED');
      });
    }
  }

  async #read(): Promise<Stored> {
    this.#stored ??= await this.place.read();
    return this.#stored;
  }

  /** Computes the remaining time with the storage's clock if it has one, otherwise with both machines' clocks. */
  #readLease({ documents, idleMs }: Stored) {
    const lease = parseLease(documents[LOCK] ?? '');
    const { leaseMs = this.leaseMs, renewedAt = 0 } = lease ?? {};
    return { lease, leaseMs, leftMs: leaseMs - (idleMs ?? Date.now() - renewedAt) };
  }

  #want(documents: Documents): void {
    this.#wanted = { ...this.#wanted, ...documents };
  }

  /** Time since the last renewal. The monotonic clock stops during sleep, and the wall clock can be set back. */
  #countElapsedMs(): number {
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

  save(): Promise<void> {
    const saving = this.#saving.then(async () => {
      for (;;) {
        const lost = this.findLockLoss();
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

const parseLease = (text: string) => Lease.safeParse(attempt(() => JSON.parse(text))).data ?? null;

const lockLost = (name: string) =>
  new PartnerError('STATE_LOCK_LOST', { message: `lost the lock of ${name}. Another run may be using it` });
