import assert from 'node:assert/strict';
import { createFrom } from '../../../src/bulk/apply/create.ts';
import { type Journal, openJournal } from '../../../src/bulk/state/journal.ts';
import { readJournal } from '../../../src/bulk/state/read-journal.ts';
import { BASE_URL, clientOn, envelope, json, type Step, scripted } from '../../client/client-under-test.ts';
import { tempDirectory } from '../state/temp-directory.ts';

const temp = tempDirectory();
const statePath = (): string => temp('.partner/state.json');
const INTENT = { key: 'a.json', idempotencyKey: 'one', at: 1000, body: { title: 'Nurse' } };
const STORED = { 'idempotency-status': 'stored' };

/** The journal as a run leaves it that is killed once this create has been answered. */
async function leftAfter(answer: Step, isRepeat = false): Promise<Awaited<ReturnType<typeof readJournal>>> {
  const run = { server: BASE_URL, now: () => 1000, runId: 'run', host: 'here', pid: 7 };
  const journal: Journal = await openJournal(statePath(), run);
  const { client } = clientOn(scripted(answer).send);
  await journal.intend(INTENT);
  const parts = { client, journal, onMade: () => {} };
  await createFrom(INTENT, parts, isRepeat ? { makeRoom: () => {} } : undefined);
  await journal.close();
  return readJournal(statePath(), BASE_URL);
}

describe('a create whose run is killed after it', () => {
  it('has written down that the server honours keys: what else was in flight can be sent again', async () => {
    const left = await leftAfter(json(201, { id: 7, title: 'Nurse', status: 'DRAFT' }, STORED));
    assert.deepEqual([left?.honours, left?.changes.length], [true, 1]);
  });

  it('has written that down also where it was refused', async () => {
    const left = await leftAfter(envelope(422, 'VALIDATION_FAILED', 'no', {}, STORED));
    assert.deepEqual([left?.honours, left?.pending.size], [true, 0]);
  });

  it('says nothing of the kind where the server has not shown it', async () => {
    const left = await leftAfter(json(201, { id: 7, title: 'Nurse', status: 'DRAFT' }));
    assert.deepEqual([left?.honours, left?.changes.length], [false, 1]);
  });
});

describe('a create that an earlier run has sent, and that is repeated', () => {
  const THIS_ATTEMPT: readonly (readonly [status: number, code: string])[] = [
    [401, 'INVALID_SERVICE_KEY'],
    [403, 'FORBIDDEN'],
    [404, 'NOT_FOUND'],
    [405, 'METHOD_NOT_ALLOWED'],
    [409, 'IDEMPOTENCY_CONFLICT'],
    [503, 'SERVER_FAILED'],
  ];
  for (const [status, code] of THIS_ATTEMPT) {
    it(`stays of unknown outcome after a ${status} ${code}, which says nothing of the first attempt`, async () => {
      const answer = envelope(status, code, 'no', {}, STORED);
      assert.equal((await leftAfter(answer, true))?.pending.size, 1);
    });
  }

  it('is given up where the server refuses its content or its publication: no attempt has made the job', async () => {
    for (const [status, code] of [
      [422, 'VALIDATION_FAILED'],
      [402, 'PAYMENT_METHOD_REQUIRED'],
      [409, 'AGREEMENT_OUTDATED'],
    ] as const) {
      const left = await leftAfter(envelope(status, code, 'no', {}, STORED), true);
      assert.equal(left?.pending.size, 0, code);
    }
  });
});
