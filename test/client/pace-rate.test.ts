import assert from 'node:assert/strict';
import {
  afterAccepted,
  afterPause,
  afterRefused,
  afterTurn,
  firstRate,
  perSecond,
  type Rate,
  turnAtMs,
} from '../../src/client/pace-rate.ts';

/** A rate under which `accepted` attempts went through before the first refusal, at `nowMs`. */
const refusedAfter = (accepted: number, nowMs: number, retryAfterMs?: number): Rate => {
  let rate = firstRate(0);
  for (let answer = 0; answer < accepted; answer++) rate = afterAccepted(rate);
  return afterRefused(rate, { sentAtMs: nowMs, nowMs, retryAfterMs });
};

describe('the rate of a pool', () => {
  it('has no limit but the one it is given', () => {
    assert.equal(turnAtMs(afterTurn(firstRate(0), 0)), 0);
    assert.equal(turnAtMs(afterTurn(firstRate(0, 4), 0)), 250);
  });

  it('does not make up for time in which nothing was sent, beyond the lateness of a timer', () => {
    const rate = afterTurn(firstRate(0, 4), 60_000);
    assert.equal(turnAtMs(rate), 60_000 - 20 + 250);
  });

  it('is after a refusal a little less than what the server took, over a second at the least', () => {
    assert.equal(perSecond(refusedAfter(50, 20, 1000), 1020), 45);
    assert.equal(perSecond(refusedAfter(80, 4000, 1000), 5000), 18);
  });

  it('comes back to that within five seconds, then goes past it, and ever faster', () => {
    const rate = refusedAfter(20, 1000, 0);
    const seen = [0, 5, 10, 20, 40].map((seconds) => perSecond(rate, 1000 + seconds * 1000));
    assert.deepEqual(seen.map(Math.round), [18, 22, 28, 44, 100]);
  });

  it('is at most halved by one refusal: what was measured in a short time may be chance', () => {
    const once = refusedAfter(50, 1000, 0);
    const again = afterRefused(once, { sentAtMs: 1001, nowMs: 1002, retryAfterMs: 0 });
    assert.equal(again.taken?.perSecond, perSecond(once, 1002) / 2);
  });

  it('is measured without the time in which nothing could be sent', () => {
    let rate = refusedAfter(40, 1000, 10_000);
    for (let answer = 0; answer < 36; answer++) rate = afterAccepted(rate);
    assert.equal(
      afterRefused(rate, { sentAtMs: 11_900, nowMs: 12_000, retryAfterMs: 0 }).taken?.perSecond,
      36,
    );
  });

  it('is not worn down by refusals that come by chance: two calls in a hundred, a second of patience each', () => {
    let rate = firstRate(0, 160);
    let nowMs = 0;
    for (let call = 1; call <= 1000; call++) {
      nowMs = Math.max(nowMs, turnAtMs(rate));
      rate = afterTurn(rate, nowMs);
      const isRefused = (call * 37) % 50 === 0;
      rate = isRefused
        ? afterRefused(rate, { sentAtMs: nowMs, nowMs, retryAfterMs: 1000 })
        : afterAccepted(rate);
    }
    const perSecondOverAll = 1000 / (nowMs / 1000);
    assert.ok(perSecondOverAll > 10, `${perSecondOverAll} a second`);
  });

  it('never goes past the rate that the caller allows', () => {
    const refused = afterRefused(firstRate(0, 10), { sentAtMs: 0, nowMs: 0, retryAfterMs: 0 });
    assert.equal(perSecond(refused, 3_600_000), 10);
  });

  it('falls once for the refusals of all that was under way', () => {
    const once = refusedAfter(50, 1000, 1000);
    const twice = afterRefused(once, { sentAtMs: 990, nowMs: 1010, retryAfterMs: 1000 });
    assert.equal(twice.taken?.perSecond, once.taken?.perSecond);
    assert.equal(turnAtMs(twice), 2010);
    const later = afterRefused(once, { sentAtMs: 2100, nowMs: 2200, retryAfterMs: 1000 });
    assert.ok((later.taken?.perSecond ?? 50) < 50);
  });

  it('pauses longer with each refusal of a server that does not say how long, until it accepts', () => {
    let rate = firstRate(0);
    const pausesMs: number[] = [];
    for (let refusal = 0; refusal < 3; refusal++) {
      const nowMs = turnAtMs(rate) + 1;
      rate = afterRefused(rate, { sentAtMs: nowMs, nowMs, retryAfterMs: undefined });
      pausesMs.push(rate.pausedUntilMs - nowMs);
    }
    assert.deepEqual(pausesMs, [250, 500, 1000]);
    assert.equal(afterAccepted(rate).refusals, 0);
  });

  it('pauses for as long as it is asked to, and a shorter pause never ends a longer one', () => {
    const rate = afterPause(firstRate(0), 0, 600_000);
    assert.equal(rate.pausedUntilMs, 600_000);
    assert.equal(afterPause(rate, 10, 5).pausedUntilMs, 600_000);
  });
});
