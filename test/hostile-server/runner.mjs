// A process that loads the built bundle once and runs many command lines at a time in it, each with streams and an
// environment of its own; what escapes all of them is told too.
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { loadBundle } from '../../bin/load.js';

const { main } = loadBundle();

process.on('uncaughtException', (error) => process.send({ escaped: String(error?.stack ?? error) }));
process.on('disconnect', () => process.exit());
process.on('message', async ({ id, ...line }) => process.send({ id, ...(await ended(line)) }));

async function ended({ argv, env, stdin }) {
  const [input, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  input.end(stdin);
  const texts = Promise.all([text(stdout), text(stderr)]);
  const own = { argv: [process.execPath, 'partner', ...argv], env, stdin: input, stdout, stderr };
  const properties = Object.entries({ ...own, on: () => {}, off: () => {} });
  const given = Object.create(
    process,
    Object.fromEntries(properties.map(([name, value]) => [name, { value }])),
  );
  const code = await main(given);
  stdout.end();
  stderr.end();
  const [out, err] = await texts;
  return { code, stdout: out, stderr: err };
}
