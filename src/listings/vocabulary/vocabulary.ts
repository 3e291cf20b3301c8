import { hasPhrase, words } from '../../text/words.ts';
import currencies from './currencies.json' with { type: 'json' };
import labels from './labels.json' with { type: 'json' };
import tableWords from './table-words.json' with { type: 'json' };
import values from './values.json' with { type: 'json' };

export function split<T>(lists: T): T {
  if (Array.isArray(lists)) return lists.flatMap((line: string) => line.split(', ')) as T;
  const entries = Object.entries(lists as object).map(([name, list]) => [name, split(list)]);
  return Object.fromEntries(entries) as T;
}

/** Words for the values of fields, in twelve languages. */
export const VALUES = split(values);
export const LABELS = split(labels);
export const TABLE_WORDS = split(tableWords);

const CHOICE_WORDS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = VALUES;

/** Returns a choice in any of the languages. It's a guess if the text also has other words, or only answers yes or no. */
export function findChoice(field: string, given: string): { value: string; isGuess: boolean } | undefined {
  const { neutral = [], ...choices } = CHOICE_WORDS[field] ?? {};
  const text = without(words(given), neutral).replace(/\s+/g, ' ');
  const [value, second] = Object.keys(choices).filter((choice) => hasPhrase(text, choices[choice] ?? []));
  if (value !== undefined) {
    // "CDI/CDD" includes permanent work, which isn't a contract.
    const said = value === 'CONTRACT' ? words(given) : text;
    return second === undefined ? { value, isGuess: !choices[value]?.includes(said) } : undefined;
  }
  const answers = field === 'remoteOption' ? Object.entries(LABELS.answers) : [];
  const [answer] = answers.find(([, said]) => said.includes(text)) ?? [];
  return answer === undefined ? undefined : { value: answer, isGuess: true };
}

/** True for words such as `permanent`, which name no job type. */
export function isNeutralChoice(field: string, text: string): boolean {
  return without(words(text), CHOICE_WORDS[field]?.neutral ?? []).trim() === '';
}

export function isEmptyWord(text: string): boolean {
  return !/[\p{L}\p{N}]/u.test(text) || TABLE_WORDS.empty.includes(words(text));
}

export function without(text: string, phrases: readonly string[]): string {
  return phrases.reduce((rest, phrase) => rest.replaceAll(` ${phrase} `, '  '), ` ${text} `).trim();
}

export type PayPeriod = keyof typeof values.pay;

const PERIODS = (Object.keys(VALUES.pay) as PayPeriod[]).map(
  (period) => [period, createPhraseFinder(VALUES.pay[period])] as const,
);

export function createPhraseFinder(phrases: readonly string[]): (text: string) => number[] {
  const pattern = new RegExp(`(?<![a-z\\d])(?:${phrases.join('|')})(?![a-z\\d])`, 'g');
  return (text) => Array.from(text.matchAll(pattern), ({ index }) => index);
}

export function periodNamed(given: string, which: 'first' | 'last' = 'first'): PayPeriod | undefined {
  const text = words(given);
  const found = PERIODS.flatMap(([period, placesIn]) => placesIn(text).map((at) => ({ period, at })));
  return found.sort((one, other) => one.at - other.at).at(which === 'first' ? 0 : -1)?.period;
}

/** Periods that the service doesn't have, in years. */
const YEARLY = { MONTHLY: [12, 'monthly'], WEEKLY: [52, 'weekly'], DAILY: [260, 'daily'] } as const;

/** Returns the period of the service, and the factor of the amounts. Undefined if there is no usual factor. */
export function toServicePeriod(period: PayPeriod) {
  if (period === 'OTHER') return undefined;
  if (period === 'HOURLY' || period === 'ANNUAL') return { period, factor: 1, note: undefined };
  const [factor, word] = YEARLY[period];
  return { period: 'ANNUAL' as const, factor, note: `${word} pay × ${factor}` };
}

const CODES: Readonly<Record<string, string>> = currencies.signs;

export const SIGN = `(?:(?:US|CA|C|AU?|NZ|S|HK|R|MX)?\\$|[€£₹¥]|zł|kč|\\bkr(?![a-z])|\\beuros?\\b|\\b(?:${currencies.codes})(?![a-z])(?:\\s?\\$)?)`;

export const SIGNS = new RegExp(SIGN, 'gi');

export function withoutCurrency(text: string): string {
  return text.replaceAll('_', ' ').replace(SIGNS, ' ');
}

/** Returns the currency in a text. `USD` wins over `$`, as in `US-$ (USD)`. */
export function findCurrency(text: string): string | undefined {
  const found = Array.from(text.replaceAll('_', ' ').matchAll(SIGNS), ([sign]) => currencyCode(sign));
  return found.find((code) => code !== '$') ?? found[0];
}

/** Returns an ISO code, or `$` for the dollar of an unknown country. */
export function currencyCode(sign: string | undefined): string | undefined {
  const text = sign?.trim().replace(/(?<=^[a-z]{3})\s?\$$/i, '') ?? '';
  return text === '' ? undefined : (CODES[text.toUpperCase()] ?? text.toUpperCase());
}
