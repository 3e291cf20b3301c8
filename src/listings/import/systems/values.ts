import { isObject } from '../../../contract/values.ts';
import type { SourcePlace, SourceSalary, SourceText } from '../source-posting.ts';

/** What is under a path; undefined where it leads nowhere. What an object inherits is not found. */
export function valueAt(value: unknown, ...path: readonly string[]): unknown {
  let current = value;
  for (const name of path) {
    if (!isObject(current) || !Object.hasOwn(current, name)) return undefined;
    current = current[name];
  }
  return current ?? undefined;
}

/** A text without the space around it, or a number as text; undefined where that is empty or something else. */
export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = valueAt(value, ...path);
  const text = typeof found === 'number' && Number.isFinite(found) ? String(found) : found;
  return typeof text === 'string' ? text.trim() || undefined : undefined;
}

/** A number, also where it is written as a text: `"85000"`, `"85,000.50"`. */
export function numberAt(value: unknown, ...path: readonly string[]): number | undefined {
  const text = textAt(value, ...path)?.replace(/(?<=\d),(?=\d{3}\b)/g, '');
  return text === undefined || !Number.isFinite(Number(text)) ? undefined : Number(text);
}

/** The entries of a list without those that are null; any other value is a list of one. */
export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = valueAt(value, ...path);
  if (found === undefined) return [];
  return (Array.isArray(found) ? found : [found]).filter((entry) => entry !== null && entry !== undefined);
}

/** The texts in a list, or the one text that is there, each once. */
export function textsAt(value: unknown, ...path: readonly string[]): readonly string[] {
  const texts = listAt(value, ...path).map((entry) => textAt(entry));
  return [...new Set(texts.filter((text) => text !== undefined))];
}

/** The words of a text that has several with a comma, semicolon or bar between. */
export function termsIn(text: string | undefined): readonly string[] {
  const terms = (text ?? '').split(/[,;|]/).map((term) => term.trim());
  return terms.filter((term) => term !== '');
}

/** The objects of an answer: its list of that name, also in several answers together, a bare list, or one alone. */
export function postingsIn(json: unknown, list: string): readonly unknown[] {
  return listAt(json).flatMap((entry) => listAt(valueAt(entry, list) ?? entry));
}

/** True where one of the first postings has a text under `needed` and a field of another name that its system has. */
export function isKnownBy(postings: readonly unknown[], needed: string, others: readonly string[]): boolean {
  return postings.slice(0, 20).some((posting) => {
    const names = isObject(posting) ? Object.keys(posting) : [];
    return textAt(posting, needed) !== undefined && others.some((name) => names.includes(name));
  });
}

/** A part of a posting that may be HTML, also escaped, or plain text; an empty list where there is none. */
export function richText(text: string | undefined, heading?: string): readonly SourceText[] {
  if (text === undefined) return [];
  const isHtml = /<[a-z/!]|&(?:[a-z]+|#\w+);/i.test(text);
  return [{ ...(heading === undefined ? {} : { heading }), text, isHtml }];
}

/** The text of a field that contains only requirements. */
export function requirements(text: string | undefined, heading?: string): readonly SourceText[] {
  return richText(text, heading).map((part) => ({ ...part, isRequirements: true }));
}

/** Whether the company hides it. Accepts any spelling of the flag. */
export function isHidden(value: unknown): boolean {
  return valueAt(value, 'hidden') === true || /^(?:true|yes|1)$/i.test(textAt(value, 'hidden') ?? '');
}

type Parts<T> = { [K in keyof T]: T[K] | undefined };

function given<T extends object>(parts: Parts<T>): T {
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)) as T;
}

export function placeOf(parts: Parts<SourcePlace>): SourcePlace[] {
  const place = given(parts);
  return Object.keys(place).length === 0 ? [] : [place];
}

/** The places in a list, else the fields of the posting itself, else its text of them. Names before codes. */
export function placesIn(posting: unknown, listed: readonly unknown[], texts = ['location']): SourcePlace[] {
  const shown = listed.filter((place) => !isHidden(place));
  const places: SourcePlace[] = shown.flatMap(placeAt);
  // The posting's city may be the one that is hidden in the list, but its country is public.
  const { country } = placeAt(posting)[0] ?? {};
  if (shown.length < listed.length)
    return [...(places.length > 0 ? places : placeOf({ country })), { isHidden: true }];
  if (places.length > 0 || textAt(posting, 'city') !== undefined)
    return places.length > 0 ? places : placeAt(posting);
  const text = texts.flatMap((name) => textsAt(posting, name))[0];
  return placeOf({ ...placeAt(posting)[0], text });
}

function placeAt(entry: unknown): SourcePlace[] {
  const first = (...names: readonly string[]) => names.map((name) => textAt(entry, name)).find(Boolean);
  return placeOf({
    text: textAt(entry),
    city: first('city'),
    region: first('state', 'state_name', 'region', 'state_code'),
    country: first('country', 'country_code', 'countrycode'),
  });
}

export const PAY_NAMES = { min: 'min', max: 'max', currency: 'currency', period: 'period' };

/** The pay in an object, by what it calls the parts of it; nothing where no amount is there. */
export function salaryAt(
  pay: unknown,
  names: { readonly [K in keyof SourceSalary]?: string } = PAY_NAMES,
  label?: string,
): SourceSalary[] {
  const textOf = (part: keyof SourceSalary) => textAt(pay, names[part] ?? '');
  const salary = given<SourceSalary>({
    min: numberAt(pay, names.min ?? ''),
    max: numberAt(pay, names.max ?? ''),
    currency: textOf('currency')?.toUpperCase(),
    period: textOf('period'),
    text: textOf('text'),
    label: label || textOf('label'),
  });
  return (salary.min ?? salary.max ?? salary.text) === undefined ? [] : [salary];
}

export function salaryTexts(pay: unknown, ...path: readonly string[]): SourceSalary[] {
  return textsAt(pay, ...path).map((text) => ({ text }));
}
