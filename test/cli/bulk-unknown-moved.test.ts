import assert from 'node:assert/strict';
import { openJournal } from '../../src/bulk/state/journal.ts';
import { readState } from '../../src/bulk/state/state-file.ts';
import { stateDigest } from '../../src/bulk/state/state-text.ts';
import { emptySet, type JobSet, listingOf } from './bulk.ts';

const row = (title: string) => listingOf(title, { opportunityId: null });

/** A create that was sent in an earlier run to a server that honours no keys, and never answered. */
async function sentAndNotAnswered(set: JobSet, key: string, body: object): Promise<void> {
  await set.restate((text) => text.replace('"idempotencyKeys": true', '"idempotencyKeys": false'));
  const state = readState(set.statePath);
  assert.ok(state);
  const { server } = state;
  const run = { server, now: () => 1000, runId: 'cut off', host: 'here', pid: 7, state: stateDigest(state) };
  const journal = await openJournal(set.statePath, run);
  await journal.intend({ key, idempotencyKey: 'one', at: 1000, body: { ...body } });
  await journal.close();
}

describe('a create of unknown outcome whose listing has another name by now', () => {
  it('is not sent again under that name: a row that a new one was put above, adopted as it was sent', async () => {
    const set = await emptySet();
    await set.write('rows.json', [row('Nurse')]);
    await set.must();
    await sentAndNotAnswered(set, 'rows.json#1', row('Cook'));
    // That it was made is known to the server only.
    const made = await set.home.must<{ id: number }>([
      'jobs',
      'create',
      await set.home.file('cook.json', row('Cook')),
    ]);
    await set.write('rows.json', [row('Welder'), row('Nurse'), row('Cook')]);
    const first = await set.apply('--create-anyway');
    assert.deepEqual([first.code, first.sent], [8, ['POST /jobs']], 'the welder alone');
    assert.ok(first.done.includes('unknown rows.json#2'));
    const jobs = await set.jobs();

    const adopted = await set.must(['--adopt', `rows.json#1=${made.id}`]);
    assert.deepEqual(adopted.sent, [], 'and nobody has lost a job for it');
    const { 'rows.json': welder, 'rows.json#1': nurse } = jobs;
    assert.deepEqual(await set.jobs(), { 'rows.json': welder, 'rows.json#1': nurse, 'rows.json#2': made.id });
  });

  it('is not sent again under that name: a file that was renamed; --resend sends it', async () => {
    const set = await emptySet();
    await set.write('a.json', listingOf('Nurse'));
    await set.must();
    await sentAndNotAnswered(set, 'b.json', listingOf('Cook'));
    await set.write('cook.json', listingOf('Cook', { salaryMax: 190_000 }));
    const { code, sent, noted } = await set.apply();
    assert.deepEqual([code, sent, noted], [8, [], ['OUTCOME_UNKNOWN', 'OUTCOME_UNKNOWN']]);
    assert.deepEqual((await set.must('--resend b.json')).done, ['created cook.json']);
  });
});
