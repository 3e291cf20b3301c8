import assert from 'node:assert/strict';
import { buildProver } from '../../../src/bulk/apply/create.ts';
import { execute } from '../../../src/bulk/apply/execute.ts';
import { findNotLiveReason, type ItemOutcome } from '../../../src/bulk/apply/outcome.ts';
import { resolveOutcomes, resolvePending } from '../../../src/bulk/apply/resolve-pending.ts';
import { PublishCircuitBreaker, RunStop } from '../../../src/bulk/apply/run-stop.ts';
import type { PlanItem } from '../../../src/bulk/plan/plan-item.ts';
import { openJournal } from '../../../src/bulk/state/journal.ts';
import { BASE_URL, clientOn, envelope, json, type Step, scripted } from '../../client/client-under-test.ts';
import { outcomeOf, planItem } from '../../reports/sample-run.ts';
import { tempDirectory } from '../../temp-directory.ts';
import { listingsOf } from '../plan/given.ts';

const temp = tempDirectory();
const NOW = 1_000_000_000;
const HOUR_MS = 60 * 60 * 1000;
const STORED = { 'idempotency-status': 'stored' };

const CREATE = planItem({ file: 'a.json', publish: true });

const nurse = () => listingsOf({ 'a.json': { title: 'Nurse' } })[0];

/** A server that plays these steps, a journal, and what else an apply works with. */
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
    // Not the server's: keys are remembered by that one.
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

/** What comes of an item against such a server, and what was sent for it. */
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

describe('a create that is to be live', () => {
  it('is published where the server has made a draft of it all the same', async () => {
    const done = await doneWith(CREATE, json(201, job('DRAFT')), json(200, job('ACTIVE')));
    assert.deepEqual([done.result, done.published], ['created', true]);
    assert.deepEqual(done.sent, ['POST /jobs', 'POST /jobs/7/publish']);
  });

  it('has failed where that draft cannot be published, and its job is named', async () => {
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

describe('a create in the place of another job', () => {
  const REPLACING = { ...CREATE, publish: false, replaces: 5 };

  it('is not made where the job is there after all: one 404 may come from a server that was asked too soon', async () => {
    const { result, error, sent } = await doneWith(REPLACING, json(200, { id: 5, status: 'ACTIVE' }));
    assert.deepEqual([result, error?.code, sent], ['failed', 'PLAN_OUTDATED', ['GET /jobs/5']]);
  });

  for (const [what, answer] of [
    ['is not known', envelope(404, 'NOT_FOUND')],
    ['has expired', json(200, { id: 5, status: 'EXPIRED' })],
  ] as const)
    it(`is made where that job ${what}`, async () => {
      const { result, sent } = await doneWith(REPLACING, answer, json(201, job('DRAFT')));
      assert.deepEqual([result, sent], ['created', ['GET /jobs/5', 'POST /jobs']]);
    });
});

/** What is left in the journal by an item against such a server, beside what came of it. */
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

  it('forgets the listing where the job is closed then', async () => {
    const { result, forgotten, sent } = await recordedWith(CLOSE, json(200, job('CLOSED')));
    assert.deepEqual([result, forgotten, sent], ['closed', ['a.json'], ['POST /jobs/7/close']]);
  });

  it('forgets it where the answer was only behind: read once more, the job is closed', async () => {
    const { result, forgotten, sent } = await recordedWith(
      CLOSE,
      json(200, job('ACTIVE')),
      json(200, job('CLOSED')),
    );
    const expected = ['closed', ['a.json'], ['POST /jobs/7/close', 'GET /jobs/7']];
    assert.deepEqual([result, forgotten, sent], expected);
  });

  for (const status of ['ACTIVE', 'PAUSED', 'closing', undefined])
    it(`has failed where the server says that it is done and the job is ${status}: it stays remembered`, async () => {
      const { result, code, forgotten } = await recordedWith(CLOSE, json(200, { ...job('ACTIVE'), status }));
      assert.deepEqual([result, code, forgotten], ['failed', 'SERVER_FAILED', []]);
    });
});

describe('a listing whose job the server did not know, and that is to be forgotten', () => {
  const FORGET: PlanItem = { ...CREATE, action: 'record', jobId: 7, publish: false, forget: true };

  it('is forgotten where the server does not know it when it is asked again', async () => {
    const { result, forgotten, sent } = await recordedWith(FORGET, envelope(404, 'NOT_FOUND'));
    assert.deepEqual([result, forgotten, sent], ['recorded', ['a.json'], ['GET /jobs/7']]);
  });

  it('stays remembered where the job is there after all, and live', async () => {
    const { result, code, message, forgotten } = await recordedWith(FORGET, json(200, job('ACTIVE')));
    assert.deepEqual([result, code, forgotten], ['failed', 'PLAN_OUTDATED', []]);
    assert.match(message ?? '', /job 7 still exists and is ACTIVE/);
  });

  it('is forgotten without a call where its job is closed', async () => {
    const { result, forgotten, sent } = await recordedWith({ ...FORGET, status: 'CLOSED' });
    assert.deepEqual([result, forgotten, sent], ['recorded', ['a.json'], []]);
  });
});

describe('a create of unknown outcome', () => {
  const INTENT = {
    key: 'a.json',
    idempotencyKey: 'one',
    at: NOW,
    body: { title: 'Nurse' },
    keyDigest: 'of this key',
  };

  /** What comes of it at the end of its run, where it was to be live, and what was sent for it. */
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

  it('that the server repeats as a draft although it was to be live is published', async () => {
    const draft = json(201, job('DRAFT'), STORED);
    const { result, jobId, published, sent } = await settledWith({}, draft, json(200, job('ACTIVE')));
    assert.deepEqual([result, jobId, published], ['created', 7, true]);
    assert.deepEqual(sent, ['POST /jobs', 'POST /jobs/7/publish']);
  });

  it('has failed where that draft cannot be published, and its job is named', async () => {
    const draft = json(201, job('DRAFT'), STORED);
    const done = await settledWith({}, draft, envelope(422, 'VALIDATION_FAILED'));
    const expected = ['failed', false, 7, 'VALIDATION_FAILED'];
    assert.deepEqual([done.result, done.published, done.jobId, done.error?.code], expected);
  });

  it('is not published where no file asks for it any more', async () => {
    const unwanted = { action: 'settle', file: undefined, line: undefined, publish: false } as const;
    const { result, published, sent } = await settledWith(unwanted, json(201, job('DRAFT'), STORED));
    assert.deepEqual([result, published, sent], ['created', false, ['POST /jobs']]);
  });

  for (const [what, keyDigest] of [
    ['with another key', 'of another'],
    ['with a key that nobody knows', undefined],
  ] as const)
    it(`that was sent ${what} is not repeated: it may be another company's`, async () => {
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
    ['is not repeated later: the server may have forgotten its key', 23 * HOUR_MS + 1, false],
    ['is repeated where two clocks are a little apart', -HOUR_MS, true],
    ['is not repeated where it comes from the future: its age is not known', -HOUR_MS - 1, false],
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
