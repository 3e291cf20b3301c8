import assert from 'node:assert/strict';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { together } from './bulk.ts';
import { EXAMPLES, type Home, newHome } from './partner.ts';

const it = together();

const TEXTS = {
  title: ' NO: 24/7 – Welder (m/f/d) 🔥',
  description: 'One:\n\n---\n- a list\n- of two, "quoted"; and so on\n\n# Not a heading',
};

async function exported(home: Home, id: number, format: string): Promise<string> {
  const path = join(home.path, `exported.${format}`);
  const file = openSync(path, 'w');
  const { code, stderr } = await home.run(`jobs export ${id} --format ${format}`, { stdout: file });
  closeSync(file);
  assert.equal(code, 0, stderr);
  return path;
}

describe('jobs export', () => {
  it('writes a job in each format so that it makes the same job again', async () => {
    const home = await newHome();
    const changes = ['--title', TEXTS.title, '--description', TEXTS.description];
    await home.must(['jobs', 'create', join(EXAMPLES, 'jobs/icu-nurse-boston.json'), ...changes]);
    const before = await home.must('jobs export 1');
    for (const format of ['json', 'yaml', 'md', 'csv', 'xlsx']) {
      const { id } = await home.must<{ id: number }>(['jobs', 'create', await exported(home, 1, format)]);
      assert.deepEqual(await home.must(`jobs export ${id}`), before, format);
    }
  });

  it('says what a table leaves out, and is JSON alone under --json', async () => {
    const home = await newHome();
    const file = await home.file('job.json', { title: 'Welder', description: 'One\u202e\r\nTwo\u001b[31m' });
    await home.must(['jobs', 'create', file]);
    const { stdout, stderr } = await home.run('jobs export 1 --format csv');
    assert.match(stdout, /"One\nTwo"/);
    assert.match(stderr, /invisible characters are omitted.*--format yaml/s);
    assert.equal((await home.run('jobs export 1 --format yaml')).stderr, '');
    assert.equal((await home.run('jobs export 1 --format yaml --json')).code, 2);
  });
});
