import assert from 'node:assert/strict';
import { mkdir, readFile, rename, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type BulkRunOptions, draftSet, emptySet, type JobSet, listingOf, newSet, together } from './bulk.ts';

const it = together();

const lines = (...listings: object[]) => `${listings.map((each) => JSON.stringify(each)).join('\n')}\n`;

describe('which listing is which job, from run to run:', () => {
  it('a file by two paths, where one is a link, is one listing; by the link alone it is the same one', async () => {
    const set = await newSet();
    await symlink('jobs', join(set.home.path, 'link'));
    await symlink('a.json', join(set.home.path, 'jobs/z.json'));
    const { done } = await set.must([], { paths: ['jobs', 'link'] });
    assert.deepEqual(done, ['created a.json', 'created b.json', 'created c.json']);
    for (const path of ['link', 'jobs', 'link/*.json']) {
      const again = await set.must([], { paths: [path] });
      assert.deepEqual([again.done, again.noted], [[], []], path);
    }
    await set.must('--publish');
    await set.remove('b.json');
    const pruned = await set.must('--publish --prune --yes', { paths: ['link'] });
    assert.equal(pruned.done.join(), 'closed b.json');
  });

  describe('of what is read from stdin', () => {
    const piped = (...listings: object[]) => ({ paths: ['-'], stdin: lines(...listings) });
    const NURSE = { title: 'Nurse', opportunityId: 'N-1' };

    it('another listing turns no job into it: exit 2, nothing sent', async () => {
      for (const [first, then] of [
        [{ title: 'Nurse' }, { title: 'Welder' }],
        [NURSE, { title: 'Welder', opportunityId: 'W-1' }],
      ] as const) {
        const set = await emptySet();
        await set.must([], piped(first));
        for (const { code, error, sent } of [
          await set.plan([], piped(then)),
          await set.apply('--create-anyway', piped(then)),
        ]) {
          assert.deepEqual([code, error?.code, sent], [2, 'USAGE', []]);
          assert.match(error?.message ?? '', /^can't match stdin to job 1: its content changed/);
          assert.match(error?.hint ?? '', /`key` or `opportunityId`.*file/);
        }
        assert.deepEqual((await set.must([], piped(first))).done, []);
      }
    });

    it('the same opportunityId or the same content is the same listing, at whatever place', async () => {
      const set = await emptySet();
      await set.must('--concurrency 1', piped(NURSE, { title: 'Cook' }));
      const { sent, done } = await set.must(
        [],
        piped({ title: 'Cook' }, { title: 'Driver' }, { ...NURSE, title: 'Night nurse' }),
      );
      assert.deepEqual(sent.toSorted(), ['PATCH /jobs/1', 'POST /jobs']);
      assert.deepEqual(done, ['recorded stdin', 'created stdin#1', 'updated stdin#2']);
    });

    it('the same key is the same listing, whatever else changed', async () => {
      const set = await emptySet();
      await set.must([], piped({ key: 'night', title: 'Nurse' }));
      const { sent } = await set.must([], piped({ key: 'night', title: 'Welder' }));
      assert.deepEqual(sent, ['PATCH /jobs/1']);
    });
  });

  it('a subdirectory alone, and a run in the directory itself, below it or elsewhere, find the state of the whole', async () => {
    const set = await emptySet();
    await set.write('north/nurse.json', listingOf('Nurse'));
    await set.write('south/welder.json', listingOf('Welder'));
    await set.must();
    const inside = join(set.home.path, 'jobs');
    for (const options of [
      { paths: ['jobs/north'] },
      { paths: ['jobs/north/nurse.json'] },
      { paths: ['.'], cwd: inside },
      { paths: ['north/nurse.json'], cwd: inside },
      { paths: ['.'], cwd: join(inside, 'north') },
      { paths: [join(inside, 'north/nurse.json')], cwd: set.home.data },
    ]) {
      const { done, notices } = await set.must([], options);
      assert.deepEqual([done, notices], [[], []], JSON.stringify(options.paths));
    }
  });

  it('a directory that was moved as a whole, state included, is still the same', async () => {
    const set = await draftSet();
    await rename(join(set.home.path, 'jobs'), join(set.home.path, 'listings'));
    assert.deepEqual((await set.must([], { paths: ['listings'] })).done, []);
  });

  describe('with --state, whose keys are relative to the working directory,', () => {
    /** Without an opportunityId, a listing can be matched to its job only through the state. */
    const stated = async (): Promise<{ set: JobSet; flags: string[]; inside: BulkRunOptions }> => {
      const set = await emptySet();
      for (const name of ['a', 'b']) await set.write(`${name}.json`, { title: name });
      const flags = ['--state', join(set.home.path, 'kept.json')];
      await set.must(flags);
      return { set, flags, inside: { paths: ['.'], cwd: join(set.home.path, 'jobs') } };
    };

    it('a run from another one is refused with exit 2, and names where it was and a key', async () => {
      const { set, flags, inside } = await stated();
      await set.write('a.json', { title: 'changed' });
      for (const verb of ['plan', 'apply', 'rebuild'] as const) {
        const run = verb === 'plan' ? set.plan(flags, inside) : undefined;
        const more = verb === 'rebuild' ? ['--rebuild'] : [];
        const { code, error, sent } = await (run ?? set.apply([...flags, ...more], inside));
        assert.deepEqual([code, error?.code, sent], [2, 'STATE_UNUSABLE', []], verb);
        const [{ message = '', hint = '' } = {}] = [error];
        assert.ok(message.includes(`doesn't belong to ${join(set.home.path, 'jobs')}:`), message);
        assert.match(message, /jobs\/[ab]\.json/);
        assert.match(hint, /where the state was created.*--create-anyway/);
      }
      assert.equal((await set.must(flags)).done.join(), 'updated jobs/a.json');
    });
  });

  it('--state keeps it elsewhere, and nothing beside the files', async () => {
    const set = await newSet();
    await mkdir(join(set.home.path, 'kept'));
    await set.must('--state kept/jobs.json');
    assert.equal(Object.keys(await set.jobs(join(set.home.path, 'kept/jobs.json'))).length, 3);
    await assert.rejects(readFile(set.statePath), /ENOENT/);
    assert.deepEqual((await set.must('--state kept/jobs.json')).done, []);
  });
});
