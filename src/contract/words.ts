import valueWords from './value-words.json' with { type: 'json' };
import { type BudgetWindow, DAY_MS, LISTING_DAYS, LISTING_MS, type SalaryPeriod } from './values.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const WORDS: Readonly<Record<string, string>> = valueWords.values;

export function valueWord(value: string): string {
  return Object.hasOwn(WORDS, value) ? (WORDS[value] as string) : value;
}

/** When a budget window resets (section 8, rule 3). */
export const RESETS: Readonly<Record<BudgetWindow, string>> = valueWords.resets;

/** Formats `$85,000 – $105,000 a year`, or the parts that are known. Amounts are whole dollars or words. */
export function salaryWords(
  from: number | string | null | undefined,
  to: number | string | null | undefined,
  period: string | null | undefined,
): string | undefined {
  const [low, high] = [dollars(from), dollars(to)];
  const range = low !== undefined && high !== undefined && low !== high ? `${low} – ${high}` : (low ?? high);
  if (range === undefined) return undefined;
  const bound = low === undefined ? 'up to ' : high === undefined ? 'from ' : '';
  return [bound + range, period].filter(Boolean).join(' ');
}

function dollars(amount: number | string | null | undefined): string | undefined {
  return Number.isSafeInteger(amount) ? formatDollars(amount as number) : amount?.toString();
}

export function momentWords(time: number): string {
  return `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

export function distanceWords(time: number, now: number): string {
  const span = lengthOfTime(Math.abs(time - now));
  return time >= now ? `in ${span}` : `${span} ago`;
}

/** Formats the rest of a listing's 30 days (section 8, rule 1). Times are in epoch ms. */
export function timeLeftWords(startsAt: number | undefined, endsAt: number, now: number): string {
  if (endsAt <= now) return `ended ${lengthOfTime(now - endsAt)} ago`;
  const days = Math.round((endsAt - now) / DAY_MS);
  const isUsual = startsAt !== undefined && endsAt - startsAt === LISTING_MS;
  // If the clock was set back, more time can be left than the listing has.
  return isUsual && days > 1 && days <= LISTING_DAYS
    ? `${days} of ${LISTING_DAYS} days left`
    : `${lengthOfTime(endsAt - now)} left`;
}

function lengthOfTime(spanMs: number): string {
  if (spanMs < MINUTE_MS) return 'less than a minute';
  const [minutes, hours, days] = [MINUTE_MS, HOUR_MS, DAY_MS].map((unit) => Math.round(spanMs / unit));
  if (minutes !== undefined && minutes < 60) return formatCount(minutes, 'minute');
  if (hours !== undefined && hours < 24) return formatCount(hours, 'hour');
  return formatCount(days ?? 0, 'day');
}

export function formatCount(count: number, noun: string): string {
  return `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`;
}

export function statusCounts(jobs: Readonly<Record<string, number>>): string {
  const counts = Object.entries(jobs).filter(([, count]) => count > 0);
  return counts.map(([status, count]) => `${count} ${status}`).join(' · ') || 'none';
}

export function formatCents(amountCents: number): string {
  const sign = amountCents < 0 ? '-' : '';
  const cents = Math.abs(amountCents);
  const dollars = Math.floor(cents / 100);
  return `${sign}$${formatNumber(dollars)}.${String(cents % 100).padStart(2, '0')}`;
}

export function formatDollars(amount: number): string {
  return `${amount < 0 ? '-' : ''}$${formatNumber(Math.abs(amount))}`;
}

export function formatNumber(whole: number): string {
  // The first localized number of a process takes 18 ms.
  return Number.isInteger(whole) && Math.abs(whole) < 1_000 ? String(whole) : whole.toLocaleString('en');
}

export type MoneyUnit = 'dollars' | 'cents';

/** A `guess` is a value that the user should check. */
export type Parsed<T> =
  | { readonly value: T; readonly guess?: string | undefined }
  | { readonly problem: string; readonly hint: string };

export function parseDollars(text: string, unit: MoneyUnit): Parsed<number> {
  const isDollars = /^\$?\s*-?\d/.test(text.trim());
  const [value, other] = isDollars ? likelyAmounts(text.trim().replace(/^\$?\s*/, '$'), unit) : [];
  if (value !== undefined && other === undefined && Number.isSafeInteger(value)) return { value };
  if (value !== undefined && other !== undefined)
    return { problem: 'must be whole dollars', hint: `use ${value} or ${other}` };
  const hint =
    unit === 'cents' ? 'use a number such as 18, 18.50 or $18.50' : 'use a number such as 34, $34 or 85k';
  return { problem: `must be an amount in dollars, got "${text.trim()}"`, hint };
}

/** Returns possible amounts in `unit`. A currency sign or decimals mean dollars, even if cents are expected. */
export function likelyAmounts(text: string, unit: MoneyUnit): number[] {
  const match = /^([$€£]?)(-?\d+(?:[,_ ']\d{3})*)(\.\d{1,2})?\s*(k?)$/i.exec(text.trim());
  if (!match) return [];
  const [, currency, whole = '', fraction = '', thousand] = match;
  const amount = Number(whole.replace(/[,_ ']/g, '') + fraction) * (thousand ? 1000 : 1);
  const isDollars = currency !== '' || (fraction !== '' && !thousand);
  // Joins the digits, because a product of floating point numbers isn't exact.
  const cents = Number(whole.replace(/[,_ ']/g, '') + fraction.slice(1).padEnd(2, '0'));
  if (unit === 'cents' && isDollars) return [cents * (thousand ? 1000 : 1)];
  return [...new Set([Math.floor(amount), Math.ceil(amount)])];
}

const AMOUNT = /(?<!\d)(\d{1,3}(?:[,.'’_\s]\d{3}){1,6}(?!\d)|\d+)([.,]\d{1,2})?\s*([km])?(?![\w%])/gi;
const FACTORS: Readonly<Record<string, number>> = { k: 1000, m: 1_000_000 };

/** Parses `$90k - $120,000.50` to 90000 and 120000.5. In `90-120k`, both are thousands. */
export function parseAmounts(text: string): number[] {
  const found = Array.from(text.matchAll(AMOUNT), ([, whole = '', fraction = '', unit = '']) => ({
    amount: Number(whole.replace(/\D/g, '') + fraction.replace(',', '.')),
    factor: FACTORS[unit.toLowerCase()],
  }));
  const last = found.at(-1)?.factor;
  return found.map(({ amount, factor }) => {
    const isShort = factor === undefined && last !== undefined && amount < 1000;
    return Math.round(amount * (factor ?? (isShort ? last : 1)) * 100) / 100;
  });
}

export function parsePeriod(text: string): SalaryPeriod | undefined {
  if (/\b(?:hour|hourly|hr|h)\b/i.test(text)) return 'HOURLY';
  return /\b(?:year|yearly|yr|annum|annual|annually|pa)\b/i.test(text) ? 'ANNUAL' : undefined;
}
