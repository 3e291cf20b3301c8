// A process that loads the built bundle once and runs one command line after another in it: each as bin/run.js
// would, with streams, a directory and an environment of its own.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import tty from 'node:tty';
import { loadBundle } from '../../bin/load.js';
import { currentTarget } from '../../scripts/native-target.cjs';

const opened = recordOpened(createRequire(import.meta.url)(`@libsql/${currentTarget()}`));
const { main } = loadBundle();

process.on('disconnect', () => process.exit());
process.on('message', async (line) => process.send(await ended(line)));

async function ended({ argv, cwd, env, stdin, columns }) {
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  const [input, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  if (stdin !== 'open') input.end(stdin);
  if (columns !== undefined)
    for (const stream of [stdout, stderr]) Object.assign(stream, { isTTY: true, columns });
  tty.isatty = (descriptor) => columns !== undefined && descriptor > 0;
  const warn = (warning) => stderr.write(`${warning.stack}\n`);
  process.on('warning', warn);
  const texts = Promise.all([text(stdout), text(stderr)]);
  const code = await main(
    processWith({ argv: [process.execPath, 'partner', ...argv], stdin: input, stdout, stderr }),
  );
  await databaseClosed(env);
  process.off('warning', warn);
  stdout.end();
  stderr.end();
  const [out, err] = await texts;
  return { code, stdout: out, stderr: err };
}

/** This process to whoever looks at it, but for its command line and streams; nobody sends it a signal. */
function processWith(given) {
  const own = { ...given, on: () => {}, off: () => {} };
  return Object.create(
    process,
    Object.fromEntries(Object.entries(own).map(([name, value]) => [name, { value }])),
  );
}

/**
 * Records the databases and statements that libsql opens, so that they can be closed after each command line. The
 * bundle gets a holder in place of each statement: V8 keeps objects of earlier runs alive that refer to it.
 */
function recordOpened(native) {
  const [databases, statements, paths] = [[], [], new Set()];
  const { databaseOpen, databaseClose, databasePrepareSync } = native;
  for (const [name, own] of Object.entries(native)) {
    if (!name.startsWith('statement')) continue;
    native[name] = function (...given) {
      return own.apply(this.statement, given);
    };
  }
  native.databaseOpen = (path, ...given) => {
    const database = databaseOpen(path, ...given);
    databases.push(database);
    paths.add(path);
    return database;
  };
  native.databasePrepareSync = function (...given) {
    const holder = { statement: databasePrepareSync.apply(this, given) };
    statements.push(holder);
    return holder;
  };
  return {
    /** Returns the paths of the databases. */
    release() {
      for (const database of databases.splice(0)) databaseClose.call(database);
      for (const holder of statements.splice(0)) holder.statement = undefined;
      const released = [...paths];
      paths.clear();
      return released;
    },
  };
}

/**
 * SQLite closes its file when the last statement is collected, as at the end of a process. If another process has
 * the file open too, its log stays. Collecting only young objects takes a tenth of the time and is usually enough.
 */
async function databaseClosed({ PARTNER_DATA_DIR: data = '' }) {
  const path = join(data, 'engine/partner.db');
  // Another process may have the file open, so its log alone says nothing.
  if (!opened.release().includes(path)) return;
  const log = `${path}-wal`;
  for (const collect of [young, globalThis.gc, globalThis.gc]) {
    if (!existsSync(log)) return;
    collect();
    await turn();
  }
}

function young() {
  globalThis.gc({ type: 'minor' });
}
