export type DialectName = 'sqlite' | 'postgres';

interface DialectWords {
  /** The type of a primary key that the database counts up, never giving a number twice. */
  readonly countedId: string;
  /** A whole number up to 2^53. */
  readonly wideInteger: string;
}

/** The few words in which the two dialects' tables differ. */
export const DIALECT_WORDS: Readonly<Record<DialectName, DialectWords>> = {
  sqlite: { countedId: 'integer primary key autoincrement', wideInteger: 'integer' },
  postgres: { countedId: 'bigint generated always as identity primary key', wideInteger: 'bigint' },
};
