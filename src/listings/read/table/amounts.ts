import type { Reading } from './cells.ts';

/** A sign or a word of US dollars, digits with one kind of sign between thousands, a fraction, and `k`. */
const AMOUNT =
  /^(?:(?:US)?\s?\$|USD)?\s*(\d{1,3}(?:([.,'’ \u00a0\u202f])\d{3}(?:\2\d{3})*)|\d+)(?:([.,])(\d{1,2}))?\s?(k)?\s*(?:USD|dollars?)?$/i;

/** An amount of dollars as people type it, in cents; `decimalSign` is the one that the file writes fractions with. */
export function centsIn(text: string, decimalSign: '.' | ','): Reading<number> {
  const typed = text.trim();
  const [match, whole = '', group, point, fraction = '', unit = ''] = AMOUNT.exec(typed) ?? [];
  if (match === undefined || (group !== undefined && group === point)) {
    return {
      problem: `is not an amount of US dollars: "${typed}"`,
      hint: 'write it like 85000, $85,000, 85k or 18.50',
    };
  }
  // 34.000 is 34 with three decimals, or 34 thousand in another country's hand.
  if (group === decimalSign && point === undefined && whole.split(group).length === 2) {
    const [before, digits] = [whole.split(group)[0], whole.replace(group, '')];
    return { problem: `may be ${before} or ${digits}: "${typed}"`, hint: `write ${before} or ${digits}` };
  }
  const digits = whole.replace(/\D/g, '') + fraction.padEnd(2, '0');
  return { value: Number(digits) * (unit === '' ? 1 : 1000) };
}

/** Whole dollars. */
export function dollarsIn(text: string, decimalSign: '.' | ','): Reading<number> {
  const read = centsIn(text, decimalSign);
  if ('problem' in read) return read;
  const dollars = read.value / 100;
  if (Number.isInteger(dollars)) return { value: dollars };
  const hint = `write ${Math.floor(dollars)} or ${Math.ceil(dollars)}`;
  return { problem: `is not in whole dollars, as salaries are: "${text.trim()}"`, hint };
}

/** `$90k - $120k`, `90-120k`: both ends, which are the same of one amount. */
export function rangeIn(text: string, decimalSign: '.' | ','): Reading<readonly [number, number]> {
  const ends = text.trim().split(/\s*(?:[-–—]|\bto\b)\s*/);
  const [low = '', high = low] = ends;
  const unit = /k$/i.test(high) && /^\$?\s*\d{1,3}$/.test(low) ? 'k' : '';
  const [from, to] = [dollarsIn(low + unit, decimalSign), dollarsIn(high, decimalSign)];
  if (ends.length > 2)
    return { problem: `is no range: "${text.trim()}"`, hint: 'write it like $85,000 - $105,000' };
  if ('problem' in from) return from;
  return 'problem' in to ? to : { value: [from.value, to.value] };
}
