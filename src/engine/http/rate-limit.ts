import type { RateLimit } from '../parts.ts';

/** Seconds to wait before the key may send again; 0 where it may now. */
export type Limiter = (keyId: string) => number;

interface Bucket {
  tokens: number;
  filledAt: number;
}

/**
 * Decision 14: each key has a bucket of `perSecond` tokens that fills at `perSecond` a second, and every
 * request takes one.
 */
export function createLimiter({ perSecond }: RateLimit, clock: () => number): Limiter {
  const buckets = new Map<string, Bucket>();
  return (keyId) => {
    const now = clock();
    const { tokens, filledAt } = buckets.get(keyId) ?? { tokens: perSecond, filledAt: now };
    const filled = Math.min(perSecond, tokens + (Math.max(0, now - filledAt) / 1000) * perSecond);
    const isAllowed = filled >= 1;
    buckets.set(keyId, { tokens: isAllowed ? filled - 1 : filled, filledAt: now });
    return isAllowed ? 0 : Math.ceil((1 - filled) / perSecond);
  };
}
