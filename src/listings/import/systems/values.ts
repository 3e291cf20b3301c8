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

/** The objects of an answer: its list of such a name, also in several answers together, a bare list, or one alone. */
export function postingsIn(json: unknown, ...lists: readonly string[]): readonly unknown[] {
  return listAt(json).flatMap((entry) => {
    const list = lists.find((name) => valueAt(entry, name) !== undefined);
    return list === undefined ? listAt(entry) : listAt(entry, list);
  });
}

/** True where one of the first postings has a text under `needed` and a field of another name that its system has. */
export function isKnownBy(postings: readonly unknown[], needed: string, others: readonly string[]): boolean {
  return postings.slice(0, 20).some((posting) => {
    const names = isObject(posting) ? Object.keys(posting) : [];
    return textAt(posting, needed) !== undefined && others.some((name) => names.includes(name));
  });
}

/** The company's name in the address of its board: all of the path, where the host is one of these. */
export function boardNameIn(address: URL, hosts: readonly string[]): string | undefined {
  const [name, ...rest] = address.pathname.split('/').filter((part) => part !== '');
  return hosts.includes(address.hostname) && rest.length === 0 ? name : undefined;
}

/** A part of a posting that may be HTML, also escaped, or plain text; an empty list where there is none. */
export function richText(text: string | undefined, heading?: string): readonly SourceText[] {
  if (text === undefined) return [];
  return [
    { ...(heading === undefined ? {} : { heading }), text, isHtml: /<[a-z/!]|&(?:[a-z]+|#\w+);/i.test(text) },
  ];
}

/** The fields that have a value; undefined where none has. */
function withoutEmpty<T extends object>(
  fields: { [K in keyof T]-?: T[K] | undefined },
): Partial<T> | undefined {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return entries.length === 0 ? undefined : (Object.fromEntries(entries) as Partial<T>);
}

/** A place of which something is known, or none. */
export function placeOf(parts: { [K in keyof SourcePlace]: SourcePlace[K] | undefined }): SourcePlace[] {
  const { text, city, region, country } = parts;
  const place = withoutEmpty<SourcePlace>({ text, city, region, country });
  return place === undefined ? [] : [place];
}

/** The countries of places, each once. */
export function countriesOf(places: readonly SourcePlace[]): readonly string[] {
  return [...new Set(places.flatMap(({ country }) => country ?? []))];
}

/** The places in a list, else the fields of the posting itself, else its text of them. Names before codes. */
export function placesIn(posting: unknown, listed: readonly unknown[]): SourcePlace[] {
  const places = listed.flatMap(placeAt);
  const text = textAt(posting, 'location');
  const isText = text !== undefined && textAt(posting, 'city') === undefined;
  return places.length > 0 ? places : isText ? [{ text }] : placeAt(posting);
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

const PAY_NAMES = { min: 'min', max: 'max', currency: 'currency', period: 'period' };

/** The pay in an object, by what it calls the parts of it; nothing where no amount is there. */
export function salaryAt(
  pay: unknown,
  names: { readonly [K in keyof SourceSalary]?: string } = PAY_NAMES,
  label?: string,
): SourceSalary[] {
  const name = (part: keyof SourceSalary): string[] => [names[part] ?? ''];
  const salary = withoutEmpty<SourceSalary>({
    min: numberAt(pay, ...name('min')),
    max: numberAt(pay, ...name('max')),
    currency: textAt(pay, ...name('currency'))?.toUpperCase(),
    period: textAt(pay, ...name('period')),
    text: textAt(pay, ...name('text')),
    label: label || textAt(pay, ...name('label')),
  });
  return salary === undefined || (salary.min ?? salary.max ?? salary.text) === undefined ? [] : [salary];
}

/** Each text by itself as a pay that is not read yet. */
export function salaryTexts(pay: unknown, ...path: readonly string[]): SourceSalary[] {
  return textsAt(pay, ...path).map((text) => ({ text }));
}
