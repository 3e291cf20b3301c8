import assert from 'node:assert/strict';
import { mkdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { COMPLETE_LISTING } from '../contract/complete-listing.ts';
import { emptySet, type JobSet, listingOf, liveSet, together } from './bulk.ts';
import rewritten from './rewritten.json' with { type: 'json' };

const it = together();

const COLUMNS =
  'Requisition ID,Job title,Description,Workplace,Locations,Type,Level,Pay from,Pay to,Pay per,Bid ($),Required';
const row = (id: string, title: string, place = 'Austin, Texas', text = `About ${title}`) =>
  `${id},${title},${text},In person,"${place}",Full-time,Mid level,30,46,hour,18.50,License`;
const tableOf = (...rows: readonly string[]): string => `${[COLUMNS, ...rows].join('\n')}\n`;
const [NURSE, COOK, DRIVER] = [row('REQ-1', 'Night nurse'), row('REQ-2', 'Cook'), row('REQ-3', 'Driver')];

async function table(): Promise<JobSet> {
  const set = await emptySet();
  await set.write('jobs.csv', tableOf(NURSE, COOK, DRIVER));
  await set.must('--publish --concurrency 1');
  await set.home.must(['engine', 'apply', '1', '--count', '5']);
  return set;
}

describe('a listing keeps its job:', () => {
  it('a row is found by its opportunityId wherever it is, and by its content without one', async () => {
    const set = await table();
    const raised = NURSE.replace(',30,', ',33,');
    await set.write('jobs.csv', tableOf(row('REQ-4', 'Welder'), DRIVER, raised, COOK));
    assert.deepEqual((await set.must('--publish')).sent.toSorted(), ['PATCH /jobs/1', 'POST /jobs']);
    await set.write(
      'jobs.csv',
      tableOf(...[DRIVER, raised, COOK].map((each) => each.replace(/^REQ-\d/, ''))),
    );
    assert.deepEqual((await set.must('--publish')).sent, ['PATCH /jobs/3', 'PATCH /jobs/1', 'PATCH /jobs/2']);
  });

  it('a key wins over id, content and position, is kept in the state and never sent', async () => {
    const set = await emptySet();
    const keyed = (key: string, title: string, id: string) => ({
      ...COMPLETE_LISTING,
      key,
      title,
      opportunityId: id,
    });
    await set.write('all.json', [keyed('n', 'Nurse', 'REQ-1'), keyed('c', 'Cook', 'REQ-2')]);
    const { calls } = await set.must('--concurrency 1');
    assert.ok(calls.every(({ body = {} }) => !('key' in body)));
    assert.match(await readFile(set.statePath, 'utf8'), /"all.json": \{"job":1,"key":"n",/);
    await set.write('all.json', [keyed('c', 'Nurse', 'REQ-1'), keyed('n', 'Cook', 'REQ-2')]);
    assert.deepEqual((await set.must()).sent.toSorted(), ['PATCH /jobs/1', 'PATCH /jobs/2']);
    assert.deepEqual(await set.jobs(), { 'all.json': 2, 'all.json#1': 1 });
    await set.write('all.json', [keyed('c', 'Nurse', 'REQ-1'), keyed('c', 'Cook', 'REQ-2')]);
    const { code, error } = await set.apply();
    assert.equal(code, 3);
    const [[at, message] = []] = Object.entries(error?.fields ?? {});
    const expected =
      /all\.json:\d+:\d+ key: "c" is already the key of the listing on line \d+ \(item \d "\w+"\); /;
    assert.match(`${at}: ${message}`, expected);
  });

  it('a file that was renamed makes no second job, also when it was split or merged', async () => {
    const set = await emptySet();
    const { opportunityId: _, ...nurse } = COMPLETE_LISTING;
    await set.write('nurse.json', { ...nurse, title: 'Nurse' });
    await set.write('cook.json', { ...nurse, title: 'Cook', description: 'Cooking.' });
    await set.must('--publish --concurrency 1');
    const moved = async (...names: readonly [from: string, to: string]) =>
      rename(...(names.map((name) => join(set.home.path, 'jobs', name)) as [string, string]));
    await moved('nurse.json', 'rn.json');
    assert.deepEqual((await set.must('--publish')).sent, []);
    await mkdir(join(set.home.path, 'jobs/north'));
    await moved('rn.json', 'north/rn.json');
    await set.write('north/rn.json', { ...nurse, title: 'Nurse', salaryMax: 48 });
    assert.deepEqual((await set.must('--publish')).sent, ['PATCH /jobs/2']);
    await set.remove('north/rn.json');
    await set.write('cook.json', [
      { ...nurse, title: 'Nurse', salaryMax: 48 },
      { ...nurse, title: 'Cook', description: 'Cooking.' },
    ]);
    assert.deepEqual((await set.must('--publish')).sent, []);
    assert.deepEqual(await set.jobs(), { 'cook.json': 2, 'cook.json#1': 1 });
  });

  it('a new file with the title alone of one that is gone is held, until --adopt or --create-anyway says what it is', async () => {
    const held = async (): Promise<JobSet> => {
      const set = await liveSet();
      await set.remove('a.json');
      await set.write('rn.json', {
        ...COMPLETE_LISTING,
        ...rewritten,
        opportunityId: undefined,
        title: 'Nurse',
      });
      const { code, items, sent, noted } = await set.apply('--publish --prune --yes');
      assert.deepEqual([code, sent, noted], [9, [], ['MATCH_UNCLEAR', 'MATCH_UNCLEAR']]);
      assert.match(items[0]?.notes?.[0]?.hint ?? '', /--adopt rn\.json=1\..*--create-anyway/);
      return set;
    };
    const [adopted, created] = [await held(), await held()];
    assert.deepEqual((await adopted.must('--publish --prune --adopt rn.json=1')).sent, ['PATCH /jobs/1']);
    assert.equal((await adopted.jobs())['rn.json'], 1);
    assert.deepEqual((await adopted.must('--publish --prune')).done, []);
    const { sent } = await created.must('--publish --prune --yes --create-anyway');
    assert.deepEqual(sent.toSorted(), ['POST /jobs', 'POST /jobs/1/close']);
  });

  it('a published job does not become another opening, but with --replace; --prune closes it and creates a new one', async () => {
    const set = await liveSet();
    await set.home.must(['engine', 'apply', '1', '--count', '5']);
    await set.write('a.json', { ...listingOf('Welder'), description: 'Welding.' });
    for (const run of [set.plan('--publish'), set.apply('--publish')]) {
      const { items, sent } = await run;
      assert.deepEqual([items.map(({ action }) => action), sent], [['held'], []]);
      const { message = '', hint = '' } = items[0]?.notes?.[0] ?? {};
      assert.match(
        message,
        /^job 1 \(5 applicants\) is published as "Nurse", but its title in the file is now "Welder"/,
      );
      assert.match(hint, /--prune.*--replace a\.json/);
    }
    const pruned = await set.copy();
    const { sent } = await pruned.must('--publish --prune --yes');
    assert.deepEqual(sent.toSorted(), ['POST /jobs', 'POST /jobs/1/close']);
    const mistyped = await set.plan(['--publish', '--replace', 'missing.json']);
    assert.deepEqual([mistyped.code, mistyped.error?.code], [2, 'USAGE']);
    const plan = join(set.home.path, 'plan.json');
    await set.plan(['--publish', '--replace', 'a.json', '--out', plan]);
    assert.deepEqual((await set.must(['--plan', plan], { paths: [] })).sent, ['PATCH /jobs/1']);
  });
});
