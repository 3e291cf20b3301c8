import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { createLimiter } from '../../../src/engine/http/rate-limit.ts';
import { engineFor } from '../engine-under-test.ts';

describe('the rate limit (decision 14)', () => {
  const engine = engineFor('all tests', { rateLimit: { perSecond: 1 } });

  it('lets no key send more than its share, whatever the gaps', () => {
    const gaps = fc.array(fc.nat(400), { maxLength: 200 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), gaps, (perSecond, gapsMs) => {
        let now = 0;
        const limiter = createLimiter({ perSecond }, () => now);
        const sent = gapsMs.flatMap((gapMs) => {
          now += gapMs;
          return limiter('key') === 0 ? [now] : [];
        });
        for (const start of sent) {
          const inSecond = sent.filter((time) => time >= start && time < start + 1000).length;
          // A full bucket, plus what is added during the second.
          assert.ok(inSecond <= 2 * perSecond, `${inSecond} in a second at ${perSecond}`);
        }
      }),
    );
  });

  it('answers 429 with Retry-After to that key only, and counts refused requests too', async () => {
    const other = await engine.operator.keys.create(engine.companyId);
    assert.equal((await engine.call('GET', '/nope')).status, 404);
    const { status, headers, body } = await engine.call('GET', '/jobs');
    assert.deepEqual([status, headers.get('retry-after'), body.error.code], [429, '1', 'RATE_LIMITED']);
    const headersOfOther = { authorization: `Bearer ${other.key}` };
    assert.equal((await engine.call('GET', '/jobs', undefined, headersOfOther)).status, 200);
    engine.now += 1000;
    assert.equal((await engine.call('GET', '/jobs')).status, 200);
  });
});
