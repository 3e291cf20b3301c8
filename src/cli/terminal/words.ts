import { formatCents } from '../../contract/money.ts';
import { distanceWords, momentWords, salaryWords, timeLeftWords, valueWord } from '../../contract/words.ts';
import type { Style } from './paint.ts';
import { numberIn, textIn, timeIn } from './read.ts';

/** A value of the contract in words; one that is not known as it came; undefined where there is none. */
export function word(value: unknown): string | undefined {
  const text = textIn(value);
  return text === undefined ? undefined : valueWord(text);
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

/** `$85,000 – $105,000 a year`, or as much of it as is known. */
export function salary(min: unknown, max: unknown, period: unknown): string | undefined {
  const [from, to] = [min, max].map((end) => (Number.isSafeInteger(end) ? (end as number) : textIn(end)));
  return salaryWords(from, to, word(period));
}

/** A time of the contract as `2026-01-31 09:00 UTC`; what is no time as it came. */
export function moment(value: unknown): string | undefined {
  const time = timeIn(value);
  if (time === undefined) return textIn(value);
  return momentWords(time);
}

/** How far away a time is: `in 27 days`, `3 hours ago`. */
export function distance(value: unknown, now: number): string | undefined {
  const time = timeIn(value);
  if (time === undefined) return textIn(value);
  return distanceWords(time, now);
}

/** What is left of a listing's 30 days (section 8, rule 1); of another length only where a server has one. */
export function timeLeft(publishedAt: unknown, expiresAt: unknown, now: number): string | undefined {
  const [start, end] = [timeIn(publishedAt), timeIn(expiresAt)];
  return end === undefined ? undefined : timeLeftWords(start, end, now);
}

export { counted } from '../../contract/words.ts';

/** A whole number with its thousands grouped: `8,336,817`. */
export function grouped(value: unknown): string | undefined {
  const number = numberIn(value);
  return number === undefined ? textIn(value) : number.toLocaleString('en-US');
}
