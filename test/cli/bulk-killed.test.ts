import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { type Journal, openJournal } from '../../src/bulk/state/journal.ts';
import { stateDigest } from '../../src/bulk/state/state.ts';
import { readState } from '../../src/bulk/state/state-file.ts';
import { emptySet, type JobSet, listingOf } from './bulk.ts';

const NURSE = listingOf('Nurse');
const row = (title: string) => listingOf(title, { opportunityId: null });

async function leftBehind(set: JobSet, write: (journal: Journal) => unknown, key?: string): Promise<void> {
  const state = readState(set.statePath);
  const journal = await openJournal(set.statePath, {
    server: 'http://localhost/v1',
    now: key === undefined ? () => 1000 : Date.now,
    ...{ runId: 'killed', host: 'here', pid: 7 },
    ...(state && { state: stateDigest(state) }),
    ...(key && { keyDigest: createHash('sha256').update(key).digest('base64url').slice(0, 12) }),
  });
  await write(journal);
  await journal.close();
}

async function sentAndNotAnswered(set: JobSet, key: string, body: object): Promise<void> {
  await set.restate((text) => text.replace('"idempotencyKeys": true', '"idempotencyKeys": false'));
  await leftBehind(set, (journal) =>
    journal.intend({ key, idempotencyKey: 'one', at: 1000, body: { ...body } }),
  );
}

describe('a create of unknown outcome whose listing has another name by now', () => {
  it('is not sent again under that name: a row that a new one was put above, adopted as it was sent', async () => {
    const set = await emptySet();
    await set.write('rows.json', [row('Nurse')]);
    await set.must();
    await sentAndNotAnswered(set, 'rows.json#1', row('Cook'));
    // Only the server knows that the create succeeded.
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

describe('a create of unknown outcome, and the key of another company', () => {
  it('is not made for that company, and is settled by the next run with its own key', async () => {
    const set = await emptySet();
    const keyOf = async (flags: string) =>
      (await set.home.must<{ key: string }>(`engine keys create${flags}`)).key;
    const own = await keyOf('');
    const { id } = await set.home.must<{ id: string }>('engine companies create Other');
    const others = await keyOf(` --company ${id}`);
    await set.write('a.json', NURSE);
    const intent = { key: 'a.json', idempotencyKey: 'one', at: Date.now(), body: { ...NURSE } };
    await leftBehind(set, (journal) => journal.intend(intent), own);

    for (const again of [false, true]) {
      const { code, sent, done, items } = await set.apply([], { env: { PARTNER_API_KEY: others } });
      assert.deepEqual([code, sent, done], [8, [], ['unknown a.json']], `again: ${again}`);
      assert.match(items[0]?.error?.message ?? '', /was sent with another key/);
    }
    const { sent } = await set.must([], { env: { PARTNER_API_KEY: own } });
    assert.deepEqual(sent, ['POST /jobs']);
    assert.deepEqual(await set.jobs(), { 'a.json': 1 });
  });
});
