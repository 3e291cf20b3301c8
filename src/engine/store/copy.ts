import { type Kysely, sql, type Transaction } from 'kysely';
import columns from './columns.json' with { type: 'json' };
import type { DialectName } from './connection.ts';
import { EMPTYING_ORDER } from './store.ts';
import type { Tables } from './tables.ts';

export type TableName = (typeof EMPTYING_ORDER)[number];

export const NOT_COPIED: readonly TableName[] = [
  'job_counts',
  'charge_days',
  'charge_lines',
  // A backup must not grant access to a dashboard, so users sign in again.
  'dashboard_links',
  'dashboard_sessions',
];

export const COPIED_TABLES = EMPTYING_ORDER.toReversed().filter((table) => !NOT_COPIED.includes(table));

const ROWS_AT_ONCE = 100;

export async function* listRows(db: Transaction<Tables>, dialect: DialectName, table: TableName) {
  if (dialect === 'postgres') {
    await sql`declare copied no scroll cursor for
      select row_to_json(one)::text as row from ${sql.table(table)} as one`.execute(db);
    for (;;) {
      const { rows } = await sql<{ row: string }>`fetch ${sql.lit(ROWS_AT_ONCE)} from copied`.execute(db);
      if (rows.length === 0) break;
      yield rows.map(({ row }) => row);
    }
    await sql`close copied`.execute(db);
    return;
  }
  for (let last = Number.MIN_SAFE_INTEGER; ; ) {
    const { rows } = await sql<{ at: number; row: object }>`
      select rowid as "at ", * from ${sql.table(table)}
      where rowid > ${last} order by rowid limit ${sql.lit(ROWS_AT_ONCE)}`.execute(db);
    if (rows.length === 0) return;
    yield rows.map(({ 'at ': at, ...row }: Record<string, unknown>) => {
      last = Number(at);
      return JSON.stringify(row);
    });
  }
}

export async function insertRows(db: Kysely<Tables>, dialect: DialectName, table: TableName, rows: string) {
  if (dialect === 'postgres') {
    await sql`insert into ${sql.table(table)} overriding system value
      select * from json_populate_recordset(null::${sql.table(table)}, ${rows}::json)`.execute(db);
    return;
  }
  const columnNames = Object.keys(columns[table as keyof typeof columns].columns);
  const names = sql.join(columnNames.map((name) => sql.ref(name)));
  const values = sql.join(columnNames.map((name) => sql`value ->> ${sql.lit(`$.${name}`)}`));
  await sql`insert into ${sql.table(table)} (${names}) select ${values} from json_each(${rows})`.execute(db);
}

/** Moves the ID sequences of a PostgreSQL database past every ID that is stored or was assigned before. */
export async function advanceIds(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ table: string; sequence: string }>`
    select table_name as table, pg_get_serial_sequence(quote_ident(table_name), column_name) as sequence
    from information_schema.columns
    where table_schema = current_schema() and is_identity = 'YES'`.execute(db);
  for (const { table, sequence } of rows) {
    await sql`select setval(${sequence}, greatest(nextval(${sequence}), max(id)))
      from ${sql.table(table)} having max(id) is not null`.execute(db);
  }
}

export async function lockTables(db: Kysely<Tables>, mode: 'access share' | 'exclusive'): Promise<void> {
  const tables = sql.join(EMPTYING_ORDER.map((table) => sql.table(table)));
  await sql`lock table ${tables} in ${sql.raw(mode)} mode`.execute(db);
}

export async function isEmpty(db: Kysely<Tables>): Promise<boolean> {
  for (const table of COPIED_TABLES) {
    const row = await sql`select 1 from ${sql.table(table)} limit 1`.execute(db);
    if (row.rows.length > 0) return false;
  }
  return true;
}
