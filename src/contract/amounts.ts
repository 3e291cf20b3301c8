import type { SalaryPeriod } from './values.ts';

const AMOUNT = /(\d{1,3}(?:[,.'’_\s]\d{3})+(?!\d)|\d+)([.,]\d{1,2})?\s*([km])?(?![\w%])/gi;
const FACTORS: Readonly<Record<string, number>> = { k: 1000, m: 1_000_000 };

/**
 * The amounts that a text about money names, in its own currency: `$90k - $120,000.50` is 90000 and 120000.5.
 * In `90-120k` both are thousands.
 */
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

/** What a text says the pay is for: `$25/hr` is HOURLY. */
export function periodIn(text: string): SalaryPeriod | undefined {
  if (/\b(?:hour|hourly|hr|h)\b/i.test(text)) return 'HOURLY';
  return /\b(?:year|yearly|yr|annum|annual|annually|pa)\b/i.test(text) ? 'ANNUAL' : undefined;
}
