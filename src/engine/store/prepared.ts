import type { Compilable, CompiledQuery } from 'kysely';
import type { Connection } from './store.ts';

/** Stands in a query for a value that is given each time it runs. */
class Slot {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** The queries of one store that were compiled, by name: putting one together costs more than running it. */
export type PreparedQueries = Map<string, CompiledQuery<unknown>>;

/** A slot, typed as the value that will stand there. */
export function param<Value>(name: string): Value {
  return new Slot(name) as Value;
}

/** For each column of a row a slot of the column's name. */
export function slotsOf<Row extends object>(row: Row): Row {
  return Object.fromEntries(Object.keys(row).map((column) => [column, param(column)])) as Row;
}

/**
 * Runs the query that `build` gives, put together only the first time, with `values` in its slots. Gives its
 * first row; undefined where it has none.
 */
export async function queryFirst<Row>(
  { db, prepared, direct }: Connection,
  name: string,
  build: () => Compilable<Row>,
  values: Readonly<Record<string, unknown>>,
): Promise<Row | undefined> {
  const query = (prepared.get(name) ?? build().compile()) as CompiledQuery<Row>;
  prepared.set(name, query);
  const parameters = query.parameters.map((parameter) =>
    parameter instanceof Slot ? values[parameter.name] : parameter,
  );
  const file = direct();
  if (file !== undefined) return file.first(query.sql, parameters) as Row | undefined;
  const { rows } = await db.executeQuery({ ...query, parameters });
  return rows[0] as Row | undefined;
}
