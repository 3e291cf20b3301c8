import {
  distanceWords,
  formatCents,
  momentWords,
  salaryWords,
  timeLeftWords,
  valueWord,
} from '../../contract/words.ts';
import { clean, type Style } from './view.ts';

/** A value as one line; undefined where there is nothing to show. What is no text is shown as JSON. */
export function oneLine(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  return clean(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
}

/** A value of the contract in words; one that is not known as it came; undefined where there is none. */
export function word(value: unknown): string | undefined {
  const text = oneLine(value);
  return text === undefined ? undefined : valueWord(text);
}

const STATUS_STYLES: Readonly<Record<string, Style>> = {
  DRAFT: 'cyan',
  ACTIVE: 'green',
  PAUSED: 'yellow',
  CLOSED: 'dim',
  EXPIRED: 'dim',
};

export function statusStyle(status = ''): Style | undefined {
  return Object.hasOwn(STATUS_STYLES, status) ? STATUS_STYLES[status] : undefined;
}

/** An amount of cents as `$15.00`; what is no whole number as it came. */
export function cents(value: unknown): string | undefined {
  return Number.isSafeInteger(value) ? formatCents(value as number) : oneLine(value);
}

/** A column of amounts, as dollars for people and as bare cents for spreadsheets. */
export function amountColumn<Row>(title: string, centsOf: (row: Row) => number | undefined) {
  return {
    title,
    text: (row: Row) => cents(centsOf(row)) ?? '',
    value: centsOf,
    csv: { title: `${title}_CENTS`, cell: (row: Row) => oneLine(centsOf(row)) ?? '' },
    align: 'right',
  } as const;
}

type Maybe<T> = T | null | undefined;

/** `$85,000 – $105,000 a year`, or as much of it as is known. */
export function salary(min: Maybe<number>, max: Maybe<number>, period: Maybe<string>): string | undefined {
  return salaryWords(min ?? undefined, max ?? undefined, word(period));
}

/** Past the year 9999 a time is none that anybody means, and sums with it are beyond what a Date can hold. */
const LAST_TIME = Date.parse('9999-12-31T23:59:59.999Z');

/** An ISO 8601 time in milliseconds since 1970; undefined for what is none. */
export function timeOf(text: Maybe<string>): number | undefined {
  const time = Date.parse(text ?? '');
  return Math.abs(time) <= LAST_TIME ? time : undefined;
}

/** An ISO 8601 time as `2026-01-31 09:00 UTC`; what is no time as it came. */
export function moment(text: Maybe<string>): string | undefined {
  const time = timeOf(text);
  return time === undefined ? oneLine(text) : momentWords(time);
}

/** How far away a time is: `in 27 days`, `3 hours ago`. */
export function distance(text: Maybe<string>, now: number): string | undefined {
  const time = timeOf(text);
  return time === undefined ? oneLine(text) : distanceWords(time, now);
}

/** What is left of a listing's 30 days (section 8, rule 1); of another length only where a server has one. */
export function timeLeft(publishedAt: Maybe<string>, expiresAt: Maybe<string>, now: number) {
  const [start, end] = [timeOf(publishedAt), timeOf(expiresAt)];
  return end === undefined ? undefined : timeLeftWords(start, end, now);
}
