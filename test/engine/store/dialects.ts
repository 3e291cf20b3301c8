import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import type { DatabaseAddress } from '../../../src/engine/store/address.ts';
import type { DialectName } from '../../../src/engine/store/connection.ts';
import { connectPostgres, openPostgresStore } from '../../../src/engine/store/postgres.ts';
import { openSqlite, openSqliteStore } from '../../../src/engine/store/sqlite.ts';
import { createStore, type Store } from '../../../src/engine/store/store.ts';
import type { Tables } from '../../../src/engine/store/tables.ts';
import { newSchema, openPostgres, poolOn } from './pglite.ts';
import { newDatabase, POSTGRES_URL } from './postgres-server.ts';

/** An SQLite file, PostgreSQL in this process, and PostgreSQL on the server of PARTNER_TEST_POSTGRES_URL. */
const KINDS = ['sqlite', 'pglite', 'server'] as const;
export type DatabaseKind = (typeof KINDS)[number];

/** What the tests of this run use: all that there are, or the one that PARTNER_TEST_ENGINE names. */
export const DATABASE_KINDS = kindsOf(process.env.PARTNER_TEST_ENGINE || undefined);
/** For a suite that runs on one of them alone. */
export const ONE_KIND = DATABASE_KINDS[0] as DatabaseKind;

/** A migrated database, of which nothing is left when it is dropped. */
export interface TestDatabase {
  readonly address: DatabaseAddress;
  /** As each process that uses it has one. */
  openStore(): Promise<Store>;
  /** To look at what is stored, or to change it behind the engine's back. */
  tables(): Promise<Kysely<Tables>>;
  /** Back to how it was at first, with ids from 1. */
  empty(): Promise<void>;
  drop(): Promise<void>;
}

/** A `describe` on each database of this run. */
export function describeOnEach(title: string, suite: (kind: DatabaseKind) => void): void {
  for (const kind of DATABASE_KINDS) describe(`${title}, on ${kind}`, () => suite(kind));
}

/** The database of a `describe`: empty before each of its tests, or before the first. */
export function databaseFor(tests: 'each test' | 'all tests', kind = ONE_KIND): () => TestDatabase {
  let database: TestDatabase;
  before(async () => {
    database = await openDatabase(kind);
  });
  if (tests === 'each test') beforeEach(() => database.empty());
  after(() => database.drop());
  return () => database;
}

/** Of this process's PostgreSQL, migrated: to make one anew takes a tenth of a second. */
const emptySchemas: string[] = [];

export async function openDatabase(kind: DatabaseKind): Promise<TestDatabase> {
  if (kind === 'sqlite') {
    const directory = mkdtempSync(join(tmpdir(), 'partner-database-'));
    const drop = async () => rmSync(directory, { recursive: true });
    return databaseAt({ dialect: 'sqlite', path: join(directory, 'engine.db') }, drop);
  }
  if (kind === 'server') {
    const { url, drop } = await newDatabase();
    return databaseAt({ dialect: 'postgres', url }, drop);
  }
  const schema = emptySchemas.pop() ?? (await newSchema());
  const openTables = () => openPostgres(poolOn(schema));
  return testDatabase({
    address: { dialect: 'postgres', url: `postgres://in-this-process/${schema}` },
    openStore: async () => createStore(await openTables(), 'postgres'),
    openTables,
    async drop() {
      await emptyOut(await openTables(), 'postgres');
      emptySchemas.push(schema);
    },
  });
}

/** The database at an address, which stays where `drop` does not say otherwise. */
export function databaseAt(address: DatabaseAddress, drop = async () => {}): TestDatabase {
  if (address.dialect === 'sqlite') {
    const { path } = address;
    const [openStore, openTables] = [() => openSqliteStore(path), () => openSqlite(path)];
    return testDatabase({ address, openStore, openTables, drop });
  }
  const { url } = address;
  return testDatabase({
    address,
    // The clock of tests isn't the server's.
    openStore: async () => ({ ...(await openPostgresStore(url)), serverTime: undefined }),
    async openTables() {
      await (await openPostgresStore(url)).close();
      return connectPostgres(url);
    },
    drop,
  });
}

interface Opened extends Pick<TestDatabase, 'address' | 'openStore' | 'drop'> {
  openTables(): Promise<Kysely<Tables>>;
}

function testDatabase({ address, openStore, openTables, drop }: Opened): TestDatabase {
  let opened: Promise<Kysely<Tables>> | undefined;
  const tables = () => {
    opened ??= openTables();
    return opened;
  };
  return {
    address,
    openStore,
    tables,
    async empty() {
      await emptyOut(await tables(), address.dialect);
      if (address.dialect === 'sqlite') rmSync(`${address.path}-files`, { recursive: true, force: true });
    },
    async drop() {
      await (await opened)?.destroy();
      await drop();
    },
  };
}

async function emptyOut(db: Kysely<Tables>, dialect: DialectName): Promise<void> {
  const store = createStore(db, dialect);
  if (dialect === 'sqlite') {
    await store.clear();
    await sql`delete from sqlite_sequence`.execute(db);
  } else {
    await store.clear(({ files }) => files.deleteContents());
    await sql`select setval(pg_get_serial_sequence(table_name, column_name), 1, false)
      from information_schema.columns where is_identity = 'YES' and table_schema = current_schema()`.execute(
      db,
    );
  }
}

function kindsOf(named: string | undefined): readonly DatabaseKind[] {
  if (named !== undefined) {
    const kind = KINDS.find((one) => one === named);
    if (kind === undefined) throw new Error(`PARTNER_TEST_ENGINE is none of ${KINDS.join(', ')}: ${named}`);
    return [kind];
  }
  return KINDS.filter((kind) => kind !== 'server' || POSTGRES_URL !== undefined);
}
