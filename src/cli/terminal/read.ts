import { clean } from './clean.ts';

/** An object as it came from a server: any field may be missing, unknown or of another type than promised. */
export type Fields = Readonly<Record<string, unknown>>;

/** The fields of a value; none where it is no object. */
export function fieldsIn(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

/** The objects in an array; none where it is no array. */
export function listIn(value: unknown): Fields[] {
  return Array.isArray(value) ? value.map(fieldsIn) : [];
}

/** A value as one line; undefined where there is nothing to show. What is no text is shown as JSON. */
export function textIn(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  return clean(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
}

export function numberIn(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** Past the year 9999 a time is none that anybody means, and sums with it are beyond what a Date can hold. */
const LAST_TIME = Date.parse('9999-12-31T23:59:59.999Z');

/** An ISO 8601 time in milliseconds since 1970. */
export function timeIn(value: unknown): number | undefined {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Math.abs(time) <= LAST_TIME ? time : undefined;
}
