import assert from 'node:assert/strict';
import { sendCreate } from '../../../src/bulk/apply/create.ts';
import { PublishCircuitBreaker } from '../../../src/bulk/apply/run-stop.ts';
import { openJournal } from '../../../src/bulk/state/journal.ts';
import { readJournal } from '../../../src/bulk/state/journal-content.ts';
import { BASE_URL, clientOn, envelope, json, type Step, scripted } from '../../client/client-under-test.ts';
import { tempDirectory } from '../../temp-directory.ts';

const temp = tempDirectory();
const INTENT = { key: 'a.json', idempotencyKey: 'one', at: 1000, body: { title: 'Nurse' } };
const STORED = { 'idempotency-status': 'stored' };

/** Returns the journal of a run that is killed after this response to a create. */
async function leftAfter(answer: Step, attempt: 'first' | 'repeat' = 'first') {
  const statePath = temp('.partner/state.json');
  const run = { server: BASE_URL, now: () => 1000, runId: 'run', host: 'here', pid: 7 };
  const journal = await openJournal(statePath, run);
  if (attempt === 'repeat') await journal.intend(INTENT);
  const { client } = clientOn(scripted(answer).send);
  const gate = new PublishCircuitBreaker();
  await sendCreate(INTENT, attempt, {
    client,
    journal,
    gate,
    onMade: () => {},
    makeRoom: () => {},
    claimed: new Set(),
    proven: new Map(),
  });
  await journal.close();
  return readJournal(statePath, BASE_URL);
}

describe('the journal of a run that is killed after a create', () => {
  const DRAFT = { id: 7, title: 'Nurse', status: 'DRAFT' };
  for (const [what, answer, honours, changes] of [
    ['records that the server honors idempotency keys', json(201, DRAFT, STORED), true, 1],
    [
      'records it even if the create was refused',
      envelope(422, 'VALIDATION_FAILED', 'no', {}, STORED),
      true,
      0,
    ],
    ["records nothing if the response doesn't show it", json(201, DRAFT), false, 1],
  ] as const)
    it(what, async () => {
      const left = await leftAfter(answer);
      assert.deepEqual([left?.honours, left?.changes.length, left?.pending.size], [honours, changes, 0]);
    });
});

describe('a repeated create of an earlier run', () => {
  const STAYS_UNKNOWN = [
    [401, 'INVALID_SERVICE_KEY'],
    [403, 'FORBIDDEN'],
    [404, 'NOT_FOUND'],
    [405, 'METHOD_NOT_ALLOWED'],
    [409, 'IDEMPOTENCY_CONFLICT'],
    [503, 'SERVER_FAILED'],
  ] as const;
  const REFUSES_ALL = [
    [422, 'VALIDATION_FAILED'],
    [402, 'PAYMENT_METHOD_REQUIRED'],
    [409, 'AGREEMENT_OUTDATED'],
  ] as const;
  for (const [answers, pending, what] of [
    [STAYS_UNKNOWN, 1, 'stays pending, because the first attempt may have succeeded'],
    [REFUSES_ALL, 0, 'is dropped, because no attempt created the job'],
  ] as const) {
    for (const [status, code] of answers)
      it(`after a ${status} ${code} ${what}`, async () => {
        const left = await leftAfter(envelope(status, code, 'no', {}, STORED), 'repeat');
        assert.equal(left?.pending.size, pending);
      });
  }
});
