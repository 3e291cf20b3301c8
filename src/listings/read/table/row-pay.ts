import { BUDGET_WINDOWS, SALARY_PERIODS } from '../../../contract/values.ts';
import { periodIn } from '../../../contract/words.ts';
import { choiceIn, jsonList, notedAmount, type Reading } from './cells.ts';
import { COLUMNS, type Column } from './columns.ts';
import type { Cell, RowCells } from './row-cells.ts';

const PERIOD_WORDS =
  /(?:(?<!\s)\s+)?(?:(?:\/|\bper\b|\ban?\b)\s*)?\b(?:hour|hourly|hr|h|year|yearly|yr|annum|annual|annually|pa)\b\.?\s*/i;

/** The ends of a salary, of a column each or of one for both, and its time, which an amount may say, too. */
export function addPay(row: RowCells): void {
  row.read('salaryPeriod', (text) =>
    choiceIn('salaryPeriod', SALARY_PERIODS, text.replace(/^\s*(?:per|an?)\s+/i, '')),
  );
  const withoutPeriod = (text: string, cell: Cell): string => {
    const period = periodIn(text);
    // Another time than the one said before makes an amount that cannot be read.
    if (period === undefined || (row.value.salaryPeriod ?? period) !== period) return text;
    if (row.value.salaryPeriod === undefined) row.set('salaryPeriod', period, cell);
    return text.replace(PERIOD_WORDS, '') || text;
  };
  for (const name of ['salaryMin', 'salaryMax'] as const) {
    row.read(name, (text, cell) => dollarsIn(withoutPeriod(text, cell), row.decimalSign));
  }
  const range = row.read('salary', (text, cell) => rangeIn(withoutPeriod(text, cell), row.decimalSign));
  const salary = row.cell('salary');
  if (range === undefined || salary === undefined) return;
  row.set('salaryMin', range[0], salary);
  row.set('salaryMax', range[1], salary);
}

export function addBid(row: RowCells): void {
  row.read('bidPerQualifiedApplicantCents', (text, cell) => cents(row, text, cell));
}

/** A column for each window, an amount and a note in its cell; or all of them as an export writes them. */
export function addBudgets(row: RowCells): void {
  row.read('budgets', (text) => jsonList(text) ?? NO_WINDOW);
  for (const window of BUDGET_WINDOWS) {
    const cell = row.cell(window);
    if (cell === undefined) continue;
    const { amount, ...notes } = notedAmount(cell.text);
    const read = cents(row, amount, cell);
    const isWrong = 'problem' in read;
    const path = row.add('budgets', { window, budgetCents: isWrong ? amount : read.value, ...notes }, cell);
    if (isWrong) row.flaw(cell, [...path, 'budgetCents'], read.problem, read.hint);
  }
}

const NO_WINDOW = {
  problem: 'does not say for which time it is',
  hint: `name the column ${BUDGET_WINDOWS.map((window) => `"${COLUMNS[window].header}"`).join(' or ')}`,
};

/** An amount of dollars, unless the header says cents; where it says nothing, the amount has to. */
function cents(row: RowCells, text: string, { unit }: Column): Reading<number> {
  const typed = text.trim();
  if (unit === 'cents') return /^\d{1,15}$/.test(typed) ? { value: Number(typed) } : NO_CENTS;
  const read = centsIn(typed, row.decimalSign);
  if (unit !== undefined || 'problem' in read || /\$|usd|dollar|[.,]\d\d?$/i.test(typed)) return read;
  return {
    problem: `does not say whether it is in dollars or cents: "${typed}"`,
    hint: `add ($) or (cents) to its header, or write $${typed}`,
  };
}

const NO_CENTS = { problem: 'is no whole number of cents', hint: 'write 1850 for $18.50' };

/** A sign or a word of US dollars, digits with one kind of sign between thousands, a fraction, and `k`. */
const AMOUNT =
  /^(?:(?:US)?\s?\$|USD)?\s*(\d{1,3}(?:([.,'’ \u00a0\u202f])\d{3}(?:\2\d{3})*)|\d+)(?:([.,])(\d{1,2}))?\s?(k)?\s*(?:USD|dollars?)?$/i;

/** An amount of dollars as people type it, in cents; `decimalSign` is the one that the file writes fractions with. */
function centsIn(text: string, decimalSign: '.' | ','): Reading<number> {
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
function dollarsIn(text: string, decimalSign: '.' | ','): Reading<number> {
  const read = centsIn(text, decimalSign);
  if ('problem' in read) return read;
  const dollars = read.value / 100;
  if (Number.isInteger(dollars)) return { value: dollars };
  const hint = `write ${Math.floor(dollars)} or ${Math.ceil(dollars)}`;
  return { problem: `is not in whole dollars, as salaries are: "${text.trim()}"`, hint };
}

/** `$90k - $120k`, `90-120k`: both ends, which are the same of one amount. */
function rangeIn(text: string, decimalSign: '.' | ','): Reading<readonly [number, number]> {
  const ends = text.trim().split(/(?:(?<!\s)\s+)?(?:[-–—]|\bto\b)\s*/);
  const [low = '', high = low] = ends;
  const unit = /k$/i.test(high) && /^\$?\s*\d{1,3}$/.test(low) ? 'k' : '';
  const [from, to] = [dollarsIn(low + unit, decimalSign), dollarsIn(high, decimalSign)];
  if (ends.length > 2)
    return { problem: `is no range: "${text.trim()}"`, hint: 'write it like $85,000 - $105,000' };
  if ('problem' in from) return from;
  return 'problem' in to ? to : { value: [from.value, to.value] };
}
