// A process that loads the built bundle once and runs one command line after another in it: each as bin/run.js
// would, with streams, a directory and an environment of its own.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import { loadBundle } from '../../bin/load.js';

const { main } = loadBundle();

process.on('disconnect', () => process.exit());
process.on('message', async (line) => process.send(await ended(line)));

async function ended({ argv, cwd, env, stdin }) {
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  const [input, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  input.end(stdin);
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
 * SQLite's file is closed when the last of its statements is collected, which the end of a process sees to. One
 * that another process has open too keeps its log.
 */
async function databaseClosed({ PARTNER_DATA_DIR: data = '' }) {
  const log = join(data, 'engine/partner.db-wal');
  // What is young takes a tenth of the time.
  for (const collect of [young, globalThis.gc, globalThis.gc]) {
    if (!existsSync(log)) return;
    collect();
    await turn();
  }
}

function young() {
  globalThis.gc({ type: 'minor' });
}
