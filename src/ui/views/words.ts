import { LISTING_DAYS, LISTING_MS } from '../../contract/limits.ts';
import { formatCents, formatDollars } from '../../contract/money.ts';
import type { Style } from '../paint.ts';
import { numberIn, textIn, timeIn } from './read.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The values of the contract as people write them. */
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

/** A value of the contract in words; one that is not known as it came; undefined where there is none. */
export function word(value: unknown): string | undefined {
  const text = textIn(value);
  return text !== undefined && Object.hasOwn(WORDS, text) ? WORDS[text] : text;
}

const STATUS_STYLES: Readonly<Record<string, Style>> = {
  DRAFT: 'cyan',
  ACTIVE: 'green',
  PAUSED: 'yellow',
  CLOSED: 'dim',
  EXPIRED: 'dim',
};

export function statusStyle(status: unknown): Style | undefined {
  const text = textIn(status) ?? '';
  return Object.hasOwn(STATUS_STYLES, text) ? STATUS_STYLES[text] : undefined;
}

/** An amount of cents as `$15.00`; what is no whole number as it came. */
export function cents(value: unknown): string | undefined {
  return Number.isSafeInteger(value) ? formatCents(value as number) : textIn(value);
}

function dollars(value: unknown): string | undefined {
  return Number.isSafeInteger(value) ? formatDollars(value as number) : textIn(value);
}

/** `$85,000 – $105,000 a year`, or as much of it as is known. */
export function salary(min: unknown, max: unknown, period: unknown): string | undefined {
  const [from, to] = [dollars(min), dollars(max)];
  const range = from !== undefined && to !== undefined && from !== to ? `${from} – ${to}` : (from ?? to);
  if (range === undefined) return undefined;
  const bound = from === undefined ? 'up to ' : to === undefined ? 'from ' : '';
  return [bound + range, word(period)].filter(Boolean).join(' ');
}

/** A time of the contract as `2026-01-31 09:00 UTC`; what is no time as it came. */
export function moment(value: unknown): string | undefined {
  const time = timeIn(value);
  if (time === undefined) return textIn(value);
  return `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** How far away a time is: `in 27 days`, `3 hours ago`. */
export function distance(value: unknown, now: number): string | undefined {
  const time = timeIn(value);
  if (time === undefined) return textIn(value);
  const span = lengthOfTime(Math.abs(time - now));
  return time >= now ? `in ${span}` : `${span} ago`;
}

/** What is left of a listing's 30 days (section 8, rule 1); of another length only where a server has one. */
export function timeLeft(publishedAt: unknown, expiresAt: unknown, now: number): string | undefined {
  const [start, end] = [timeIn(publishedAt), timeIn(expiresAt)];
  if (end === undefined) return undefined;
  if (end <= now) return `ran out ${lengthOfTime(now - end)} ago`;
  const days = Math.round((end - now) / DAY_MS);
  const isUsual = start !== undefined && end - start === LISTING_MS;
  return isUsual && days > 1 ? `${days} of ${LISTING_DAYS} days left` : `${lengthOfTime(end - now)} left`;
}

function lengthOfTime(spanMs: number): string {
  if (spanMs < MINUTE_MS) return 'less than a minute';
  const [minutes, hours, days] = [MINUTE_MS, HOUR_MS, DAY_MS].map((unit) => Math.round(spanMs / unit));
  if (minutes !== undefined && minutes < 60) return counted(minutes, 'minute');
  if (hours !== undefined && hours < 24) return counted(hours, 'hour');
  return counted(days ?? 0, 'day');
}

/** `1 gap`, `3 gaps`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** A whole number with its thousands grouped: `8,336,817`. */
export function grouped(value: unknown): string | undefined {
  const number = numberIn(value);
  return number === undefined ? textIn(value) : number.toLocaleString('en-US');
}
