import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BenchHome, makeHome } from '../../bench/home.ts';
import { storeJobs } from '../../bench/list.ts';

describe('a list of 25,000 jobs', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'partner-list-'));
  let home: BenchHome;
  before(() => {
    home = makeHome(scratch);
    storeJobs(home, 25_000);
  });
  after(() => rmSync(scratch, { recursive: true, force: true }));

  for (const form of [['--json'], ['--csv'], []])
    it(`takes less than 150 MB ${form}`, () => {
      const { stdout, peakMegabytes } = home.run(['jobs', 'list', '--limit', '25000', ...form]);
      assert.ok(peakMegabytes < 150, `${peakMegabytes} MB`);
      if (form[0] === '--json') assert.equal(JSON.parse(stdout).items.length, 25_000);
    });
});
