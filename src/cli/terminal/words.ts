import { distanceWords, formatCents, momentWords, valueWord } from '../../contract/words.ts';
import { clean } from './view.ts';

export function oneLine(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  return clean(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
}

export function word(value: unknown): string | undefined {
  const text = oneLine(value);
  return text === undefined ? undefined : valueWord(text);
}

export function cents(value: unknown): string | undefined {
  return Number.isSafeInteger(value) ? formatCents(value as number) : oneLine(value);
}

export function amountColumn<Row>(title: string, centsOf: (row: Row) => number | undefined) {
  return {
    title,
    text: (row: Row) => cents(centsOf(row)) ?? '',
    value: centsOf,
    csv: [{ title: `${title}_CENTS`, text: (row: Row) => oneLine(centsOf(row)) ?? '' }],
    align: 'right',
  } as const;
}

type Maybe<T> = T | null | undefined;

/** Later times aren't realistic, and sums with them exceed the range of a Date. */
const LAST_TIME = Date.parse('9999-12-31T23:59:59.999Z');

/** Parses ISO 8601 to epoch ms. Undefined for an invalid time. */
export function parseServerTime(text: Maybe<string>): number | undefined {
  const time = Date.parse(text ?? '');
  return Math.abs(time) <= LAST_TIME ? time : undefined;
}

export function moment(text: Maybe<string>): string | undefined {
  const time = parseServerTime(text);
  return time === undefined ? oneLine(text) : momentWords(time);
}

export function distance(text: Maybe<string>, now: number): string | undefined {
  const time = parseServerTime(text);
  return time === undefined ? oneLine(text) : distanceWords(time, now);
}

export function timeColumn<Row>(title: string, timeOf: (row: Row) => Maybe<string>, format = distance) {
  return {
    title,
    text: (row: Row, now: number) => format(timeOf(row), now) ?? '',
    whole: (row: Row) => timeOf(row) ?? '',
    value: (row: Row) => parseServerTime(timeOf(row)),
  };
}
