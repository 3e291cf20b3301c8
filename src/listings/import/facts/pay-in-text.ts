import { amountsIn } from '../../../contract/words.ts';
import { words } from './text.ts';

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

const CODES: Readonly<Record<string, string>> = {
  US$: 'USD',
  CA$: 'CAD',
  C$: 'CAD',
  A$: 'AUD',
  AU$: 'AUD',
  NZ$: 'NZD',
  S$: 'SGD',
  HK$: 'HKD',
  R$: 'BRL',
  MX$: 'MXN',
  '€': 'EUR',
  '£': 'GBP',
  '₹': 'INR',
  '¥': 'JPY',
  zł: 'PLN',
};
const LETTER_CODES = 'USD|CAD|AUD|NZD|SGD|HKD|BRL|MXN|EUR|GBP|INR|JPY|PLN|CHF|SEK|NOK|DKK|CZK|ZAR|ILS|AED';
const SIGN = `(?:(?:US|CA|C|AU?|NZ|S|HK|R|MX)?\\$|[€£₹¥]|zł|\\b(?:${LETTER_CODES})\\b)`;
const NUMBER = `(?:\\d{1,3}(?:[,.'’ ]\\d{3})+(?![\\d])(?:[.,]\\d{1,2}(?!\\d))?|\\d{1,9}(?:[.,]\\d{1,2}(?!\\d))?)(?:\\s?k(?![a-z]))?`;
const AMOUNT = `(?:(${SIGN})\\s{0,2})?(${NUMBER})(?:\\s{0,2}(${SIGN}))?`;
const UNIT_BETWEEN = '(?:\\s?(?:/|per |an )\\s?(?:hour|hr|h|year|yr))?';
const RANGE = new RegExp(
  `(?<![\\w.,#-])${AMOUNT}(?:${UNIT_BETWEEN}\\s{0,2}(?:-|–|—|to|bis)\\s{0,2}${AMOUNT})?(\\+)?(?![\\d%])`,
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
    .replace(/\bbetween\s+([^.;\n]{1,25}?)\s+and\s+(?=\D{0,5}\d)/gi, '$1 - ')
    .replace(/\.00\b|\b401\s?\(?k\)?/gi, '');
  const found: Pay[] = [];
  let end = 0;
  const matches = [...text.matchAll(RANGE)].slice(0, 10 * PAYS_MAX);
  for (const [index, match] of matches.entries()) {
    const start = match.index;
    const between = text.slice(Math.max(end, start - BEFORE_CHARACTERS), start);
    const before = between.split(index === 0 ? CLAUSE : AFTER_AN_AMOUNT).at(-1) ?? '';
    end = start + match[0].length;
    const next = matches[index + 1]?.index ?? text.length;
    const [after = ''] = text.slice(end, Math.min(next, end + AFTER_CHARACTERS)).split(CLAUSE);
    found.push(payOf(match, words(before), words(after)));
  }
  const isMoney = found.some(({ currency }) => currency !== undefined);
  return found.filter(({ currency }) => !isMoney || currency !== undefined).slice(0, PAYS_MAX);
}

function payOf(match: RegExpMatchArray, before: string, after: string): Pay {
  const [whole, ...parts] = match;
  const [sign1, , sign2, sign3, second, sign4, plus] = parts;
  const [first, last] = amountsIn(whole.replace(new RegExp(SIGN, 'gi'), ' ').replaceAll(/[–—]/g, '-'));
  const isFrom = plus !== undefined || /(?:from|starting at|starts at|minimum|at least|ab)$/.test(before);
  const isUpTo = /(?:up to|maximum|max|bis zu)$/.test(before);
  const isOpen = second === undefined && (isFrom || isUpTo);
  const period =
    periodNamed(after) ?? periodNamed(whole) ?? periodNamed(before.split(' ').slice(-8).join(' '), 'last');
  return {
    min: isOpen && isUpTo ? undefined : first,
    max: second === undefined ? (isOpen && isFrom ? undefined : first) : last,
    currency: currencyCode(sign1 ?? sign2 ?? sign3 ?? sign4),
    period,
    kind: kindOf(before, after),
    isNamed: new RegExp(PAY).test(before) || (period !== undefined && before === ''),
    shown: `${whole.trim()} ${after.split(' ').slice(0, 3).join(' ')}`.trim(),
  };
}

export function currencyCode(sign: string | undefined): string | undefined {
  const text = sign?.trim() ?? '';
  return text === '' ? undefined : (CODES[text.toUpperCase()] ?? CODES[text] ?? text.toUpperCase());
}

const PERIODS: readonly (readonly [PayPeriod, string])[] = [
  ['HOURLY', 'hours?|hourly|hrs?|h|stunde|stundlich|heure|hora'],
  ['ANNUAL', 'years?|yearly|yr|annum|annual|annually|annualized|pa|p a|jahr|jahrlich|par an|ano|anual'],
  [
    'OTHER',
    'months?|monthly|mo|monat|monatlich|mois|mes|weeks?|weekly|wk|biweekly|woche|semaine|days?|daily|diem|tag|jour|shifts?|visits?|miles?|sessions?|class|one time|project',
  ],
];

/** The period that is named first, or last, in words. */
export function periodNamed(given: string, which: 'first' | 'last' = 'first'): PayPeriod | undefined {
  const text = words(given);
  const found = PERIODS.flatMap(([period, names]) =>
    Array.from(text.matchAll(new RegExp(`(?<![a-z])(?:${names})(?![a-z])`, 'g')), ({ index }) => ({
      period,
      index,
    })),
  ).sort((one, other) => one.index - other.index);
  return found.at(which === 'first' ? 0 : -1)?.period;
}

const PAY =
  '\\b(?:salary|salaries|pay|paid|pays|paying|base|compensation|wages?|rates?|range|ranges|hourly|earn|earning|gehalt|salaire|salario)\\b';
const TOTAL =
  '\\b(?:ote|on target|total (?:target )?(?:compensation|comp|cash|earnings|rewards|pay)|variable)\\b';
const NO_PAY =
  '\\b(?:bonus|bonuses|sign on|signing|equity|stock|options|rsus?|commissions?|stipend|allowance|referral|reimburse\\w*|401k?|funding|raised|series [a-e]|revenue|arr|valuation|budget|assets|total|tuition|insurance|million|billion|mm?|bn|relocation|retention|credit|loan|contribution|match|sales|worth|portfolio|quota|savings|donat\\w+|grants?|value|valued|discount|fund|deals?|contracts?|company)\\b';

/** What an amount is, by the words directly behind it, else by the nearest before it. */
export function kindOf(before: string, after: string): Pay['kind'] {
  const behind =
    after
      .replace(/^(?:(?:per|a|an|usd|in|of|year|hour|annually|yearly) )+/, '')
      .split(/ (?:plus|and|with|or|excluding|depending|\+) /)[0] ?? '';
  const near = behind.split(' ').slice(0, 2).join(' ');
  if (new RegExp(TOTAL).test(near)) return 'total';
  if (/^base\b/.test(near)) return 'base';
  if (!/^(?:plus|and|with|\+)/.test(near) && new RegExp(NO_PAY).test(near)) return 'none';
  const last = (pattern: string) => Array.from(before.matchAll(new RegExp(pattern, 'g'))).at(-1)?.index ?? -1;
  const [pay, total, none] = [last(PAY), last(TOTAL), last(NO_PAY)];
  if (total >= 0 && total + 'total compensation'.length >= pay && !/\bbase\b/.test(before.slice(total)))
    return 'total';
  if (none > pay) return 'none';
  return /\bbase\b/.test(before) ? 'base' : 'plain';
}
