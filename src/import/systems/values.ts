import { isObject, withoutUndefined } from '../../contract/values.ts';
import type { SourcePlace, SourceSalary, SourceText } from '../source-posting.ts';

/** Returns the value at a path such as `address.city`. An empty path is the value itself. */
export function getValue(value: unknown, path = ''): unknown {
  let current = value;
  for (const name of path === '' ? [] : path.split('.')) {
    if (!isObject(current) || !Object.hasOwn(current, name)) return undefined;
    current = current[name];
  }
  return current ?? undefined;
}

/** Returns the text or number at the first path that has one. */
export function getText(value: unknown, ...paths: readonly string[]): string | undefined {
  const found = (paths.length === 0 ? [''] : paths).map((path) => getValue(value, path));
  const texts = found.map((one) => (typeof one === 'number' && Number.isFinite(one) ? String(one) : one));
  return texts.map((text) => (typeof text === 'string' ? text.trim() : '')).find(Boolean);
}

/** Accepts a number or text: `"85000"`, `"85,000.50"`. */
export function getNumber(value: unknown, path: string): number | undefined {
  const text = getText(value, path)?.replace(/(?<=\d),(?=\d{3}\b)/g, '');
  return text === undefined || !Number.isFinite(Number(text)) ? undefined : Number(text);
}

export function getList(value: unknown, path?: string): readonly unknown[] {
  return [getValue(value, path) ?? []].flat().filter((entry) => entry !== null && entry !== undefined);
}

/** Returns the distinct strings at the given paths. */
export function getTexts(value: unknown, ...paths: readonly string[]): readonly string[] {
  const entries = (paths.length === 0 ? [''] : paths).flatMap((path) => getList(value, path));
  return [...new Set(entries.flatMap((entry) => getText(entry) ?? []))];
}

export function parseTerms(text: string | undefined): readonly string[] {
  const terms = (text ?? '').split(/[,;|]/).map((term) => term.trim());
  return terms.filter((term) => term !== '');
}

export function listPostings(json: unknown, list: string): readonly unknown[] {
  return getList(json).flatMap((entry) => getList(getValue(entry, list) ?? entry));
}

export function hasFields(postings: readonly unknown[], needed: string, others: readonly string[]): boolean {
  return postings.slice(0, 20).some((posting) => {
    const names = isObject(posting) ? Object.keys(posting) : [];
    return getText(posting, needed) !== undefined && others.some((name) => names.includes(name));
  });
}

export function richText(text: string | undefined, heading?: string): readonly SourceText[] {
  if (text === undefined) return [];
  const isHtml = /<[a-z/!]|&(?:[a-z]+|#\w+);/i.test(text);
  return [{ ...(heading === undefined ? {} : { heading }), text, isHtml }];
}

export function requirements(text: string | undefined, heading?: string): readonly SourceText[] {
  return richText(text, heading).map((part) => ({ ...part, isRequirements: true }));
}

export function isHidden(value: unknown): boolean {
  return getValue(value, 'hidden') === true || /^(?:true|yes|1)$/i.test(getText(value, 'hidden') ?? '');
}

export function toPlaces(parts: { [Part in keyof SourcePlace]: SourcePlace[Part] | undefined }) {
  const place = withoutUndefined<SourcePlace>(parts);
  return Object.keys(place).length === 0 ? [] : [place];
}

/** Returns the places of a list. If it's empty, uses the posting's own fields, then its location text. */
export function readPlaces(posting: unknown, listed: readonly unknown[], texts = ['location']) {
  const shown = listed.filter((place) => !isHidden(place));
  const places: SourcePlace[] = shown.flatMap(readPlace);
  // The posting's city may be hidden in the list, but its country is public.
  const { country } = readPlace(posting)[0] ?? {};
  if (shown.length < listed.length)
    return [...(places.length > 0 ? places : toPlaces({ country })), { isHidden: true }];
  if (places.length > 0 || getText(posting, 'city') !== undefined)
    return places.length > 0 ? places : readPlace(posting);
  return toPlaces({ ...readPlace(posting)[0], text: getTexts(posting, ...texts)[0] });
}

function readPlace(entry: unknown): SourcePlace[] {
  return toPlaces({
    text: getText(entry),
    city: getText(entry, 'city'),
    region: getText(entry, 'state', 'state_name', 'region', 'state_code'),
    country: getText(entry, 'country', 'country_code', 'countrycode'),
  });
}

export const PAY_NAMES = { min: 'min', max: 'max', currency: 'currency', period: 'period' };

export function readSalary(
  pay: unknown,
  names: { readonly [K in keyof SourceSalary]?: string } = PAY_NAMES,
  label?: string,
): SourceSalary[] {
  const getPart = (part: keyof SourceSalary) => getText(pay, names[part] ?? '');
  const salary = withoutUndefined<SourceSalary>({
    min: getNumber(pay, names.min ?? ''),
    max: getNumber(pay, names.max ?? ''),
    currency: getPart('currency')?.toUpperCase(),
    period: getPart('period'),
    text: getPart('text'),
    label: label || getPart('label'),
  });
  return (salary.min ?? salary.max ?? salary.text) === undefined ? [] : [salary];
}

export function salaryTexts(pay: unknown, ...paths: readonly string[]): SourceSalary[] {
  return getTexts(pay, ...paths).map((text) => ({ text }));
}
