import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { openJournal } from '../../src/bulk/state/journal.ts';
import { emptySet, type JobSet, listingOf } from './bulk.ts';

const NURSE = listingOf('Nurse');

/** A new key of the company that is named, or else of this machine's user. */
async function keyOf({ home }: JobSet, ...company: string[]): Promise<string> {
  const { key } = await home.must<{ key: string }>(['engine', 'keys', 'create', ...company]);
  return key;
}

/** What a run leaves that is killed once it has sent a create with this key. */
async function sentWith(set: JobSet, key: string): Promise<void> {
  const keyDigest = createHash('sha256').update(key).digest('base64url').slice(0, 12);
  const journal = await openJournal(set.statePath, {
    server: 'http://localhost/v1',
    now: Date.now,
    runId: 'killed',
    host: 'here',
    pid: 7,
    keyDigest,
  });
  await journal.intend({ key: 'a.json', idempotencyKey: 'one', at: Date.now(), body: { ...NURSE } });
  await journal.close();
}

describe('a create of unknown outcome, and the key of another company', () => {
  it('is not made for that company, and is settled by the next run with its own key', async () => {
    const set = await emptySet();
    const own = await keyOf(set);
    const { id } = await set.home.must<{ id: string }>('engine companies create Other');
    const others = await keyOf(set, '--company', id);
    await set.write('a.json', NURSE);
    await sentWith(set, own);

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
