import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { createPace, type Pace } from '../../src/client/pacing.ts';
import {
  backoffMs,
  decideRetrySafety,
  type FailedAttempt,
  isAmbiguous,
  nextAttemptInMs,
  type RetryReason,
  type RetrySafety,
  retryAfterMs,
} from '../../src/client/retry.ts';
import { clientOn, envelope, failureOf, json, scripted } from './client-under-test.ts';
import retries from './retries.json' with { type: 'json' };
import retryAfter from './retry-after.json' with { type: 'json' };

const NOW_MS = Date.parse('2026-03-02T10:00:00Z');

const failed = (more: Partial<FailedAttempt>): FailedAttempt => ({
  reason: 'connection-lost',
  retrySafety: 'safe',
  attempt: 1,
  retryAfterMs: undefined,
  isPaced: false,
  leftMs: 30_000,
  random: 0.5,
  ...more,
});

describe('which calls are made again', () => {
  const SAFETIES: readonly RetrySafety[] = ['safe', 'idempotent', 'non-idempotent'];
  for (const [reason, repeated, ambiguous] of retries.table as [RetryReason, RetrySafety[], boolean][])
    it(`${reason}: ${repeated.join(', ') || 'none'}; the work ${ambiguous ? 'may be' : 'is not'} done`, () => {
      const again = SAFETIES.filter((retrySafety) => nextAttemptInMs(failed({ reason, retrySafety })));
      assert.deepEqual(again, repeated);
      assert.equal(isAmbiguous(reason), ambiguous);
    });

  it('counts a create as harmless only under a key that the server honours', () => {
    const of = (honoursIdempotencyKeys: boolean) =>
      decideRetrySafety('createJob', { honoursIdempotencyKeys, isProven: true });
    assert.deepEqual([of(false), of(true)], ['non-idempotent', 'idempotent']);
  });

  it('counts the first GETs as safe, those to a proven server, updates and transitions as idempotent', () => {
    const of = (name: Parameters<typeof decideRetrySafety>[0], isProven: boolean) =>
      decideRetrySafety(name, { honoursIdempotencyKeys: false, isProven });
    for (const name of ['getJob', 'listJobs', 'searchLocations'] as const)
      assert.deepEqual([of(name, false), of(name, true)], ['safe', 'idempotent']);
    for (const name of ['updateJob', 'publishJob', 'pauseJob', 'resumeJob', 'closeJob'] as const)
      assert.equal(of(name, false), 'idempotent');
  });

  it('makes four attempts, but asks a rate-limiting server until the deadline', () => {
    assert.notEqual(nextAttemptInMs(failed({ attempt: 3 })), undefined);
    assert.equal(nextAttemptInMs(failed({ attempt: 4 })), undefined);
    assert.notEqual(nextAttemptInMs(failed({ attempt: 40, reason: 'rate-limited' })), undefined);
  });
});

describe('how long is waited', () => {
  it('doubles the span of the jitter with every attempt, up to 8 s, and draws from the whole of it', () => {
    const spans = [1, 2, 3, 4, 5, 6, 7, 40].map((attempt) => backoffMs(attempt, 1));
    assert.deepEqual(spans, [250, 500, 1000, 2000, 4000, 8000, 8000, 8000]);
    assert.deepEqual([backoffMs(3, 0), backoffMs(3, 0.5)], [0, 500]);
  });

  it('heeds Retry-After, and never waits less than it says', () => {
    assert.equal(nextAttemptInMs(failed({ reason: 'rate-limited', retryAfterMs: 7000 })), 7000);
    assert.equal(nextAttemptInMs(failed({ reason: 'unavailable', retryAfterMs: 7000 })), 7000);
    assert.equal(nextAttemptInMs(failed({ reason: 'rate-limited', retryAfterMs: 0 })), 125);
  });

  it('stops at once where the wait would not end before the deadline', () => {
    const leftMs = 7000;
    assert.equal(nextAttemptInMs(failed({ reason: 'rate-limited', retryAfterMs: 7000, leftMs })), undefined);
    assert.equal(nextAttemptInMs(failed({ reason: 'rate-limited', retryAfterMs: 6000, leftMs })), 6000);
    assert.equal(nextAttemptInMs(failed({ random: 0.99, leftMs: 100 })), undefined);
  });
});

describe('Retry-After', () => {
  for (const [header, waitMs] of Object.entries<number | null>(retryAfter))
    it(`${JSON.stringify(header)} is ${waitMs === null ? 'no wait that can be read' : `${waitMs} ms`}`, () =>
      assert.equal(retryAfterMs(header, NOW_MS) ?? null, waitMs));

  it('is never negative and never not a number, whatever a server writes', () => {
    const date = fc.date({ noInvalidDate: true }).map((at) => at.toUTCString());
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.double().map(String), date), (header) => {
        const waitMs = retryAfterMs(header, NOW_MS);
        return waitMs === undefined || waitMs >= 0;
      }),
    );
  });
});

/** The clock moves only during sleeps. */
function paceOnFakeClock(ratePerSecond?: number, maxWaitMs?: number) {
  let nowMs = 0;
  const pauses: number[] = [];
  const pace = createPace({
    monotonicNow: () => nowMs,
    sleep: async (waitMs) => {
      nowMs += waitMs;
    },
    ratePerSecond,
    maxWaitMs,
    onPause: (untilMs) => pauses.push(untilMs),
  });
  return { pace, pauses, nowMs: () => nowMs };
}
const never = new AbortController().signal;
const DAY_MS = 86_400_000;

/** Nothing ever becomes due. */
const stuck = () =>
  createPace({
    monotonicNow: () => 0,
    sleep: (_, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    ratePerSecond: 1,
  });

describe('a pace', () => {
  it('spaces attempts evenly where it is given a rate, in the order in which they came', async () => {
    const { pace, nowMs } = paceOnFakeClock(20);
    const order: (readonly [number, number])[] = [];
    await Promise.all([0, 1, 2, 3].map((call) => pace.turn(never).then(() => order.push([call, nowMs()]))));
    const calls = order.map(([call]) => call);
    assert.deepEqual(calls, [0, 1, 2, 3]);
    assert.equal(nowMs(), 150);
  });

  it('stops the whole pool after a 429 until its Retry-After, and tells until when', async () => {
    const { pace, pauses, nowMs } = paceOnFakeClock();
    (await pace.turn(never)).end('rate-limited', 7000);
    await pace.turn(never);
    assert.equal(nowMs(), 7000);
    assert.deepEqual(pauses, [7000]);
  });

  it('stops it after a 503 with Retry-After too, and not after one without', async () => {
    const { pace, nowMs } = paceOnFakeClock();
    (await pace.turn(never)).end('unavailable', undefined);
    (await pace.turn(never)).end('unavailable', 3000);
    assert.equal(nowMs(), 0);
    await pace.turn(never);
    assert.equal(nowMs(), 3000);
  });

  it('halves its rate after a 429, once for all that was under way, and not below 10 a second', async () => {
    const { pace, nowMs } = paceOnFakeClock(100);
    const gapMs = async () => {
      await pace.turn(never);
      const beforeMs = nowMs();
      await pace.turn(never);
      return nowMs() - beforeMs;
    };
    const together = await Promise.all([pace.turn(never), pace.turn(never)]);
    for (const turn of together) turn.end('rate-limited', 0);
    assert.equal(await gapMs(), 20);
    for (const afterMs of [40, 80, 100, 100]) {
      (await pace.turn(never)).end('rate-limited', 0);
      assert.equal(await gapMs(), afterMs);
    }
  });

  it('pauses longer with each refusal of a server that does not say how long, until it accepts', async () => {
    const { pace, nowMs } = paceOnFakeClock();
    const pausesMs: number[] = [];
    for (let refusal = 0; refusal < 3; refusal++) {
      const turn = await pace.turn(never);
      const refusedAtMs = nowMs();
      turn.end('rate-limited', undefined);
      (await pace.turn(never)).end('connection-lost', undefined);
      pausesMs.push(nowMs() - refusedAtMs);
    }
    assert.deepEqual(pausesMs, [250, 500, 1000]);
  });

  it('refuses every turn from the moment on at which the server asks for more than it may wait', async () => {
    const { pace, pauses } = paceOnFakeClock(undefined, 120_000);
    const [first, second] = [await pace.turn(never), await pace.turn(never)];
    first.end('rate-limited', 100_000);
    const queued = pace.turn(never);
    second.end('unavailable', 86_400_000);
    for (const turn of [queued, pace.turn(never)]) {
      const { code, exit, message, hint } = await failureOf(turn, 'WAIT_TOO_LONG');
      assert.deepEqual([code, exit], ['WAIT_TOO_LONG', 8]);
      assert.match(`${message} ${hint}`, /requires a wait of 86400 s.*--max-wait, such as 1442m/);
    }
    assert.equal(pace.turnNow(), undefined);
    assert.deepEqual(pauses, [100_000]);
  });

  it('waits in all no longer than it may until the server takes something again', async () => {
    const { pace, nowMs } = paceOnFakeClock(undefined, 120_000);
    for (let refusals = 0; refusals < 2; refusals++) (await pace.turn(never)).end('rate-limited', 50_000);
    (await pace.turn(never)).end(undefined, undefined);
    for (let refusals = 0; refusals < 3; refusals++) (await pace.turn(never)).end('rate-limited', 50_000);
    await failureOf(pace.turn(never), 'WAIT_TOO_LONG');
    // Two waits of 50 s before the success and two after it; one more would exceed 120 s.
    assert.equal(Math.round(nowMs() / 10_000), 20);
  });

  it('gives up a wait with the reason of the signal, and lets the others wait on', async () => {
    const pace = stuck();
    await pace.turn(never);
    const stop = new AbortController();
    const waiting = pace.turn(stop.signal);
    stop.abort(new Error('enough'));
    await assert.rejects(waiting, /enough/);
    await assert.rejects(pace.turn(AbortSignal.abort(new Error('before'))), /before/);
  });
});

describe('a call under a pace', () => {
  it('spends none of its time in the queue', async () => {
    const { send } = scripted(json(200, { id: 12 }));
    const pace: Pace = { turnNow: () => undefined, turn: () => sleep(60).then(() => ({ end() {} })) };
    const { client } = clientOn(send, { pace, timeoutMs: 20, monotonicNow: () => performance.now() });
    assert.equal((await client.getJob(12)).id, 12);
  });

  it('waits as long as it is asked to where the clock is moved a day meanwhile', async () => {
    for (const movedMs of [-DAY_MS, DAY_MS]) {
      const { pace, nowMs } = paceOnFakeClock();
      let wallMs = Date.parse('2026-03-02T10:00:00Z');
      const clock = () => wallMs;
      const refused = () => {
        wallMs += movedMs;
        return envelope(429, 'RATE_LIMITED', 'slow', {}, { 'retry-after': '7' });
      };
      const { send } = scripted(refused, refused, json(200, { id: 12 }));
      const { client } = clientOn(send, { pace, clock, monotonicNow: nowMs, sleep: async () => {} });
      assert.equal((await client.getJob(12)).id, 12);
      assert.equal(nowMs(), 14_000);
    }
  });

  it('waits until a Retry-After date as the server counts it, whatever the clock of this machine says', async () => {
    const { pace, nowMs } = paceOnFakeClock();
    const headers = { date: 'Mon, 02 Mar 2026 10:00:00 GMT', 'retry-after': 'Mon, 02 Mar 2026 10:00:05 GMT' };
    const { send } = scripted(envelope(429, 'RATE_LIMITED', 'slow', {}, headers), json(200, { id: 12 }));
    const clock = () => Date.parse('2026-03-01T10:00:00Z');
    await clientOn(send, { pace, clock, monotonicNow: nowMs, sleep: async () => {} }).client.getJob(12);
    assert.equal(nowMs(), 5000);
  });

  it('outlasts a Retry-After that is longer than the call may take', async () => {
    const { pace, nowMs } = paceOnFakeClock();
    const { send } = scripted(
      envelope(429, 'RATE_LIMITED', 'slow', {}, { 'retry-after': '90' }),
      json(201, { id: 12 }),
    );
    assert.equal((await clientOn(send, { pace }).client.createJob({})).id, 12);
    assert.equal(nowMs(), 90_000);
  });

  it('ends after a dozen refusals, whatever their Retry-After: the deadline does not end it', async () => {
    for (const retryAfter of ['0', '90']) {
      const refused = envelope(429, 'RATE_LIMITED', 'slow', {}, { 'retry-after': retryAfter });
      const { pace } = paceOnFakeClock();
      const { send, requests } = scripted(...Array<Response>(100).fill(refused), json(201, { id: 12 }));
      const { client } = clientOn(send, { pace, sleep: async () => {} });
      const error = await failureOf(client.createJob({}), 'RATE_LIMITED');
      assert.deepEqual([requests.length, error.exit, error.mayHaveCreated], [12, 8, false]);
    }
  });

  it('that is stopped in the queue was not sent: no job can exist', async () => {
    const pace = stuck();
    await pace.turn(never);
    const stop = new AbortController();
    const { send, requests } = scripted(json(201, { id: 12 }));
    const creating = clientOn(send, { pace, signal: stop.signal }).client.createJob({});
    stop.abort();
    const error = await failureOf(creating, 'INTERRUPTED');
    assert.deepEqual([requests.length, error.mayHaveCreated], [0, false]);
  });

  for (const [where, pace] of [
    ['in the queue', stuck()],
    ['between two attempts', undefined],
  ] as const)
    it(`that waits ${where} ends at the first Ctrl-C, as nothing of it is under way`, async () => {
      if (pace !== undefined) await pace.turn(never);
      const interrupt = new AbortController();
      const { send, requests } = scripted(envelope(503, 'INTERNAL'));
      const waits = (_: number, signal: AbortSignal) =>
        new Promise<void>((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
          interrupt.abort();
        });
      const { client } = clientOn(send, { pace, interrupted: interrupt.signal, sleep: waits });
      const call = client.updateJob(12, { title: 'Nurse' });
      if (pace !== undefined) interrupt.abort();
      assert.equal((await failureOf(call, 'INTERRUPTED')).exit, 130);
      assert.equal(requests.length, pace === undefined ? 1 : 0);
    });
});
