import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BINARY } from '../cli/partner.ts';
import files from './large-files.json' with { type: 'json' };

const FILES = files as [name: string, parts: (string | [string, number])[], says: string][];
const PEAK_MEMORY = new URL('../../bench/peak-memory.mjs', import.meta.url).href;
/** Ten on a machine that does nothing else. */
const SECONDS_MAX = 40;

describe('the built binary, given a large or odd file', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'partner-large-'));
  const env = {
    ...process.env,
    PARTNER_DATA_DIR: join(scratch, 'data'),
    PARTNER_CONFIG_DIR: join(scratch, 'config'),
  };
  after(() => rmSync(scratch, { recursive: true, force: true }));

  for (const [name, parts, says] of FILES) {
    const isFeed = /\.(?:html|xml)$|postings/.test(name);
    const commands = isFeed ? ['import'] : ['validate', 'plan'];
    it(`refuses ${name} with its reason, in 300 MB and without a stack trace: jobs ${commands.join(', ')}`, () => {
      const file = join(scratch, name);
      write(file, parts);
      for (const command of commands) {
        const argv = ['jobs', command, file, ...(isFeed ? ['--out', join(scratch, 'out'), '--dry-run'] : [])];
        const { status, output } = spawnSync(
          process.execPath,
          ['--import', PEAK_MEMORY, BINARY, ...argv, '--json'],
          {
            env,
            encoding: 'utf8',
            timeout: SECONDS_MAX * 1000,
            stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
            maxBuffer: 1024 ** 3,
          },
        );
        const [, stdout, stderr, kilobytes] = output.map(String);
        assert.ok([2, 3].includes(status ?? -1), `exit ${status}: ${stderr?.slice(0, 500)}`);
        assert.doesNotMatch(`${stdout}${stderr}`, /\n {4}at |a bug in partner/);
        if (command !== 'plan') assert.match(`${stdout}`, new RegExp(says));
        assert.ok(Number(kilobytes) < 300 * 1024, `${kilobytes} KB`);
      }
      rmSync(file);
    });
  }

  it('ends at the first Ctrl-C while it reads: exit 130', async () => {
    const file = join(scratch, 'lines.ndjson');
    write(file, [['{"title":"A","publish":false}\n', 199_000]]);
    const child = spawn(process.execPath, [BINARY, 'jobs', 'validate', file, '--draft', '--json'], { env });
    let stdout = '';
    child.stdout.on('data', (data) => {
      stdout += data;
    });
    // The file is open once the binary has loaded.
    child.stderr.resume();
    const loaded = setInterval(() => child.kill('SIGINT'), 300);
    const [code] = await once(child, 'close');
    clearInterval(loaded);
    assert.equal(code, 130, stdout);
  });
});

function write(file: string, parts: readonly (string | [string, number])[]): void {
  const descriptor = openSync(file, 'w');
  for (const part of parts) {
    const [text, times] = typeof part === 'string' ? [part, 1] : part;
    for (let left = times; left > 0; left -= 1_000_000)
      writeSync(descriptor, text.repeat(Math.min(left, 1_000_000)));
  }
  closeSync(descriptor);
}
