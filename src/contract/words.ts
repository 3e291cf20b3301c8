import { LISTING_DAYS, LISTING_MS } from './limits.ts';
import { formatDollars } from './money.ts';
import type { BudgetWindow } from './values.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const WORDS: Readonly<Record<string, string>> = {
  REMOTE: 'remote',
  HYBRID: 'hybrid',
  IN_PERSON: 'in person',
  FULL_TIME: 'full-time',
  PART_TIME: 'part-time',
  CONTRACT: 'contract',
  INTERNSHIP: 'internship',
  ENTRY: 'entry level',
  MID: 'mid level',
  SENIOR: 'senior',
  ANNUAL: 'a year',
  HOURLY: 'an hour',
  REQUIRED: 'required',
  DESIRED: 'desired',
  TEXT: 'a line of text',
  TEXTAREA: 'free text',
  SINGLE_SELECT: 'pick one',
  MULTI_SELECT: 'pick one or more',
  NUMBER: 'a number',
  FILE: 'a file',
  DATE: 'a date',
  SINGLE_CHECKBOX: 'a checkbox',
  DAILY: 'daily',
  WEEKLY: 'weekly',
  MONTHLY: 'monthly',
  LIFETIME: 'lifetime',
};

/** A value of the contract in words; a text that is none of them as it came. */
export function valueWord(value: string): string {
  return Object.hasOwn(WORDS, value) ? (WORDS[value] as string) : value;
}

/** Section 8, rule 3: when a window starts anew. */
export const RESETS: Readonly<Record<BudgetWindow, string>> = {
  DAILY: 'every day at 00:00 UTC',
  WEEKLY: 'on Mondays at 00:00 UTC',
  MONTHLY: 'on the 1st at 00:00 UTC',
  LIFETIME: 'never',
};

/** `$85,000 – $105,000 a year`, or as much of it as is known; the ends are whole dollars or words already. */
export function salaryWords(
  from: number | string | undefined,
  to: number | string | undefined,
  period: string | undefined,
): string | undefined {
  const [low, high] = [dollars(from), dollars(to)];
  const range = low !== undefined && high !== undefined && low !== high ? `${low} – ${high}` : (low ?? high);
  if (range === undefined) return undefined;
  const bound = low === undefined ? 'up to ' : high === undefined ? 'from ' : '';
  return [bound + range, period].filter(Boolean).join(' ');
}

function dollars(amount: number | string | undefined): string | undefined {
  return Number.isSafeInteger(amount) ? formatDollars(amount as number) : amount?.toString();
}

export function momentWords(time: number): string {
  return `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

export function distanceWords(time: number, now: number): string {
  const span = lengthOfTime(Math.abs(time - now));
  return time >= now ? `in ${span}` : `${span} ago`;
}

/** What is left of a listing's 30 days (section 8, rule 1), times in epoch ms; of another length where it has one. */
export function timeLeftWords(startsAt: number | undefined, endsAt: number, now: number): string {
  if (endsAt <= now) return `ran out ${lengthOfTime(now - endsAt)} ago`;
  const days = Math.round((endsAt - now) / DAY_MS);
  const isUsual = startsAt !== undefined && endsAt - startsAt === LISTING_MS;
  // Before the listing began, as with a clock that was put back, more is left than it has.
  return isUsual && days > 1 && days <= LISTING_DAYS
    ? `${days} of ${LISTING_DAYS} days left`
    : `${lengthOfTime(endsAt - now)} left`;
}

function lengthOfTime(spanMs: number): string {
  if (spanMs < MINUTE_MS) return 'less than a minute';
  const [minutes, hours, days] = [MINUTE_MS, HOUR_MS, DAY_MS].map((unit) => Math.round(spanMs / unit));
  if (minutes !== undefined && minutes < 60) return counted(minutes, 'minute');
  if (hours !== undefined && hours < 24) return counted(hours, 'hour');
  return counted(days ?? 0, 'day');
}

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** `3 DRAFT · 1 ACTIVE`: the states that some job is in. */
export function statusCounts(jobs: Readonly<Record<string, number>>): string {
  const counts = Object.entries(jobs).filter(([, count]) => count > 0);
  return counts.map(([status, count]) => `${count} ${status}`).join(' · ') || 'none';
}
