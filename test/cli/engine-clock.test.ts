import assert from 'node:assert/strict';
import { fixture } from '../fixture.ts';
import { withLiveJob } from './homes.ts';
import { serveEngine } from './servers.ts';

describe("the bundled engine's clock", () => {
  const home = fixture('all tests', withLiveJob);

  const said = async (line: string): Promise<string> => {
    const { code, stdout, stderr } = await home.run(line);
    assert.equal(code, 0, stdout + stderr);
    return stdout + stderr;
  };

  it('is what jobs are shown by, and what a server that runs already answers by', async () => {
    const server = await serveEngine(home);
    const status = async () =>
      (await home.must<{ status: string }>('jobs get 1', { env: server.env })).status;

    assert.match(await said('jobs get 1'), /ACTIVE · 30 of 30 days left/);
    assert.match(await said('engine clock advance 20d'), /, 20d ahead of this machine\n/);
    assert.match(await said('jobs get 1'), /ACTIVE · 10 of 30 days left/);
    assert.equal(await status(), 'ACTIVE');
    assert.match(await said('engine clock advance 10d'), /\n +1 job expired · new .*DAILY.* windows\n/);
    assert.equal(await status(), 'EXPIRED');
    const back = await said('engine clock reset');
    assert.match(back, /the same as this machine's\n +1 job no longer expired · other .* windows\n/);
    assert.equal(await status(), 'ACTIVE');
    await server.stop();
  });

  it('is not advanced by less than nothing: exit 2, with the way to put it back', async () => {
    const { code, stderr } = await home.run('engine clock advance -- -1d');
    assert.equal(code, 2);
    assert.match(stderr, /partner engine clock set TIME/);
  });
});
