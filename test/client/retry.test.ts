import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  backoffMs,
  type FailedAttempt,
  isAmbiguous,
  nextAttemptInMs,
  type RetryReason,
  type RetrySafety,
  retryAfterMs,
  retrySafetyOf,
} from '../../src/client/retry.ts';

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
  const table: readonly [RetryReason, Record<RetrySafety, boolean>][] = [
    ['connect-failed', { safe: true, idempotent: true, 'non-idempotent': true }],
    ['connection-lost', { safe: true, idempotent: true, 'non-idempotent': false }],
    ['unavailable', { safe: true, idempotent: true, 'non-idempotent': false }],
    ['failed', { safe: true, idempotent: true, 'non-idempotent': false }],
    ['unreadable', { safe: false, idempotent: true, 'non-idempotent': false }],
    ['bad-redirect', { safe: false, idempotent: false, 'non-idempotent': false }],
    ['rate-limited', { safe: true, idempotent: true, 'non-idempotent': true }],
    ['refused-certificate', { safe: false, idempotent: false, 'non-idempotent': false }],
    ['stopped', { safe: false, idempotent: false, 'non-idempotent': false }],
  ];
  for (const [reason, row] of table) {
    for (const [retrySafety, isRepeated] of Object.entries(row) as [RetrySafety, boolean][]) {
      it(`${reason}: a call that ${retrySafety} is ${isRepeated ? '' : 'not '}repeated`, () => {
        assert.equal(nextAttemptInMs(failed({ reason, retrySafety })) !== undefined, isRepeated);
      });
    }
  }

  const unknown = { honoursIdempotencyKeys: false, isProven: false };

  it('counts a create as harmless only under a key that the server honours', () => {
    assert.equal(
      retrySafetyOf('createJob', { honoursIdempotencyKeys: false, isProven: true }),
      'non-idempotent',
    );
    assert.equal(retrySafetyOf('createJob', { honoursIdempotencyKeys: true, isProven: false }), 'idempotent');
  });

  it('counts a GET to a server that has answered as the API does as the same again', () => {
    assert.equal(retrySafetyOf('getJob', { honoursIdempotencyKeys: false, isProven: true }), 'idempotent');
  });

  it('counts the first GETs as reads, and updates and transitions as the same again', () => {
    for (const name of ['getJob', 'listJobs', 'searchLocations'] as const) {
      assert.equal(retrySafetyOf(name, unknown), 'safe');
    }
    for (const name of ['updateJob', 'publishJob', 'pauseJob', 'resumeJob', 'closeJob'] as const) {
      assert.equal(retrySafetyOf(name, unknown), 'idempotent');
    }
  });

  it('knows after which failures the work may have been done', () => {
    const ambiguous = table.map(([reason]) => reason).filter(isAmbiguous);
    assert.deepEqual(ambiguous, [
      'connection-lost',
      'unavailable',
      'failed',
      'unreadable',
      'bad-redirect',
      'stopped',
    ]);
  });

  it('makes four attempts, but asks a rate-limiting server until the deadline', () => {
    assert.notEqual(nextAttemptInMs(failed({ attempt: 3 })), undefined);
    assert.equal(nextAttemptInMs(failed({ attempt: 4 })), undefined);
    assert.notEqual(nextAttemptInMs(failed({ attempt: 40, reason: 'rate-limited' })), undefined);
  });
});

describe('how long is waited', () => {
  it('doubles the span of the jitter with every attempt, up to 8 s', () => {
    const spans = [1, 2, 3, 4, 5, 6, 7, 40].map((attempt) => backoffMs(attempt, 1));
    assert.deepEqual(spans, [250, 500, 1000, 2000, 4000, 8000, 8000, 8000]);
  });

  it('draws from the whole span, down to no wait at all', () => {
    assert.equal(backoffMs(3, 0), 0);
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2000 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (attempt, random) => {
          const waitMs = backoffMs(attempt, random);
          return Number.isInteger(waitMs) && waitMs >= 0 && waitMs < 8000;
        },
      ),
    );
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
  const table: readonly [string, number | undefined][] = [
    ['', undefined],
    ['0', 0],
    ['120', 120_000],
    [' 2 ', 2000],
    ['1.5', 1500],
    ['Mon, 02 Mar 2026 10:00:30 GMT', 30_000],
    ['Mon, 02 Mar 2026 09:59:00 GMT', 0],
    ['Monday, 02-Mar-26 10:00:05 GMT', 5000],
    ['-5', undefined],
    ['soon', undefined],
    ['1e3', undefined],
    ['2026', 2_026_000],
    ['Monday', undefined],
  ];
  for (const [header, waitMs] of table) {
    it(`${JSON.stringify(header)} is ${waitMs === undefined ? 'no wait that can be read' : `${waitMs} ms`}`, () => {
      assert.equal(retryAfterMs(header, NOW_MS), waitMs);
    });
  }

  it('gives back every HTTP date of the coming years, to the second', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 * 365 * 86_400 }), (seconds) => {
        const header = new Date(NOW_MS + seconds * 1000).toUTCString();
        return retryAfterMs(header, NOW_MS) === seconds * 1000;
      }),
    );
  });

  it('is never negative and never not a number, whatever a server writes', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.double().map(String),
          fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
        ),
        (header) => {
          const waitMs = retryAfterMs(header, NOW_MS);
          return waitMs === undefined || waitMs >= 0;
        },
      ),
    );
  });
});
