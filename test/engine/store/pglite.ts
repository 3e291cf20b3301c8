import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { Duplex } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import type { PGlite } from '@electric-sql/pglite';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import { Client } from 'pg';
import packageJson from '../../../package.json' with { type: 'json' };
import { migrate } from '../../../src/engine/store/migrations.ts';
import { NUMBER_TYPES, openPool } from '../../../src/engine/store/postgres.ts';

/** Runs after each statement and may run others in the same transaction. */
type AfterQuery = (sql: string, run: (sql: string) => Promise<unknown>) => Promise<unknown>;

/** One per process, because it takes a second to start. Its users take turns with its only connection. */
let started: ReturnType<typeof start> | undefined;
let free = Promise.resolve();
let schemaInUse = '';
let schemas = 0;

// PGlite's timers keep the process alive, except for workers of a parallel run, which mocha ends.
if (process.env.MOCHA_WORKER_ID === undefined && typeof after === 'function')
  after(async () => (await started)?.database.close());

export async function openPostgres(pool: PostgresPool): Promise<ReturnType<typeof openPool>> {
  const db = openPool(pool);
  await migrate(db, 'postgres');
  return db;
}

export async function newSchema(): Promise<string> {
  const name = `test_${++schemas}`;
  const connection = await connect('public');
  await connection.query(`create schema ${name}`, []).finally(connection.release);
  return name;
}

export function poolOn(schema: string, afterQuery?: AfterQuery): PostgresPool {
  return { connect: () => connect(schema, afterQuery), end: async () => {} };
}

async function connect(schema: string, afterQuery: AfterQuery = async () => {}): Promise<PostgresPoolClient> {
  started ??= start();
  const { client } = await started;
  const before = free;
  let release = (): void => {};
  free = new Promise((resolve) => {
    release = resolve;
  });
  await before;
  if (schemaInUse !== schema) await client.query(`set search_path to ${schema}`);
  schemaInUse = schema;
  const query = async (sql: string, parameters: readonly unknown[]): Promise<unknown> => {
    const result = await client.query(sql, [...parameters]);
    await afterQuery(sql, (other) => client.query(other));
    return result;
  };
  return { query: query as PostgresPoolClient['query'], release };
}

/** Uses the engine's own driver, so that values and errors match those of a server. */
async function start() {
  const database = await cluster();
  const client = new Client({
    stream: () => wireTo(database),
    user: 'postgres',
    pipeline: true,
    types: NUMBER_TYPES,
  });
  await client.connect();
  return { database, client };
}

function wireTo(database: PGlite): Duplex {
  const send = (bytes: Uint8Array, done: (error?: Error) => void): void => {
    database.execProtocolRaw(bytes).then((answer) => {
      wire.push(answer);
      done();
    }, done);
  };
  const wire = new Duplex({
    read: () => {},
    write: (chunk: Buffer, _, done) => send(chunk, done),
    writev: (chunks, done) => send(Buffer.concat(chunks.map(({ chunk }) => chunk as Buffer)), done),
  });
  const connect = () => process.nextTick(() => wire.emit('connect'));
  return Object.assign(wire, { connect, setNoDelay() {}, ref() {}, unref() {} });
}

/** Cached on disk, because `initdb` takes five times as long as loading its result. */
async function cluster(): Promise<PGlite> {
  // Optimizing 10 MB of WebAssembly takes longer than running the tests.
  setFlagsFromString('--liftoff-only');
  const { PGlite } = await import('@electric-sql/pglite');
  const directory = join(tmpdir(), `partner-tests-${userInfo().uid}`);
  const kept = join(directory, `pglite-${packageJson.devDependencies['@electric-sql/pglite']}.tar`);
  if (existsSync(kept)) return PGlite.create({ loadDataDir: new Blob([await readFile(kept)]) });
  const made = await PGlite.create();
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const draft = `${kept}.${process.pid}`;
  await writeFile(draft, Buffer.from(await (await made.dumpDataDir('none')).arrayBuffer()));
  // Renaming is atomic, so other processes never read an incomplete file.
  await rename(draft, kept);
  return made;
}
