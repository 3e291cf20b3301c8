import { counted, grouped } from '../../../contract/words.ts';
import type { SourceSalary, SourceValue } from '../source-posting.ts';
import { currencyCode, kindOf, type Pay, type PayPeriod, paysIn, periodNamed } from './pay-in-text.ts';
import { allOf, type Facts, fact, listed, missing, oneLine, words } from './text.ts';

const UNITED_STATES = 'United States';
const TEXT_CHARACTERS_MAX = 100_000;

/** The pay in whole US dollars a year or an hour; what would have to be converted or chosen is left to a person. */
export function salaryFacts(
  salaries: SourceValue<readonly SourceSalary[]> | undefined,
  description: string,
  countries: readonly string[],
): Facts {
  if (salaries !== undefined) {
    const pays = salaries.value.slice(0, 50).flatMap(paysOf);
    const facts = payFacts(pays, countries, salaries.from, salaries.isOwnField);
    if (facts !== undefined) return facts;
  }
  const named = paysIn(description.slice(0, TEXT_CHARACTERS_MAX)).filter(
    (pay) => pay.isNamed && pay.currency !== undefined,
  );
  const facts = payFacts(named, countries, 'the description', false);
  return facts ?? missing('salaryMin', 'the source does not say a pay');
}

function paysOf({ min, max, currency, period, label, text }: SourceSalary): Pay[] {
  const own = { currency: currencyCode(currency), period: periodNamed(period ?? '') };
  const isTotal = kindOf('', words(label ?? ''));
  const [low, high] = [min, max].map((amount) =>
    amount && Number.isFinite(amount) && amount > 0 ? amount : undefined,
  );
  if (low === undefined && high === undefined) {
    return paysIn((text ?? '').slice(0, 5_000)).map((pay) => ({
      ...pay,
      currency: pay.currency ?? own.currency,
      period: pay.period ?? own.period,
      kind: isTotal === 'plain' ? pay.kind : isTotal,
    }));
  }
  const amounts = [...new Set([low, high])].filter((amount) => amount !== undefined).map(inDigits);
  const shown = [
    amounts.join(' to '),
    oneLine(currency ?? '').slice(0, 20),
    oneLine(period ?? '').slice(0, 40),
  ];
  return [
    { min: low, max: high, ...own, kind: isTotal, isNamed: true, shown: shown.filter(Boolean).join(' ') },
  ];
}

function inDigits(amount: number): string {
  const [whole = '', cents] = String(amount).split('.');
  return grouped(Number(whole)) + (cents === undefined ? '' : `.${cents}`);
}

/** Undefined where no pay is named at all. */
function payFacts(
  given: readonly Pay[],
  countries: readonly string[],
  from: string,
  isOwnField: boolean,
): Facts | undefined {
  const pays = distinct(given.filter(({ kind }) => kind !== 'none'));
  const bases = pays.filter(({ kind }) => kind === 'base');
  const plain = pays.filter(({ kind }) => kind !== 'total');
  const chosen = oneOfTwoPeriods(bases.length > 0 ? bases : plain);
  const [pay, second] = chosen;
  if (second !== undefined) {
    return missing(
      'salaryMin',
      `${counted(chosen.length, 'pay')} in ${from}, which are not merged: ${listed(chosen.map(({ shown }) => shown))}`,
    );
  }
  if (pay === undefined) {
    const totals = listed(pays.map(({ shown }) => shown));
    return pays.length === 0
      ? undefined
      : missing('salaryMin', `only a total with variable pay is given: ${totals}`);
  }
  const reason = whyLeftOut(pay, countries);
  if (reason !== undefined) return missing('salaryMin', `${reason}: ${pay.shown}`);
  const isInDollars = pay.currency === 'USD' || countries.includes(UNITED_STATES);
  return dollarFacts(pay, { from: `${from}: ${pay.shown}`, isOwnField: isOwnField && isInDollars });
}

function distinct(pays: readonly Pay[]): Pay[] {
  const key = ({ min, max, currency }: Pay) =>
    JSON.stringify([min, max, currency === 'USD' ? '$' : currency]);
  return [...new Map(pays.map((pay) => [key(pay), pay])).values()];
}

const HOURS_A_YEAR = [1_800, 2_200] as const;

/** The same pay an hour and a year is the one a year, which has no cents. */
function oneOfTwoPeriods(pays: readonly Pay[]): readonly Pay[] {
  const [annual, hourly] = ['ANNUAL', 'HOURLY'].map((period) => pays.find((pay) => pay.period === period));
  if (pays.length !== 2 || !annual?.min || !hourly?.min) return pays;
  const hours = annual.min / hourly.min;
  return hours >= HOURS_A_YEAR[0] && hours <= HOURS_A_YEAR[1] ? [annual] : pays;
}

/** Outside of these an amount is in thousands, in cents or of another period. */
const PLAUSIBLE: Readonly<Record<'ANNUAL' | 'HOURLY', readonly [number, number]>> = {
  ANNUAL: [5_000, 5_000_000],
  HOURLY: [2, 1_000],
};

function whyLeftOut(pay: Pay, countries: readonly string[]): string | undefined {
  const { currency, min, max } = pay;
  const isInUs = countries.includes(UNITED_STATES);
  if (currency !== undefined && currency !== 'USD' && currency !== '$')
    return `pay in ${currency.slice(0, 20)} is not converted`;
  if (currency === '$' && countries.length > 0 && !isInUs)
    return `the dollars of ${listed(countries)} are not converted`;
  if (currency === undefined && !(isInUs && countries.length === 1))
    return 'a pay without a currency is not taken for US dollars';
  if (pay.period === 'OTHER') return 'a pay that is neither a year nor an hour is not converted';
  if (min !== undefined && max !== undefined && min > max) return 'the lower end is above the upper end';
  const period = periodOf(pay);
  if (period === undefined) return 'it does not say whether it is a year or an hour';
  const [least, most] = PLAUSIBLE[period];
  const isPlausible = [min, max].every(
    (amount) => amount === undefined || (amount >= least && amount <= most),
  );
  return isPlausible ? undefined : `no likely pay ${period === 'ANNUAL' ? 'a year' : 'an hour'}`;
}

function periodOf({ period, min, max }: Pay): Exclude<PayPeriod, 'OTHER'> | undefined {
  if (period === 'ANNUAL' || period === 'HOURLY') return period;
  const amount = min ?? max ?? 0;
  return amount >= 15_000 ? 'ANNUAL' : amount < 200 ? 'HOURLY' : undefined;
}

function dollarFacts(pay: Pay, origin: { from: string; isOwnField: boolean }): Facts {
  const [low, high] = [pay.min && Math.floor(pay.min), pay.max && Math.ceil(pay.max)];
  const reasons = [
    ...(low !== pay.min || high !== pay.max ? ['rounded to whole dollars'] : []),
    ...(pay.period === undefined ? ['the period is guessed by the amount'] : []),
    ...(pay.currency === undefined ? ['taken for US dollars, as the job is there'] : []),
    ...(low === high ? ['one figure'] : []),
  ];
  const note = reasons.length === 0 ? undefined : reasons.join('; ');
  const how = { ...origin, isOwnField: origin.isOwnField && note === undefined };
  return allOf([
    low
      ? fact('salaryMin', low, how, note)
      : missing('salaryMin', `only the upper end is given: ${pay.shown}`),
    high
      ? fact('salaryMax', high, how, note)
      : missing('salaryMax', `only the lower end is given: ${pay.shown}`),
    fact('salaryPeriod', periodOf(pay) ?? 'ANNUAL', how, note),
  ]);
}
