import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import Libsql from 'libsql';
import { type Dispatcher, Pool } from 'undici';
import { openEngine } from '../../src/engine/open.ts';
import { openSqliteStore } from '../../src/engine/store/sqlite.ts';
import { PLACES_PATH, peopleOf, type Subject } from './subject.ts';

const BINARY = fileURLToPath(new URL('../../bin/run.js', import.meta.url));

/**
 * `partner engine serve`, as it is built, in a process of its own. Companies are made, and time passes, on its
 * database from this one: the clock of another process cannot be moved, so its rows are dated back.
 */
export async function openSocket(): Promise<Subject> {
  const directory = await mkdtemp(join(tmpdir(), 'partner-socket-'));
  const env = { HOME: directory, PARTNER_DATA_DIR: directory, PARTNER_CONFIG_DIR: directory };
  const databasePath = await databaseOf(env);
  const engine = await openEngine({ databasePath, placesPath: PLACES_PATH });
  const store = await openSqliteStore(databasePath);
  const rows = new Libsql(databasePath, { timeout: 10_000 });
  const server = spawn(process.execPath, [BINARY, 'engine', 'serve', '--port', '0', '--json'], { env });
  const baseUrl = await addressOf(server);
  const pool = new Pool(new URL(baseUrl).origin);
  return {
    ...peopleOf(engine.operator, store, Date.now),
    baseUrl,
    send: (request) => sendThrough(pool, request),
    now: Date.now,
    async passTime(companyId, durationMs) {
      for (const statement of DATING_BACK)
        rows.prepare(statement).run(`-${durationMs / 1000} seconds`, companyId);
    },
    async close() {
      await pool.close();
      server.kill('SIGTERM');
      if (server.exitCode === null) await once(server, 'exit');
      rows.close();
      await store.close();
      await engine.close();
      await rm(directory, { recursive: true });
    },
  };
}

/** Every time that the engine stores of a company's jobs and of their requests. */
const DATING_BACK = [
  datingBack('jobs', ['created_at', 'published_at', 'expires_at', 'closed_at'], 'company_id = ?2'),
  datingBack('idempotency', ['stored_at'], 'company_id = ?2'),
  datingBack('applications', ['received_at'], 'job_id in (select id from jobs where company_id = ?2)'),
];

function datingBack(table: string, columns: readonly string[], which: string): string {
  const set = columns.map((column) => `${column} = strftime('%Y-%m-%dT%H:%M:%fZ', ${column}, ?1)`);
  return `update ${table} set ${set.join(', ')} where ${which}`;
}

/** Not the global fetch: where a test of this run mocks the network, this is not its business. */
async function sendThrough(pool: Pool, request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const { statusCode, headers, body } = await pool.request({
    path: pathname + search,
    method: request.method as Dispatcher.HttpMethod,
    headers: Object.fromEntries(request.headers),
    body: request.body === null ? null : Buffer.from(await request.arrayBuffer()),
  });
  const told = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  return new Response(await body.text(), { status: statusCode, headers: told });
}

/** The base URL of a server that has just been started, from its first line; ends a server that tells none. */
async function addressOf(server: ChildProcess): Promise<string> {
  assert.ok(server.stdout && server.stderr);
  let complaint = '';
  server.stderr.on('data', (chunk) => {
    complaint += chunk;
  });
  const lines = createInterface({ input: server.stdout });
  const [line] = (await Promise.race([once(lines, 'line'), once(server, 'exit')])) as [unknown];
  try {
    return new URL((JSON.parse(String(line)) as { url: string }).url).href;
  } catch {
    server.kill();
    throw new Error(`\`partner engine serve\` told no address but ${line}: ${complaint}`);
  }
}

async function databaseOf(env: NodeJS.ProcessEnv): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [BINARY, 'engine', 'status', '--json'], {
    env,
  });
  return (JSON.parse(stdout) as { databasePath: string }).databasePath;
}
