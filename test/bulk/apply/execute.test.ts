import assert from 'node:assert/strict';
import { buildProver, sendCreate } from '../../../src/bulk/apply/create.ts';
import { execute } from '../../../src/bulk/apply/execute.ts';
import { findNotLiveReason, type ItemOutcome } from '../../../src/bulk/apply/outcome.ts';
import { resolveOutcomes, resolvePending } from '../../../src/bulk/apply/resolve-pending.ts';
import { PublishCircuitBreaker, RunStop } from '../../../src/bulk/apply/run-stop.ts';
import type { PlanItem } from '../../../src/bulk/plan/plan-item.ts';
import { openJournal } from '../../../src/bulk/state/journal.ts';
import { readJournal } from '../../../src/bulk/state/journal-content.ts';
import { BASE_URL, clientOn, envelope, json, type Step, scripted } from '../../client/client-under-test.ts';
import { outcomeOf, planItem } from '../../reports/sample-run.ts';
import { tempDirectory } from '../../temp-directory.ts';
import { listingsOf } from '../plan/given.ts';
import repeatedCreate from './repeated-create.json' with { type: 'json' };

const temp = tempDirectory();
const NOW = 1_000_000_000;
const HOUR_MS = 60 * 60 * 1000;
const STORED = { 'idempotency-status': 'stored' };

const CREATE = planItem({ file: 'a.json', publish: true });

const nurse = () => listingsOf({ 'a.json': { title: 'Nurse' } })[0];

/** Creates a server with scripted responses, a journal and the other parts of an apply. */
async function world(...steps: Step[]) {
  const { send, requests } = scripted(...steps);
  const keyDigest = 'of this key';
  const run = { server: BASE_URL, now: () => NOW, runId: 'run', host: 'here', pid: 7, keyDigest };
  const journal = await openJournal(temp('.partner/state.json'), run);
  const parts = {
    client: clientOn(send).client,
    journal,
    gate: new PublishCircuitBreaker(),
    stop: new RunStop(),
    // Fixed, because only the server's clock matters for the age of a key.
    monotonicNow: () => 0,
    serverNow: () => NOW,
    concurrency: 1,
    onMade: () => {},
    makeRoom: () => {},
    claimed: new Set<number>(),
    proven: new Map(),
    lookalikes: async () => [],
    newIdempotencyKey: () => 'one',
    keyDigest,
    resolved: new Map(),
    onProgress: () => {},
  };
  return { parts, sent: () => requests.map(({ method, url }) => `${method} ${url.slice(BASE_URL.length)}`) };
}

/** Applies an item with scripted responses. Returns the outcome and the sent requests. */
async function doneWith(item: PlanItem, ...steps: Step[]): Promise<ItemOutcome & { sent: string[] }> {
  const { parts, sent } = await world(...steps);
  const outcome = await execute({ item, wanted: nurse() }, parts);
  await parts.journal.close();
  return { ...outcome, sent: sent() };
}

const job = (status: string) => ({ id: 7, title: 'Nurse', status });

describe('a check for creates of another run', () => {
  const CONFLICT = envelope(409, 'IDEMPOTENCY_CONFLICT', 'no', {});
  const REFUSED = envelope(422, 'VALIDATION_FAILED', 'no', {});
  for (const [server, honours, steps, expected] of [
    ['proves a job that is listed', true, [CONFLICT, json(201, { id: 7 }, STORED)], [true, 2]],
    ['proves nothing by another job', true, [CONFLICT, json(201, { id: 8 }, STORED)], [false, 2]],
    ['sends no listing under a key that was not used', true, [REFUSED], [false, 1]],
    ['sends no listing if the connection breaks', true, [envelope(503, 'UNAVAILABLE', 'no', {})], [false, 4]],
    ['sends nothing to a server that honors no keys', false, [REFUSED], [false, 0]],
  ] as const)
    it(server, async () => {
      const { parts, sent } = await world(...steps);
      parts.client.learn({ honoursIdempotencyKeys: honours });
      const wanted = nurse();
      assert.ok(wanted);
      const isProven = await buildProver(() => 'one', parts)([{ wanted, job: { id: 7 } }]);
      await parts.journal.close();
      assert.deepEqual([isProven, sent().filter((each) => each.startsWith('POST')).length], expected);
    });
});

describe('a create of a published job', () => {
  it('sends a publish if the server created a draft', async () => {
    const done = await doneWith(CREATE, json(201, job('DRAFT')), json(200, job('ACTIVE')));
    assert.deepEqual([done.result, done.published], ['created', true]);
    assert.deepEqual(done.sent, ['POST /jobs', 'POST /jobs/7/publish']);
  });

  it("fails with the job's ID if the draft can't be published", async () => {
    const done = await doneWith(CREATE, json(201, job('DRAFT')), envelope(422, 'VALIDATION_FAILED'));
    const expected = ['failed', false, 7, 'VALIDATION_FAILED'];
    assert.deepEqual([done.result, done.published, done.jobId, done.error?.code], expected);
  });
});

describe('a listing that the server accepts to publish', () => {
  const PUBLISH: PlanItem = { ...CREATE, action: 'publish', jobId: 7 };
  for (const [what, item, ...answers] of [
    ['created with an unknown status', CREATE, json(201, job('IN_REVIEW'))],
    ['created without a status', CREATE, json(201, { id: 7, title: 'Nurse' })],
    ['created as a draft that stays one', CREATE, json(201, job('DRAFT')), json(200, job('DRAFT'))],
    ['published and is still a draft', PUBLISH, json(200, job('DRAFT'))],
  ] as const)
    it(`is not live if its job is ${what}`, async () => {
      const { parts } = await world(...answers);
      const before = { job: 7, applied: {} };
      const done = await execute({ item, wanted: nurse(), before }, parts);
      await parts.journal.close();
      assert.deepEqual([done.published, findNotLiveReason(done)], [false, 'SERVER_FAILED']);
      assert.match(
        done.error?.message ?? '',
        /^not live: the server accepted the request to publish job 7, but/,
      );
    });
});

describe('a create that replaces another job', () => {
  const REPLACING = { ...CREATE, publish: false, replaces: 5 };

  it('is not sent if the job still exists, because an earlier 404 may have been wrong', async () => {
    const { result, error, sent } = await doneWith(REPLACING, json(200, { id: 5, status: 'ACTIVE' }));
    assert.deepEqual([result, error?.code, sent], ['failed', 'PLAN_OUTDATED', ['GET /jobs/5']]);
  });

  for (const [what, answer] of [
    ['is not known', envelope(404, 'NOT_FOUND')],
    ['has expired', json(200, { id: 5, status: 'EXPIRED' })],
  ] as const)
    it(`is sent if that job ${what}`, async () => {
      const { result, sent } = await doneWith(REPLACING, answer, json(201, job('DRAFT')));
      assert.deepEqual([result, sent], ['created', ['GET /jobs/5', 'POST /jobs']]);
    });
});

/** Applies an item with scripted responses. Returns the outcome and the entries that the journal removes. */
async function recordedWith(item: PlanItem, ...steps: Step[]) {
  const { parts, sent } = await world(...steps);
  const { result, error } = await execute({ item, before: { job: 7, applied: {} } }, parts);
  const forgotten = parts.journal.content.changes.flatMap((change) =>
    change.kind === 'forget' ? [change.key] : [],
  );
  await parts.journal.close();
  return { result, code: error?.code, message: error?.message, forgotten, sent: sent() };
}

describe('a close', () => {
  const CLOSE: PlanItem = { ...CREATE, action: 'close', jobId: 7, publish: false, forget: true };

  it("removes the listing's entry if the job is closed", async () => {
    const { result, forgotten, sent } = await recordedWith(CLOSE, json(200, job('CLOSED')));
    assert.deepEqual([result, forgotten, sent], ['closed', ['a.json'], ['POST /jobs/7/close']]);
  });

  it('reads the job again if the response is outdated, then removes the entry', async () => {
    const { result, forgotten, sent } = await recordedWith(
      CLOSE,
      json(200, job('ACTIVE')),
      json(200, job('CLOSED')),
    );
    const expected = ['closed', ['a.json'], ['POST /jobs/7/close', 'GET /jobs/7']];
    assert.deepEqual([result, forgotten, sent], expected);
  });

  for (const status of ['ACTIVE', 'PAUSED', 'closing', undefined])
    it(`fails and keeps the entry if the server reports success and the job is ${status}`, async () => {
      const { result, code, forgotten } = await recordedWith(CLOSE, json(200, { ...job('ACTIVE'), status }));
      assert.deepEqual([result, code, forgotten], ['failed', 'SERVER_FAILED', []]);
    });
});

describe('the removal of an entry whose job was missing', () => {
  const FORGET: PlanItem = { ...CREATE, action: 'record', jobId: 7, publish: false, forget: true };

  it('succeeds if the job is still missing', async () => {
    const { result, forgotten, sent } = await recordedWith(FORGET, envelope(404, 'NOT_FOUND'));
    assert.deepEqual([result, forgotten, sent], ['recorded', ['a.json'], ['GET /jobs/7']]);
  });

  it('fails if the job exists and is live', async () => {
    const { result, code, message, forgotten } = await recordedWith(FORGET, json(200, job('ACTIVE')));
    assert.deepEqual([result, code, forgotten], ['failed', 'PLAN_OUTDATED', []]);
    assert.match(message ?? '', /job 7 still exists and is ACTIVE/);
  });

  it('needs no request if the job is closed', async () => {
    const { result, forgotten, sent } = await recordedWith({ ...FORGET, status: 'CLOSED' });
    assert.deepEqual([result, forgotten, sent], ['recorded', ['a.json'], []]);
  });
});

describe('a create with an unknown result', () => {
  const INTENT = {
    key: 'a.json',
    idempotencyKey: 'one',
    at: NOW,
    body: { title: 'Nurse' },
    keyDigest: 'of this key',
  };

  /** Resolves a create of a published job at the end of its run. Returns the outcome and the sent requests. */
  async function settledWith(over: Partial<PlanItem>, ...steps: Step[]) {
    const { parts, sent } = await world(...steps);
    parts.client.learn({ honoursIdempotencyKeys: true });
    await parts.journal.intend({ ...INTENT, body: { title: 'Nurse', publish: true } });
    const item = { ...CREATE, ...over };
    const outcome = outcomeOf(item, { result: 'unknown' });
    const [now] = await resolveOutcomes([outcome], parts.journal.content.pending, () => new Set(), parts);
    await parts.journal.close();
    return { ...now, sent: sent() };
  }

  it('is published if the replayed response is a draft', async () => {
    const draft = json(201, job('DRAFT'), STORED);
    const { result, jobId, published, sent } = await settledWith({}, draft, json(200, job('ACTIVE')));
    assert.deepEqual([result, jobId, published], ['created', 7, true]);
    assert.deepEqual(sent, ['POST /jobs', 'POST /jobs/7/publish']);
  });

  it("fails with the job's ID if the draft can't be published", async () => {
    const draft = json(201, job('DRAFT'), STORED);
    const done = await settledWith({}, draft, envelope(422, 'VALIDATION_FAILED'));
    const expected = ['failed', false, 7, 'VALIDATION_FAILED'];
    assert.deepEqual([done.result, done.published, done.jobId, done.error?.code], expected);
  });

  it('is not published if its listing was removed', async () => {
    const unwanted = { action: 'settle', file: undefined, line: undefined, publish: false } as const;
    const { result, published, sent } = await settledWith(unwanted, json(201, job('DRAFT'), STORED));
    assert.deepEqual([result, published, sent], ['created', false, ['POST /jobs']]);
  });

  for (const [what, keyDigest] of [
    ['with another key', 'of another'],
    ['with an unknown key', undefined],
  ] as const)
    it(`is not repeated if it was sent ${what}, because it may belong to another company`, async () => {
      const { parts, sent } = await world(json(201, job('DRAFT'), STORED));
      parts.client.learn({ honoursIdempotencyKeys: true });
      const outcome = (await resolvePending([{ ...INTENT, keyDigest }], parts)).get('a.json');
      await parts.journal.close();
      assert.deepEqual([sent(), parts.stop.reason], [[], undefined]);
      assert.deepEqual([outcome?.is, outcome?.error?.code], ['unknown', 'OUTCOME_UNKNOWN']);
      assert.match(outcome?.error?.message ?? '', /sent with another key/);
    });

  const ages: readonly (readonly [what: string, ageMs: number, repeated: boolean])[] = [
    ['is repeated within 23 hours', 23 * HOUR_MS, true],
    ['is not repeated later, because the server may not store the key anymore', 23 * HOUR_MS + 1, false],
    ['is repeated if two clocks differ slightly', -HOUR_MS, true],
    ['is not repeated if its time is in the future, because its age is unknown', -HOUR_MS - 1, false],
  ];
  for (const [what, ageMs, repeated] of ages)
    it(what, async () => {
      const { parts, sent } = await world(json(201, job('DRAFT'), STORED));
      parts.client.learn({ honoursIdempotencyKeys: true });
      await resolvePending([{ ...INTENT, at: NOW - ageMs }], parts);
      await parts.journal.close();
      assert.deepEqual(sent(), repeated ? ['POST /jobs'] : []);
    });
});

const INTENT = { key: 'a.json', idempotencyKey: 'one', at: 1000, body: { title: 'Nurse' } };

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
  for (const [answers, pending, what] of [
    [repeatedCreate.staysUnknown, 1, 'stays pending, because the first attempt may have succeeded'],
    [repeatedCreate.refusesAll, 0, 'is dropped, because no attempt created the job'],
  ] as const) {
    for (const [status, code] of answers as [number, string][])
      it(`after a ${status} ${code} ${what}`, async () => {
        const left = await leftAfter(envelope(status, code, 'no', {}, STORED), 'repeat');
        assert.equal(left?.pending.size, pending);
      });
  }
});
