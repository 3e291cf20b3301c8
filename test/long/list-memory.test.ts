import assert from 'node:assert/strict';
import { type BenchHome, makeHome } from '../../bench/home.ts';
import { storeJobs } from '../../bench/list.ts';
import { temporaryDirectory } from '../engine/temporary-directory.ts';

describe('a list of 25,000 jobs', () => {
  const scratch = temporaryDirectory()('');
  let home: BenchHome;
  before(() => {
    home = makeHome(scratch);
    storeJobs(home, 25_000);
  });

  for (const form of [['--json'], ['--csv'], []])
    it(`takes less than 150 MB ${form}`, () => {
      const { stdout, peakMegabytes } = home.run(['jobs', 'list', '--limit', '25000', ...form]);
      assert.ok(peakMegabytes < 150, `${peakMegabytes} MB`);
      if (form[0] === '--json') assert.equal(JSON.parse(stdout).items.length, 25_000);
    });
});
