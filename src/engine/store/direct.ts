import { type Dialect, Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/**
 * The file under a database, for the few statements that run again and again: by way of kysely each of them
 * takes several times as long as SQLite needs for it. There is one connection, so whoever has it, a
 * transaction above all, is alone on it.
 */
export interface DirectFile {
  /** True while nobody has the connection: only then may be read here what stands alone. */
  readonly isFree: boolean;
  /** Throws DATABASE_UNUSABLE where the file was deleted, moved or replaced since it was opened. */
  assertInPlace(): void;
  /** Runs a statement to its end; gives its first row, undefined where it has none. */
  first(sql: string, parameters: readonly unknown[]): object | undefined;
}

/** A database on one file of this process. */
export class DirectKysely extends Kysely<Tables> {
  readonly direct: DirectFile;

  constructor(dialect: Dialect, direct: DirectFile) {
    super({ dialect });
    this.direct = direct;
  }
}

/** The file under a database; undefined where there is none. */
export function directFileOf(db: Kysely<Tables>): DirectFile | undefined {
  return db instanceof DirectKysely ? db.direct : undefined;
}
