import type { SalaryPeriod } from './values.ts';

/** `1500` as `$15.00`. Whole cents only; a negative amount keeps its sign in front. */
export function formatCents(amountCents: number): string {
  const sign = amountCents < 0 ? '-' : '';
  const cents = Math.abs(amountCents);
  const dollars = Math.floor(cents / 100);
  return `${sign}$${grouped(dollars)}.${String(cents % 100).padStart(2, '0')}`;
}

/** Whole dollars as `$85,000`. */
export function formatDollars(amount: number): string {
  return `${amount < 0 ? '-' : ''}$${grouped(Math.abs(amount))}`;
}

/** A whole number with its thousands grouped: `8,336,817`. */
export function grouped(whole: number): string {
  return String(whole).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

export type MoneyUnit = 'dollars' | 'cents';

/** The answer to a question for dollars: `34`, `$34`, `85,000`, `85k`, and `18.50` where cents are kept. */
export function parseDollars(
  text: string,
  unit: MoneyUnit,
): { readonly value: number } | { readonly problem: string; readonly hint: string } {
  const isDollars = /^\s*\$?\s*-?\d/.test(text);
  const [value, other] = isDollars ? likelyAmounts(text.trim().replace(/^\$?\s*/, '$'), unit) : [];
  if (value !== undefined && other === undefined && Number.isSafeInteger(value)) return { value };
  if (value !== undefined && other !== undefined)
    return { problem: 'must be whole dollars', hint: `write ${value} or ${other}` };
  const hint = unit === 'cents' ? 'write 18, 18.50 or $18.50' : 'write 34, $34 or 85k';
  return { problem: `is not an amount of dollars: "${text.trim()}"`, hint };
}

/** What an amount may mean in `unit`. A currency sign or two decimals speak of dollars, also where cents are asked for. */
export function likelyAmounts(text: string, unit: MoneyUnit): number[] {
  const match = /^([$€£]?)(-?\d+(?:[,_ ']\d{3})*)(\.\d{1,2})?\s*(k?)$/i.exec(text.trim());
  if (!match) return [];
  const [, currency, whole = '', fraction = '', thousand] = match;
  const amount = Number(whole.replace(/[,_ ']/g, '') + fraction) * (thousand ? 1000 : 1);
  const isDollars = currency !== '' || (fraction !== '' && !thousand);
  if (unit === 'cents' && isDollars) return [Math.round(amount * 100)];
  return [...new Set([Math.floor(amount), Math.ceil(amount)])];
}

const AMOUNT = /(\d{1,3}(?:[,.'’_\s]\d{3})+(?!\d)|\d+)([.,]\d{1,2})?\s*([km])?(?![\w%])/gi;
const FACTORS: Readonly<Record<string, number>> = { k: 1000, m: 1_000_000 };

/** `$90k - $120,000.50` is 90000 and 120000.5; in `90-120k` both are thousands. */
export function amountsIn(text: string): number[] {
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

export function periodIn(text: string): SalaryPeriod | undefined {
  if (/\b(?:hour|hourly|hr|h)\b/i.test(text)) return 'HOURLY';
  return /\b(?:year|yearly|yr|annum|annual|annually|pa)\b/i.test(text) ? 'ANNUAL' : undefined;
}
