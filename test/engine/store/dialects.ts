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

/** A SQLite file and PostgreSQL: the server of PARTNER_TEST_POSTGRES_URL, or else PGlite in this process. */
const KINDS = ['sqlite', 'pglite', 'server'] as const;
export type DatabaseKind = (typeof KINDS)[number];

/** All available databases, or only PARTNER_TEST_ENGINE. */
export const DATABASE_KINDS = kindsOf(process.env.PARTNER_TEST_ENGINE || undefined);
/** For suites that don't depend on the database. */
export const ONE_KIND = DATABASE_KINDS[0] as DatabaseKind;

export interface TestDatabase {
  readonly address: DatabaseAddress;
  /** Each call opens another store, as each process does. */
  openStore(): Promise<Store>;
  /** Bypasses the engine, to read or change what is stored. */
  tables(): Promise<Kysely<Tables>>;
  empty(): Promise<void>;
  drop(): Promise<void>;
}

export function describeOnEach(title: string, suite: (kind: DatabaseKind) => void): void {
  for (const kind of DATABASE_KINDS) describe(`${title}, on ${kind}`, () => suite(kind));
}

/** Empty before each test, or before the first one. */
export function databaseFor(tests: 'each test' | 'all tests', kind = ONE_KIND): () => TestDatabase {
  let database: TestDatabase;
  before(async () => {
    database = await openDatabase(kind);
  });
  if (tests === 'each test') beforeEach(() => database.empty());
  after(() => database.drop());
  return () => database;
}

/** Migrated PGlite schemas for reuse, because creating one takes 0.1 s. */
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

/** Keeps the database unless `drop` deletes it. */
export function databaseAt(address: DatabaseAddress, drop = async () => {}): TestDatabase {
  if (address.dialect === 'sqlite') {
    const { path } = address;
    const [openStore, openTables] = [() => openSqliteStore(path), () => openSqlite(path)];
    return testDatabase({ address, openStore, openTables, drop });
  }
  const { url } = address;
  return testDatabase({
    address,
    // Tests move the engine's clock, so it must not use the server's.
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
  return POSTGRES_URL === undefined ? ['sqlite', 'pglite'] : ['sqlite', 'server'];
}
