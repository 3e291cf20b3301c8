import { grouped, valueWord } from '../../../contract/words.ts';
import type { SourceSalary, SourceValue } from '../source-posting.ts';
import { allOf, type Facts, fact, listed, missing, type Origin } from './fact.ts';
import { currencyCode, kindOf, type Pay, type PayPeriod, paysIn, periodNamed } from './pay-in-text.ts';
import { cleanLines, oneLine, words } from './text.ts';

const UNITED_STATES = 'United States';
const PAYS_MAX = 50;
const FIELD_CHARACTERS_MAX = 5_000;
const TEXT_CHARACTERS_MAX = 100_000;

/** The pay in whole US dollars a year or an hour; what would have to be converted or chosen is left to a person. */
export function salaryFacts(
  salaries: SourceValue<readonly SourceSalary[]> | undefined,
  description: string,
  countries: readonly string[],
): Facts {
  const own = salaries && payFacts(salaries.value.slice(0, PAYS_MAX).flatMap(paysOf), countries, salaries);
  if (own) return own;
  const named = paysIn(description.slice(0, TEXT_CHARACTERS_MAX)).filter(
    (pay) => pay.isNamed && pay.currency,
  );
  const isHidden = salaries?.value.some((salary) => salary.isHidden) === true;
  const reason = isHidden ? 'the company does not show its pay' : 'the source does not say a pay';
  const inText = payFacts(named, countries, { from: 'the description', isOwnField: false }) ?? unsaid(reason);
  return { ...inText, notes: (inText.notes ?? []).map((note) => ({ ...note, isUnsaid: !isHidden })) };
}

function unsaid(reason: string): Facts {
  return missing('salaryMin', reason);
}

function paysOf({ min, max, currency = '', period = '', label = '', text = '' }: SourceSalary): Pay[] {
  const own = { currency: currencyCode(currency), period: periodNamed(period) };
  const kind = kindOf('', words(label));
  const [low, high] = [min, max].map((amount = 0) =>
    Number.isFinite(amount) && amount > 0 ? amount : undefined,
  );
  if (low !== undefined || high !== undefined) {
    const amounts = [...new Set([low, high])].filter((amount) => amount !== undefined).map(inDigits);
    const shown = [amounts.join(' to '), oneLine(currency).slice(0, 20), oneLine(period).slice(0, 40)];
    return [{ min: low, max: high, ...own, kind, isNamed: true, shown: shown.filter(Boolean).join(' ') }];
  }
  return paysIn(cleanLines(text.slice(0, FIELD_CHARACTERS_MAX))).map((pay) => ({
    ...pay,
    currency: pay.currency ?? own.currency,
    period: pay.period ?? own.period,
    kind: kind === 'plain' ? pay.kind : kind,
  }));
}

function inDigits(amount: number): string {
  const [whole = '', cents] = String(amount).split('.');
  return grouped(Number(whole)) + (cents === undefined ? '' : `.${cents}`);
}

/** Undefined where no pay is named at all. */
function payFacts(given: readonly Pay[], countries: readonly string[], origin: Origin): Facts | undefined {
  const pays = distinct(given.filter(({ kind }) => kind !== 'none'));
  const bases = pays.filter(({ kind }) => kind === 'base');
  const chosen = bases.length > 0 ? bases : pays.filter(({ kind }) => kind !== 'total');
  const [pay, second] = chosen;
  const all = (of: readonly Pay[]): string => listed(of.map(({ shown }) => shown));
  if (second) return unsaid(`${chosen.length} pays in ${origin.from}, which are not merged: ${all(chosen)}`);
  if (pay === undefined) return pays[0] && unsaid(`only a total with variable pay is given: ${all(pays)}`);
  const reason = whyLeftOut(pay, countries);
  if (reason !== undefined) return unsaid(`${reason}: ${pay.shown}`);
  const isInDollars = pay.currency === 'USD' || countries.includes(UNITED_STATES);
  return dollarFacts(pay, {
    from: `${origin.from}: ${pay.shown}`,
    isOwnField: origin.isOwnField && isInDollars,
  });
}

function distinct(pays: readonly Pay[]): Pay[] {
  const key = ({ min, max, currency }: Pay) =>
    JSON.stringify([min, max, currency === 'USD' ? '$' : currency]);
  return [...new Map(pays.map((pay) => [key(pay), pay])).values()];
}

/** Outside of these an amount is in thousands, in cents or of another period. */
const PLAUSIBLE: Readonly<Record<'ANNUAL' | 'HOURLY', readonly [number, number]>> = {
  ANNUAL: [5_000, 5_000_000],
  HOURLY: [2, 1_000],
};

function whyLeftOut(pay: Pay, countries: readonly string[]): string | undefined {
  const { currency = 'none', min = 0, max = min } = pay;
  const isInUs = countries.includes(UNITED_STATES);
  const isOnlyInUs = isInUs && countries.length === 1;
  if (currency === 'none' && !isOnlyInUs) return 'a pay without a currency is not taken for US dollars';
  if (!['USD', '$', 'none'].includes(currency)) return `pay in ${currency.slice(0, 20)} is not converted`;
  if (currency === '$' && countries.length > 0 && !isInUs)
    return 'the job is outside the United States, so $ may not be US dollars';
  if (pay.period === 'OTHER') return 'a pay that is neither a year nor an hour is not converted';
  if (min > max) return 'the lower end is above the upper end';
  const period = periodOf(pay);
  if (period === undefined) return 'it does not say whether it is a year or an hour';
  const [least, most] = PLAUSIBLE[period];
  const isPlausible = max <= most && (min === 0 ? max : min) >= least;
  return isPlausible ? undefined : `no likely pay ${valueWord(period)}`;
}

function periodOf({ period, min, max }: Pay): Exclude<PayPeriod, 'OTHER'> | undefined {
  if (period === 'ANNUAL' || period === 'HOURLY') return period;
  const amount = min ?? max ?? 0;
  return amount >= 15_000 ? 'ANNUAL' : amount < 200 ? 'HOURLY' : undefined;
}

function dollarFacts(pay: Pay, { from, isOwnField }: Origin): Facts {
  const [low, high] = [pay.min && Math.floor(pay.min), pay.max && Math.ceil(pay.max)];
  const reasons = [
    low !== pay.min || high !== pay.max ? 'rounded to whole dollars' : '',
    pay.period === undefined ? 'the period is guessed by the amount' : '',
    pay.currency === undefined ? 'taken for US dollars, as the job is there' : '',
    low === high ? 'one figure' : '',
  ];
  const note = reasons.filter(Boolean).join('; ') || undefined;
  const origin = { from, isOwnField: isOwnField && note === undefined };
  return allOf([
    low ? fact('salaryMin', low, origin, note) : unsaid(`only the upper end is given: ${pay.shown}`),
    high
      ? fact('salaryMax', high, origin, note)
      : missing('salaryMax', `only the lower end is given: ${pay.shown}`),
    fact('salaryPeriod', periodOf(pay) ?? 'ANNUAL', origin, note),
  ]);
}
