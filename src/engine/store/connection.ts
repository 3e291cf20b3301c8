import { type Compilable, type CompiledQuery, type Dialect, Kysely, sql } from 'kysely';
import type { Tables } from './tables.ts';

export type DialectName = 'sqlite' | 'postgres';

export interface Connection {
  readonly db: Kysely<Tables>;
  readonly dialect: DialectName;
  /** Compiled queries by name: building one costs more than running it. */
  readonly prepared: Map<string, CompiledQuery<unknown>>;
  readonly direct: () => Direct | undefined;
  /** Is told where something changes that is remembered (`Remembered`); it counts from the commit on. */
  readonly onChange: () => void;
}

/** A database without kysely, which takes several times as long as a short statement itself. */
interface Direct {
  /** For what does no harm outside of a transaction: a server gets it together with the transaction's beginning. */
  readonly ahead?: Direct;
  /** For what gives nothing: a server gets the commit together with it, and undoes all where it fails. */
  readonly last?: Direct;
  first(sql: string, parameters: readonly unknown[]): object | undefined | Promise<object | undefined>;
}

export interface DirectFile extends Direct {
  /** Whether no transaction or query has the only connection: reads outside a transaction must not see its work. */
  readonly isFree: boolean;
  assertInPlace(): void;
  /** Differs from before once another connection has committed. */
  version(): unknown;
  first(sql: string, parameters: readonly unknown[]): object | undefined;
}

export interface DirectServer extends Direct {
  /** Runs `work` in a transaction, and again where the server has undone it because of another one. */
  transact<T>(work: (connection: Pick<Connection, 'db' | 'direct'>) => Promise<T>): Promise<T>;
}

export class DirectKysely extends Kysely<Tables> {
  constructor(
    dialect: Dialect,
    readonly direct: DirectFile | DirectServer,
  ) {
    super({ dialect });
  }
}

export function directFileOf(db: Kysely<Tables>): DirectFile | undefined {
  return db instanceof DirectKysely && 'isFree' in db.direct ? db.direct : undefined;
}

export function directServerOf(db: Kysely<Tables>): DirectServer | undefined {
  return db instanceof DirectKysely && 'transact' in db.direct ? db.direct : undefined;
}

/** Stands in a query for a value that is given each time it runs. */
class Param {
  constructor(readonly name: string) {}
}

/** A parameter, of a type that fits every column. */
export function param(name: string): never {
  return new Param(name) as never;
}

export function paramsOf<Row extends object>(row: Row): Row {
  return Object.fromEntries(Object.keys(row).map((column) => [column, param(column)])) as Row;
}

/** Until the transaction ends, nobody else takes the lock of this number, which no other lock of the database has. */
export async function lock({ db, dialect }: Connection, number: number): Promise<void> {
  // SQLite's write transaction has locked the whole database already.
  if (dialect === 'postgres') await sql`select pg_advisory_xact_lock(${number})`.execute(db);
}

/** Runs the query that `build` gives, compiled only the first time, and gives its first row. */
export async function queryFirst<Row>(
  { db, prepared, direct }: Connection,
  name: string,
  build: () => Compilable<Row>,
  values: Readonly<Record<string, unknown>>,
): Promise<Row | undefined> {
  const query = (prepared.get(name) ?? build().compile()) as CompiledQuery<Row>;
  prepared.set(name, query);
  const parameters = query.parameters.map((parameter) =>
    parameter instanceof Param ? values[parameter.name] : parameter,
  );
  const database = direct();
  if (database !== undefined) {
    return database.first(query.sql, parameters) as Row | undefined | Promise<Row | undefined>;
  }
  const { rows } = await db.executeQuery({ ...query, parameters });
  return rows[0] as Row | undefined;
}
