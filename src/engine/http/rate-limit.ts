import QuickLRU from 'quick-lru';
import { PartnerError } from '../../contract/errors.ts';
import type { RateLimit } from '../parts.ts';

export type Limiter = (sender: string) => number;

/** Limits memory to about 4 MB. An evicted sender starts again with a full bucket. */
const SENDERS_MAX = 10_000;

export function createLimiter({ perSecond }: RateLimit, clock: () => number): Limiter {
  const buckets = new QuickLRU<string, { tokens: number; filledAt: number }>({ maxSize: SENDERS_MAX });
  return (sender) => {
    const now = clock();
    const { tokens, filledAt } = buckets.get(sender) ?? { tokens: perSecond, filledAt: now };
    const filled = Math.min(perSecond, tokens + (Math.max(0, now - filledAt) / 1000) * perSecond);
    const isAllowed = filled >= 1;
    buckets.set(sender, { tokens: isAllowed ? filled - 1 : filled, filledAt: now });
    return isAllowed ? 0 : Math.ceil((1 - filled) / perSecond);
  };
}

export function limitRate(limiter: Limiter | undefined, sender: string): void {
  const waitSeconds = limiter?.(sender) ?? 0;
  if (waitSeconds === 0) return;
  throw new PartnerError('RATE_LIMITED', {
    message: `too many requests. Retry in ${waitSeconds} s`,
    retryAfterSeconds: waitSeconds,
  });
}
