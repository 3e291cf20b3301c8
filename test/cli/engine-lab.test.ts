import assert from 'node:assert/strict';
import { fixture } from '../fixture.ts';
import { newHome } from './partner.ts';
import { logLines, type ServedEngine, serveEngine } from './servers.ts';
import WRONG_FLAGS from './wrong-lab-flags.json' with { type: 'json' };

interface Lab {
  readonly seed: number;
  readonly latencyMs: { readonly min: number; readonly max: number };
}

describe('engine serve as a lab for failure', () => {
  let open: ServedEngine[] = [];
  const home = fixture('all tests', newHome);
  afterEach(async () => {
    for (const server of open.splice(0)) await server.stop();
  });

  async function serve(flags = ''): Promise<ServedEngine & { readonly lab: Lab | undefined }> {
    const server = await serveEngine(home, `--port 0${flags}`);
    open.push(server);
    const { lab } = JSON.parse(await server.running.shown('stdout', /\n/)) as { lab?: Lab };
    return { ...server, lab };
  }

  async function seen({ env, url }: ServedEngine, reads: number): Promise<string[]> {
    const headers = { authorization: `Bearer ${env.PARTNER_API_KEY}` };
    const outcomes: string[] = [];
    for (let n = 0; n < reads; n++) {
      const answer = await fetch(`${url}/jobs?limit=1`, { headers }).catch(() => undefined);
      const text = await answer?.text().catch(() => undefined);
      outcomes.push(answer === undefined ? 'cut' : text === undefined ? 'broken' : String(answer.status));
    }
    return outcomes;
  }

  it('fails and drops requests, the same ones again under the same seed', async () => {
    const flags = ' --fail-rate 0.4 --drop-rate 0.3';
    const [one, again] = [await serve(`${flags} --seed 7`), await serve(`${flags} --seed 7`)];
    const outcomes = await seen(one, 60);
    assert.deepEqual(await seen(again, 60), outcomes);
    for (const outcome of ['200', '429', '500', '502', '503', 'broken', 'cut'])
      assert.ok(outcomes.includes(outcome), `${outcome} among ${outcomes}`);
    const chosen = await serve(flags);
    assert.notEqual(
      (await serve(flags)).lab?.seed,
      chosen.lab?.seed,
      'a seed that it chose itself, and shows',
    );
  });

  it('says on stderr what it does, and on Ctrl-C what it did', async () => {
    const rates = '--fail-rate 0.1 --drop-rate 0.05 --rate-limit 900/s --seed 7';
    const server = await serve(` --latency 1ms ${rates}`);
    await seen(server, 60);
    open = [];
    const said = logLines(await server.stop())
      .map(({ msg }) => msg)
      .join('\n');
    assert.match(said, /^lab: seed 7$/m);
    const [, failed] =
      /^lab: 60 requests\n {2}failed {3}(\d+) before processing, \d+ after$/m.exec(said) ?? [];
    assert.ok(Number(failed) > 0, said);
    assert.match(said, /^ {2}dropped {2}\d+ before processing, \d+ after\n {2}429 +\d+/m);
  });

  it('refuses what makes no sense, and names it', async () => {
    for (const flags of WRONG_FLAGS) {
      const run = await home.run(`engine serve --port 0 --json ${flags}`);
      assert.equal(run.code, 2, `${flags}: ${run.stdout}${run.stderr}`);
      const { error } = run.json() as { error: { code: string; message: string } };
      assert.equal(error.code, 'USAGE');
      assert.ok(error.message.includes(flags.split('=')[0] ?? ''), error.message);
    }
  });
});
