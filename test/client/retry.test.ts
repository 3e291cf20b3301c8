import assert from 'node:assert/strict';
import fc from 'fast-check';
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
  const table: readonly (readonly [RetryReason, repeated: readonly RetrySafety[], isAmbiguous: boolean])[] = [
    ['connect-failed', ['safe', 'idempotent', 'non-idempotent'], false],
    ['connection-lost', ['safe', 'idempotent'], true],
    ['unavailable', ['safe', 'idempotent'], true],
    ['failed', ['safe', 'idempotent'], true],
    ['unreadable', ['idempotent'], true],
    ['bad-redirect', [], true],
    ['rate-limited', ['safe', 'idempotent', 'non-idempotent'], false],
    ['cannot-connect', [], false],
    ['stopped', [], true],
  ];
  for (const [reason, repeated, ambiguous] of table)
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
