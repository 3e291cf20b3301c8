import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import * as fullDisk from '../cli/full-disk.ts';
import { logLines } from '../cli/servers.ts';

describe('every command on a full disk', () => {
  const home = fullDisk.homeOnSmallDisk();
  afterEach(() => rmSync(join(home().data, 'filler'), { force: true }));

  for (const [what, freeBytes] of [
    ['nothing', -Infinity],
    ["SQLite's shared memory", 0],
    ['one page more', 4096],
  ] as const) {
    it(`writes nothing and says why where there is room for ${what}`, () =>
      fullDisk.assertAllStopped(home(), fullDisk.DATABASE_WRITES, freeBytes));

    it(`reads, or says why not, where there is room for ${what}`, async () => {
      for (const line of fullDisk.DATABASE_READS) {
        fullDisk.fillData(home(), freeBytes);
        const { code, stdout, stderr } = await home().run(line, {
          env: { PARTNER_BASE_URL: 'local' },
          alone: true,
        });
        const isStopped = freeBytes < 0 && code === 2 && /the disk is full/.test(stdout + stderr);
        assert.ok(code === 0 || isStopped, `${line}: ${code} ${stderr}`);
      }
    });
  }

  it('is answered by a server with 503 for as long as it lasts, and logged in a line with its cause', async () => {
    const { key } = await home().must<{ key: string }>('engine keys create', { alone: true });
    const { child, ended, shown } = home().start('engine serve --port 0');
    const url = (await shown('stdout', /http.*\n/)).trim();
    const create = () =>
      fetch(`${url}/jobs`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ title: 'Cook', description: 'x'.repeat(90_000) }),
      });
    fullDisk.fillData(home(), 0);
    const refused = await create();
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '5']);
    rmSync(join(home().data, 'filler'));
    assert.equal((await create()).status, 201);
    child.kill('SIGTERM');
    const { stderr } = await ended;
    const { error, requestId } = logLines(stderr).find(({ status }) => status === 503) ?? {};
    assert.match(String(error), /^can't use the database .*partner\.db: the disk is full$/);
    assert.equal(requestId, refused.headers.get('x-request-id'));
  });

  it('stops none of them once there is room again', async () => {
    // Each command runs on what the previous one left, so a job's status may cause a refusal. A second company would
    // require --company in later commands, so creating it comes late; the last command empties the database.
    const last = ['engine companies create Acme', 'engine reset --yes'];
    for (const line of [...fullDisk.DATABASE_WRITES.filter((one) => !last.includes(one)), ...last]) {
      const { code, stderr } = await home().run(line, { env: { PARTNER_BASE_URL: 'local' }, alone: true });
      assert.ok(code === 0 || code === 6, `${line}: ${code} ${stderr}`);
    }
  });
});
