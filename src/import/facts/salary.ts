import type { SalaryPeriod } from '../../contract/values.ts';
import { formatNumber, parseAmounts, valueWord } from '../../contract/words.ts';
import {
  createPhraseFinder,
  currencyCode,
  type PayPeriod,
  periodNamed,
  SIGN,
  SIGNS,
  toServicePeriod,
} from '../../listings/vocabulary/vocabulary.ts';
import { cleanLines, joinTexts, oneLine, words } from '../../text/words.ts';
import type { SourceSalary, SourceValue } from '../source-posting.ts';
import { type Facts, fact, mergeFacts, noteMissing, type Origin, PHRASES } from './fact.ts';

const UNITED_STATES = 'United States';
const PAYS_MAX = 50;
const FIELD_CHARACTERS_MAX = 5_000;
const TEXT_CHARACTERS_MAX = 100_000;

/** Returns the salary in whole US dollars per year or hour. Omits an unclear one, or one in another currency. */
export function salaryFacts(
  salaries: SourceValue<readonly SourceSalary[]> | undefined,
  description: string,
  countries: readonly string[],
): Facts {
  const own = salaries && payFacts(salaries.value.slice(0, PAYS_MAX).flatMap(toPays), countries, salaries);
  if (own) return own;
  const named = findPays(description.slice(0, TEXT_CHARACTERS_MAX)).filter(
    (pay) => pay.isNamed && pay.currency,
  );
  const isHidden = salaries?.value.some((salary) => salary.isHidden) === true;
  const reason = isHidden ? 'the company hides the salary' : 'the source has no salary';
  const inText = payFacts(named, countries, { from: 'the description', isOwnField: false }) ?? unsaid(reason);
  return { ...inText, notes: (inText.notes ?? []).map((note) => ({ ...note, isUnset: !isHidden })) };
}

function unsaid(reason: string): Facts {
  return noteMissing('salaryMin', reason);
}

function toPays({ min, max, currency = '', period = '', label = '', text = '' }: SourceSalary): Pay[] {
  const own = { currency: currencyCode(currency), period: periodNamed(period) };
  const kind = choosePayKind('', words(label));
  const [low, high] = [min, max].map((amount = 0) =>
    Number.isFinite(amount) && amount > 0 ? amount : undefined,
  );
  if (low !== undefined || high !== undefined) {
    const amounts = [...new Set([low, high])].filter((amount) => amount !== undefined).map(inDigits);
    const shown = [amounts.join(' to '), oneLine(currency).slice(0, 20), oneLine(period).slice(0, 40)];
    return [{ min: low, max: high, ...own, kind, isNamed: true, shown: shown.filter(Boolean).join(' ') }];
  }
  return findPays(cleanLines(text.slice(0, FIELD_CHARACTERS_MAX))).map((pay) => ({
    ...pay,
    currency: pay.currency ?? own.currency,
    period: pay.period ?? own.period,
    kind: kind === 'plain' ? pay.kind : kind,
  }));
}

function inDigits(amount: number): string {
  const [whole = '', cents] = String(amount).split('.');
  return formatNumber(Number(whole)) + (cents === undefined ? '' : `.${cents}`);
}

function payFacts(found: readonly Pay[], countries: readonly string[], origin: Origin): Facts | undefined {
  const pays = distinct(found.filter(({ kind }) => kind !== 'none'));
  const bases = pays.filter(({ kind }) => kind === 'base');
  const chosen = bases.length > 0 ? bases : pays.filter(({ kind }) => kind !== 'total');
  const [given, second] = chosen;
  const pay = given && inServicePeriod(given);
  const all = (of: readonly Pay[]): string => joinTexts(of.map(({ shown }) => shown));
  if (second)
    return unsaid(`${origin.from} has ${chosen.length} salaries, which aren't merged: ${all(chosen)}`);
  if (pay === undefined) return pays[0] && unsaid(`only a total with variable pay: ${all(pays)}`);
  const reason = explainOmission(pay, countries);
  if (reason !== undefined) return unsaid(`${reason}: ${pay.shown}`);
  const isInDollars = pay.currency === 'USD' || countries.includes(UNITED_STATES);
  return dollarFacts(pay, {
    from: `${origin.from}: ${pay.shown}`,
    isOwnField: origin.isOwnField && isInDollars,
  });
}

/** Converts monthly, weekly and daily pay to annual pay. */
function inServicePeriod(pay: Pay): Pay {
  const converted = pay.period && toServicePeriod(pay.period);
  if (converted?.note === undefined) return pay;
  const { period, factor, note } = converted;
  const scale = (amount?: number) => amount && Math.round(amount * factor * 100) / 100;
  return {
    ...pay,
    min: scale(pay.min),
    max: scale(pay.max),
    period,
    note: `${note} is a guess of the annual pay`,
  };
}

function distinct(pays: readonly Pay[]): Pay[] {
  const key = ({ min, max, currency }: Pay) =>
    JSON.stringify([min, max, currency === 'USD' ? '$' : currency]);
  return [...new Map(pays.map((pay) => [key(pay), pay])).values()];
}

/** Amounts outside these ranges are probably in thousands, in cents or for another period. */
const PLAUSIBLE: Readonly<Record<SalaryPeriod, readonly [number, number]>> = {
  ANNUAL: [5_000, 5_000_000],
  HOURLY: [2, 1_000],
};

function explainOmission(pay: Pay, countries: readonly string[]): string | undefined {
  const { currency = 'none', min = 0, max = min } = pay;
  const isInUs = countries.includes(UNITED_STATES);
  const isOnlyInUs = isInUs && countries.length === 1;
  if (currency === 'none' && !isOnlyInUs) return "a salary without a currency isn't assumed to be US dollars";
  if (!['USD', '$', 'none'].includes(currency)) return `a salary in ${currency.slice(0, 20)} isn't converted`;
  if (currency === '$' && countries.length > 0 && !isInUs)
    return 'the job is outside the United States, so $ may not be US dollars';
  if (pay.period === 'OTHER') return 'only annual and hourly salaries are supported';
  if (min > max) return 'the minimum is above the maximum';
  const period = choosePeriod(pay);
  if (period === undefined) return 'it may be annual or hourly';
  const [least, most] = PLAUSIBLE[period];
  const isPlausible = max <= most && (min === 0 ? max : min) >= least;
  return isPlausible ? undefined : `not a plausible salary ${valueWord(period)}`;
}

function choosePeriod({ period, min, max }: Pay): SalaryPeriod | undefined {
  if (period === 'ANNUAL' || period === 'HOURLY') return period;
  const amount = min ?? max ?? 0;
  return amount >= 15_000 ? 'ANNUAL' : amount < 200 ? 'HOURLY' : undefined;
}

function dollarFacts(pay: Pay, { from, isOwnField }: Origin): Facts {
  const [low, high] = [pay.min && Math.floor(pay.min), pay.max && Math.ceil(pay.max)];
  const reasons = [
    pay.note ?? '',
    low !== pay.min || high !== pay.max ? 'rounded to whole dollars' : '',
    pay.period === undefined ? 'the period is guessed from the amount' : '',
    pay.currency === undefined ? 'assumed to be US dollars because the job is in the United States' : '',
    low === high ? 'a single amount' : '',
  ];
  const note = reasons.filter(Boolean).join('; ') || undefined;
  const origin = { from, isOwnField: isOwnField && note === undefined };
  return mergeFacts([
    low ? fact('salaryMin', low, origin, note) : unsaid(`only a maximum: ${pay.shown}`),
    high ? fact('salaryMax', high, origin, note) : noteMissing('salaryMax', `only a minimum: ${pay.shown}`),
    fact('salaryPeriod', choosePeriod(pay) ?? 'ANNUAL', origin, note),
  ]);
}

interface Pay {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  /** An ISO code, or `$` for the dollar of an unknown country. */
  readonly currency?: string | undefined;
  readonly period?: PayPeriod | undefined;
  readonly kind: 'base' | 'total' | 'plain' | 'none';
  readonly isNamed: boolean;
  readonly shown: string;
  readonly note?: string | undefined;
}

const NUMBER = `(?:\\d{1,3}(?:[,.'’ ]\\d{3}){1,6}(?![\\d])(?:[.,]\\d{1,2}(?!\\d))?|\\d{1,9}(?:[.,]\\d{1,2}(?!\\d))?)(?:\\s?k(?![a-z]))?`;
const AMOUNT = `(?:(${SIGN})\\s{0,2})?(${NUMBER})(?:\\s{0,2}(${SIGN}))?`;
const UNIT_BETWEEN = '(?:\\s?(?:/|per |an |par |pro |al |por )\\s?[a-zé]{1,8})?';
const UP_TO = '(?:-|–|—|to|bis|(?<=[\\s€£$])(?:à|a|au|hasta|até|ate|tot|do)(?=\\s))';
const RANGE = new RegExp(
  `(?<![\\w.,#-])${AMOUNT}(?:${UNIT_BETWEEN}\\s{0,2}${UP_TO}\\s{0,2}${AMOUNT})?(\\+)?(?![\\d%])`,
  'gi',
);

const CLAUSE = /[.;!?•\n](?:\s|$)|\n/;
const AFTER_AN_AMOUNT = /[.;!?•,/(\n](?:\s|$)|[\n(]/;
const BEFORE_CHARACTERS = 70;
const AFTER_CHARACTERS = 45;

/** Returns the salaries in a text, in order. Amounts without a currency count only if no amount has one. */
export function findPays(given: string): Pay[] {
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
    const isAtLineStart = index === 0 || between.slice(between.trimEnd().length).includes('\n');
    const before = (isAtLineStart ? clauses.findLast((clause) => /\w/.test(clause)) : clauses.at(-1)) ?? '';
    end = start + match[0].length;
    const next = matches[index + 1]?.index ?? text.length;
    const [after = ''] = text.slice(end, Math.min(next, end + AFTER_CHARACTERS)).split(CLAUSE);
    found.push(toPay(match, words(before), after));
  }
  const isMoney = found.some(({ currency }) => currency !== undefined);
  return found.filter(({ currency }) => !isMoney || currency !== undefined).slice(0, PAYS_MAX);
}

function toPay(match: RegExpMatchArray, before: string, after: string): Pay {
  const [whole, ...parts] = match;
  const [sign1, , sign2, sign3, second, sign4, plus] = parts;
  const signs = [sign1, sign2, sign3, sign4].filter((sign) => sign !== undefined).map(currencyCode);
  const [first, last] = parseAmounts(whole.replace(SIGNS, ' ').replaceAll(/[–—]/g, '-'));
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
    kind: choosePayKind(before, words(after.split(/[,/;]/)[0] ?? '')),
    isNamed: NAMED(before).length > 0 || (period !== undefined && before === ''),
    shown: `${whole.trim()} ${/^[^,;()]*/.exec(after)?.[0].trim().split(/\s+/).slice(0, 3).join(' ')}`.trim(),
  };
}

const NAMED = createPhraseFinder(PHRASES.pay.named);
const TOTAL = createPhraseFinder(PHRASES.pay.total);
const NO_PAY = createPhraseFinder(PHRASES.pay.none);

const UNIT_WORDS = /^(?:(?:per|a|an|usd|in|of|year|hour|annually|yearly) )+/;
const BESIDE_WORDS = /(?:^| )(?:plus|and|with|or|excluding|depending|\+)(?: .*)?$/s;

function choosePayKind(before: string, after: string): Pay['kind'] {
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
