import { type Compilable, type CompiledQuery, type Dialect, Kysely, sql } from 'kysely';
import type { Tables } from './tables.ts';

export type DialectName = 'sqlite' | 'postgres';

export interface Connection {
  readonly db: Kysely<Tables>;
  readonly dialect: DialectName;
  /** Compiled queries by name, because building a query costs more than running it. */
  readonly prepared: Map<string, CompiledQuery<unknown>>;
  readonly direct: () => Direct | undefined;
  /** Must be called when a write changes a value that `Remembered` caches. */
  readonly onChange: () => void;
}

/** Runs statements without Kysely, because its overhead is several times the cost of a short statement. */
export interface Direct {
  /** Sends statements without a result together with `commit` to PostgreSQL, which rolls back if one fails. */
  readonly last?: Direct;
  first(sql: string, parameters: readonly unknown[]): object | undefined | Promise<object | undefined>;
}

export interface DirectFile extends Direct {
  /** False while a transaction or query uses the only connection, because other reads must not see its work. */
  readonly isFree: boolean;
  assertInPlace(): void;
  close(): void;
  version(): unknown;
  first(sql: string, parameters: readonly unknown[]): object | undefined;
}

export type Work<T> = (connection: Pick<Connection, 'db' | 'direct'>) => Promise<T>;

export interface DirectServer extends Direct {
  /** With `isSingle`, the work is one prepared statement, so it needs no `begin` and `commit`. */
  transact<T>(work: Work<T>, isSingle?: boolean): Promise<T>;
}

export class DirectKysely extends Kysely<Tables> {
  constructor(
    dialect: Dialect,
    readonly direct: DirectFile | DirectServer,
  ) {
    super({ dialect });
  }

  /** Closes the file, because Kysely itself doesn't if it hasn't run a query yet. Later writes must fail. */
  override async destroy(): Promise<void> {
    await super.destroy();
    if ('isFree' in this.direct) this.direct.close();
  }
}

export function getDirectFile(db: Kysely<Tables>): DirectFile | undefined {
  return db instanceof DirectKysely && 'isFree' in db.direct ? db.direct : undefined;
}

export function getDirectServer(db: Kysely<Tables>): DirectServer | undefined {
  return db instanceof DirectKysely && 'transact' in db.direct ? db.direct : undefined;
}

/** Holds an advisory lock until the transaction ends. Every purpose needs a different number. */
export async function lock({ db, dialect }: Connection, number: number): Promise<void> {
  if (dialect === 'postgres') await sql`select pg_advisory_xact_lock(${number})`.execute(db);
}

/**
 * Returns a function that runs a query with its arguments, and returns the first row. `build` runs once per name, and
 * gets placeholders as its arguments, so it must pass them to the query unchanged. A row always needs the same columns.
 */
export function prepare<Values extends readonly unknown[], Row>(
  { db, prepared, direct }: Connection,
  name: string,
  build: (...values: Values) => Compilable<Row>,
) {
  return async (...values: Values): Promise<Row | undefined> => {
    const query = prepared.get(name) ?? build(...(values.map(toPlaceholder) as unknown as Values)).compile();
    prepared.set(name, query);
    const parameters = query.parameters.map((parameter) =>
      parameter instanceof Placeholder ? parameter.read(values) : parameter,
    );
    const database = direct();
    if (database !== undefined) {
      return database.first(query.sql, parameters) as Row | undefined | Promise<Row | undefined>;
    }
    const { rows } = await db.executeQuery({ ...query, parameters });
    return rows[0] as Row | undefined;
  };
}

class Placeholder {
  constructor(readonly read: (values: readonly unknown[]) => unknown) {}
}

/** Returns one placeholder for a value, or one per column for a row. */
function toPlaceholder(value: unknown, index: number) {
  if (typeof value !== 'object' || value === null) return new Placeholder((values) => values[index]);
  const columns = Object.keys(value).map((column) => {
    const read = (values: readonly unknown[]) => (values[index] as Readonly<Record<string, unknown>>)[column];
    return [column, new Placeholder(read)];
  });
  return Object.fromEntries(columns);
}
