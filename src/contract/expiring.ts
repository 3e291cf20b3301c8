import { EXPIRY } from './lifecycle.ts';
import { isoTime } from './time.ts';
import { counted, momentWords } from './words.ts';

/** `earliest` is an ISO 8601 time. */
export type Expiring = { readonly jobs: number; readonly earliest: string };

type JobEnd = { readonly status?: string | undefined; readonly expiresAt?: string | null | undefined };

const SOON_DAYS = 5;
const SOON_MS = SOON_DAYS * 24 * 60 * 60 * 1000;

export function expiresWithin({ status, expiresAt }: JobEnd, spanMs: number, now: number): boolean {
  return EXPIRY.from.some((from) => from === status) && Date.parse(expiresAt ?? '') - now <= spanMs;
}

/** Counts the live jobs that expire within five days. */
export function expiryCount(now: () => number) {
  let [jobs, earliest] = [0, Number.POSITIVE_INFINITY];
  return {
    add(job: JobEnd): void {
      if (job.status !== 'ACTIVE' || !expiresWithin(job, SOON_MS, now())) return;
      jobs++;
      earliest = Math.min(earliest, Date.parse(job.expiresAt ?? ''));
    },
    expiring: (): Expiring | null => (jobs === 0 ? null : { jobs, earliest: isoTime(earliest) }),
  };
}

export function expiringText(expiring: Expiring | null | undefined): string[] {
  if (!expiring) return [];
  const [expire, first] = expiring.jobs === 1 ? ['expires', ''] : ['expire', 'the first '];
  const when = `${expire} within ${SOON_DAYS} days, ${first}on ${momentWords(Date.parse(expiring.earliest))}`;
  const how = 'Replace expired jobs with `partner jobs apply --repost` or `partner jobs repost ID`.';
  return [`${counted(expiring.jobs, 'live job')} ${when}. ${how}`];
}
