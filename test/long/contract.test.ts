import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { newHome } from '../cli/partner.ts';
import { serveEngine } from '../cli/servers.ts';
import { startSpecServer, KEY as THEIR_KEY } from '../spec-server/server.ts';
import refusals from './contract-refusals.json' with { type: 'json' };

const SCRIPT = fileURLToPath(new URL('../../scripts/contract.ts', import.meta.url));
const SUMMARY = /^(\d+) held, (\d+) broken, (\d+) not offered, (\d+) not tried$/m;

interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function contract(args: readonly string[], key = ''): Promise<Run> {
  const env = { ...process.env, PARTNER_API_KEY: key };
  return new Promise((resolve) => {
    execFile(process.execPath, ['--import', 'tsx', SCRIPT, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

/** In this order: held, broken, not offered, not tried. */
function counts({ stdout }: Run): number[] {
  return (SUMMARY.exec(stdout) ?? []).slice(1).map(Number);
}

describe('npm run contract -- URL KEY', () => {
  it('ends with 0 for `partner engine serve`, published listings included', async () => {
    const home = await newHome();
    const { url, env, stop } = await serveEngine(home);
    await home.must('dashboard accept-terms');
    await home.must('dashboard add-card');
    const run = await contract([url, '--publish'], env.PARTNER_API_KEY);
    const left = await home.must<{ items: unknown[] }>('jobs list --status ACTIVE');
    await stop();
    assert.deepEqual([run.code, run.stderr, counts(run).slice(1)], [0, '', [0, 0, 0]], run.stdout);
    assert.deepEqual(left.items, []);
    assert.ok(!run.stdout.includes(env.PARTNER_API_KEY));
  });

  it('ends with 1 for a server that is wrong, for one that is away and for a key that is refused', async () => {
    const server = await startSpecServer({ success: { status: 500 } });
    const wrong = await contract([server.url], THEIR_KEY);
    const refused = await contract([server.url], 'sk_ext_of_nobody');
    await server.close();
    const away = await contract([server.url], THEIR_KEY);
    assert.equal(wrong.code, 1);
    assert.match(wrong.stdout, /^Broken:\nbroken/m);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /^Can't start: POST \S+ returned 401/);
    assert.equal(away.code, 1);
    assert.match(away.stderr, /^Can't start: .*ECONNREFUSED/);
  });

  it('ends with 2, and sends nothing, where it is not told enough', async () => {
    for (const [args, told] of refusals as [string[], string][]) {
      const { code, stderr } = await contract(args);
      assert.equal(code, 2);
      assert.match(stderr, new RegExp(told));
    }
  });
});
