import { amountsIn } from '../../../contract/words.ts';
import { PHRASES, words } from './text.ts';

export type PayPeriod = 'ANNUAL' | 'HOURLY' | 'OTHER';

/** A pay as its source has it: nothing converted or rounded. */
export interface Pay {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  /** An ISO code, or `$`, which several countries write. */
  readonly currency?: string | undefined;
  readonly period?: PayPeriod | undefined;
  readonly kind: 'base' | 'total' | 'plain' | 'none';
  /** The text around it speaks of pay, so that it is one in a text about anything. */
  readonly isNamed: boolean;
  readonly shown: string;
}

const CODES: ReadonlyMap<string, string> = new Map(
  'EURO EUR,EUROS EUR,US$ USD,CA$ CAD,C$ CAD,A$ AUD,AU$ AUD,NZ$ NZD,S$ SGD,HK$ HKD,R$ BRL,MX$ MXN,€ EUR,£ GBP,₹ INR,¥ JPY,ZŁ PLN'
    .split(',')
    .map((pair) => pair.split(' ') as [string, string]),
);
const LETTER_CODES = 'USD|CAD|AUD|NZD|SGD|HKD|BRL|MXN|EUR|GBP|INR|JPY|PLN|CHF|SEK|NOK|DKK|CZK|ZAR|ILS|AED';
const SIGN = `(?:(?:US|CA|C|AU?|NZ|S|HK|R|MX)?\\$|[€£₹¥]|zł|\\beuros?\\b|\\b(?:${LETTER_CODES})(?![a-z])(?:\\s?\\$)?)`;
const SIGNS = new RegExp(SIGN, 'gi');
const NUMBER = `(?:\\d{1,3}(?:[,.'’ ]\\d{3}){1,6}(?![\\d])(?:[.,]\\d{1,2}(?!\\d))?|\\d{1,9}(?:[.,]\\d{1,2}(?!\\d))?)(?:\\s?k(?![a-z]))?`;
const AMOUNT = `(?:(${SIGN})\\s{0,2})?(${NUMBER})(?:\\s{0,2}(${SIGN}))?`;
const UNIT_BETWEEN = '(?:\\s?(?:/|per |an |par |pro |al |por )\\s?[a-zé]{1,8})?';
const UP_TO = '(?:-|–|—|to|bis|(?<=[\\s€£$])(?:à|a|au|hasta|até|ate|tot|do)(?=\\s))';
const RANGE = new RegExp(
  `(?<![\\w.,#-])${AMOUNT}(?:${UNIT_BETWEEN}\\s{0,2}${UP_TO}\\s{0,2}${AMOUNT})?(\\+)?(?![\\d%])`,
  'gi',
);

const CLAUSE = /[.;!?•\n](?:\s|$)|\n/;
/** What stands behind an amount says nothing of the next one. */
const AFTER_AN_AMOUNT = /[.;!?•,/(\n](?:\s|$)|[\n(]/;
const BEFORE_CHARACTERS = 70;
const AFTER_CHARACTERS = 45;
const PAYS_MAX = 50;

/** Every pay that a text names, in its order; amounts without a currency only where no other has one. */
export function paysIn(given: string): Pay[] {
  const text = given
    .replace(
      /\b(?:between|entre|zwischen|tra|fra|tussen)\s{1,3}((?:[^.;\n]|\.(?=\d)){1,25}?)\s{1,3}(?:and|et|y|e|und|en)\s{1,3}(?=\D{0,5}\d)/gi,
      '$1 - ',
    )
    .replace(/\.00\b|\b401\s?\(?k\)?/gi, '');
  const found: Pay[] = [];
  let end = 0;
  const matches = [...text.matchAll(RANGE)].slice(0, 10 * PAYS_MAX);
  for (const [index, match] of matches.entries()) {
    const start = match.index;
    const between = text.slice(Math.max(end, start - BEFORE_CHARACTERS), start);
    const clauses = between.split(index === 0 ? CLAUSE : AFTER_AN_AMOUNT);
    // A heading alone on the line above counts as well.
    const isAtLineStart = index === 0 || between.slice(between.trimEnd().length).includes('\n');
    const before = (isAtLineStart ? clauses.findLast((clause) => /\w/.test(clause)) : clauses.at(-1)) ?? '';
    end = start + match[0].length;
    const next = matches[index + 1]?.index ?? text.length;
    const [after = ''] = text.slice(end, Math.min(next, end + AFTER_CHARACTERS)).split(CLAUSE);
    found.push(payOf(match, words(before), after));
  }
  const isMoney = found.some(({ currency }) => currency !== undefined);
  return found.filter(({ currency }) => !isMoney || currency !== undefined).slice(0, PAYS_MAX);
}

function payOf(match: RegExpMatchArray, before: string, after: string): Pay {
  const [whole, ...parts] = match;
  const [sign1, , sign2, sign3, second, sign4, plus] = parts;
  const signs = [sign1, sign2, sign3, sign4].filter((sign) => sign !== undefined).map(currencyCode);
  const [first, last] = amountsIn(whole.replace(SIGNS, ' ').replaceAll(/[–—]/g, '-'));
  const isFrom = plus !== undefined || /(?:from|starting at|starts at|minimum|at least|ab)$/.test(before);
  const isUpTo = /(?:up to|maximum|max|bis zu)$/.test(before);
  const isOpen = second === undefined && (isFrom || isUpTo);
  const period =
    periodNamed(after) ?? periodNamed(whole) ?? periodNamed(before.split(' ').slice(-8).join(' '), 'last');
  return {
    min: isOpen && isUpTo ? undefined : first,
    max: second === undefined ? (isOpen && isFrom ? undefined : first) : last,
    currency: signs.find((sign) => sign !== undefined && sign !== '$') ?? signs[0],
    period,
    kind: kindOf(before, words(after.split(/[,/;]/)[0] ?? '')),
    isNamed: NAMED(before).length > 0 || (period !== undefined && before === ''),
    shown: `${whole.trim()} ${/^[^,;()]*/.exec(after)?.[0].trim().split(/\s+/).slice(0, 3).join(' ')}`.trim(),
  };
}

export function currencyCode(sign: string | undefined): string | undefined {
  const text = sign?.trim().replace(/(?<=^[a-z]{3})\s?\$$/i, '') ?? '';
  return text === '' ? undefined : (CODES.get(text.toUpperCase()) ?? text.toUpperCase());
}

const { pay: PAY } = PHRASES;
const PERIODS = (['HOURLY', 'ANNUAL', 'OTHER'] as const).map(
  (period) => [period, anyOf(PAY[period])] as const,
);
const [NAMED, TOTAL, NO_PAY] = [anyOf(PAY.named), anyOf(PAY.total), anyOf(PAY.none)];

function anyOf(phrases: readonly string[]): (text: string) => number[] {
  const pattern = new RegExp(`(?<![a-z\\d])(?:${phrases.join('|')})(?![a-z\\d])`, 'g');
  return (text) => Array.from(text.matchAll(pattern), ({ index }) => index);
}

/** The period that is named first, or last, in words. */
export function periodNamed(given: string, which: 'first' | 'last' = 'first'): PayPeriod | undefined {
  const text = words(given);
  const found = PERIODS.flatMap(([period, placesIn]) => placesIn(text).map((at) => ({ period, at })));
  return found.sort((one, other) => one.at - other.at).at(which === 'first' ? 0 : -1)?.period;
}

const UNIT_WORDS = /^(?:(?:per|a|an|usd|in|of|year|hour|annually|yearly) )+/;
const BESIDE_WORDS = /(?:^| )(?:plus|and|with|or|excluding|depending|\+)(?: .*)?$/s;

/** What an amount is, by the two words behind it, else by the nearest before it. */
export function kindOf(before: string, after: string): Pay['kind'] {
  const behind = after.replace(UNIT_WORDS, '').replace(BESIDE_WORDS, '').split(' ').slice(0, 2).join(' ');
  if (TOTAL(behind).length > 0) return 'total';
  if (behind.startsWith('base')) return 'base';
  if (NO_PAY(behind).length > 0) return 'none';
  const [named = -1, total = -1, none = -1] = [NAMED, TOTAL, NO_PAY].map((placesIn) =>
    placesIn(before).at(-1),
  );
  const isTotal =
    total >= 0 && named <= total + 'total compensation'.length && !/\bbase\b/.test(before.slice(total));
  if (isTotal) return 'total';
  if (none > named) return 'none';
  return /\bbase\b/.test(before) ? 'base' : 'plain';
}
