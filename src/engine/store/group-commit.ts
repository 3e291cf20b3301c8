import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kysely, Transaction } from 'kysely';
import { getDirectFile } from './connection.ts';
import type { Tables } from './tables.ts';

type Work<T> = (transaction: Transaction<Tables>) => Promise<T>;

interface Waiting {
  readonly work: Work<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

type Settle = () => void;

const GROUP_MAX = 64;

/**
 * Runs write transactions in sequence. Waiting writes share a commit, because a disk sync costs more than several
 * writes. If one throws, only that write is rolled back, but a failed commit rejects all of them.
 */
export function createGroupCommit(db: Kysely<Tables>): <T>(work: Work<T>) => Promise<T> {
  const queue: Waiting[] = [];
  let isRunning = false;

  async function runQueue(): Promise<void> {
    isRunning = true;
    while (queue.length > 0) {
      // Waits until a turn of the event loop adds no more writes, so that all waiting writes share the commit.
      for (let seen = 0; seen < queue.length && seen < GROUP_MAX; await nextTurn()) seen = queue.length;
      const group = queue.splice(0, GROUP_MAX);
      try {
        for (const settle of await commitGroup(db, group)) settle();
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    isRunning = false;
  }

  return <T>(work: Work<T>) =>
    new Promise<T>((resolve, reject) => {
      queue.push({ work, resolve: resolve as Waiting['resolve'], reject });
      if (!isRunning) void runQueue();
    });
}

/** Savepoints are slow and few writes throw, so only a second run uses them. */
async function commitGroup(db: Kysely<Tables>, group: readonly Waiting[]): Promise<Settle[]> {
  let hasThrown = false;
  const commit = (runOne: (transaction: Transaction<Tables>, one: Waiting) => Promise<Settle>) =>
    db.transaction().execute(async (transaction) => {
      const settled: Settle[] = [];
      for (const one of group) settled.push(await runOne(transaction, one));
      return settled;
    });
  try {
    return await commit(async (transaction, { work, resolve }) => {
      try {
        const value = await work(transaction);
        return () => resolve(value);
      } catch (error) {
        hasThrown = true;
        throw error;
      }
    });
  } catch (error) {
    // A commit that reports an error may still have succeeded, so it isn't retried.
    if (!hasThrown || group.length === 1) throw error;
    const run = (sql: string): void => void getDirectFile(db)?.first(sql, []);
    return commit(async (transaction, { work, resolve, reject }) => {
      run('savepoint one_write');
      try {
        const value = await work(transaction);
        run('release one_write');
        return () => resolve(value);
      } catch (error) {
        try {
          run('rollback to one_write');
          run('release one_write');
        } catch {
          throw error;
        }
        return () => reject(error);
      }
    });
  }
}
