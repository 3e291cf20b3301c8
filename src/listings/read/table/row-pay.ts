import { BUDGET_WINDOWS } from '../../../contract/values.ts';
import { type Parsed, parsePeriod } from '../../../contract/words.ts';
import { parseChoiceCell, parseJsonList, parseNotedAmount } from './cells.ts';
import { COLUMNS, type Column } from './columns.ts';
import type { Cell, RowCells } from './row-cells.ts';

const PERIOD_WORDS =
  /(?:(?<!\s)\s+)?(?:(?:\/|\bper\b|\ban?\b)\s*)?\b(?:hour|hourly|hr|h|year|yearly|yr|annum|annual|annually|pa)\b\.?\s*/i;

export function addPay(row: RowCells): void {
  row.read('salaryPeriod', (text) =>
    parseChoiceCell('salaryPeriod', text.replace(/^\s*(?:per|an?)\s+/i, '')),
  );
  const withoutPeriod = (text: string, cell: Cell): string => {
    const period = parsePeriod(text);
    // If the periods contradict each other, the text stays unchanged and fails to parse.
    if (period === undefined || (row.value.salaryPeriod ?? period) !== period) return text;
    if (row.value.salaryPeriod === undefined) row.set('salaryPeriod', period, cell);
    return text.replace(PERIOD_WORDS, '') || text;
  };
  for (const name of ['salaryMin', 'salaryMax'] as const) {
    row.read(name, (text, cell) => parseWholeDollars(withoutPeriod(text, cell), row.decimalSign));
  }
  const range = row.read('salary', (text, cell) => parseRange(withoutPeriod(text, cell), row.decimalSign));
  const salary = row.cells.get('salary');
  if (range === undefined || salary === undefined) return;
  row.set('salaryMin', range[0], salary);
  row.set('salaryMax', range[1], salary);
}

export function addBid(row: RowCells): void {
  row.read('bidPerQualifiedApplicantCents', (text, cell) => cents(row, text, cell));
}

export function addBudgets(row: RowCells): void {
  row.read('budgets', (text) => parseJsonList(text) ?? NO_WINDOW);
  for (const window of BUDGET_WINDOWS) {
    const cell = row.cells.get(window);
    if (cell === undefined) continue;
    const { amount, ...notes } = parseNotedAmount(cell.text);
    const read = cents(row, amount, cell);
    const isWrong = 'problem' in read;
    const path = row.add('budgets', { window, budgetCents: isWrong ? amount : read.value, ...notes }, cell);
    if (isWrong) row.flaw(cell, [...path, 'budgetCents'], read.problem, read.hint);
  }
}

const NO_WINDOW = {
  problem: "doesn't specify the budget window",
  hint: `rename the column to ${BUDGET_WINDOWS.map((window) => `"${COLUMNS[window].header}"`).join(' or ')}`,
};

/** Parses an amount in the unit of the header. If the header has no unit, the amount must specify it. */
function cents(row: RowCells, text: string, { unit }: Column): Parsed<number> {
  const typed = text.trim();
  if (unit === 'cents') return /^\d{1,15}$/.test(typed) ? { value: Number(typed) } : NO_CENTS;
  const read = parseCents(typed, row.decimalSign);
  if (unit !== undefined || 'problem' in read || /\$|usd|dollar|[.,]\d\d?$/i.test(typed)) return read;
  return {
    problem: `doesn't specify dollars or cents: "${typed}"`,
    hint: `add ($) or (cents) to its header, or use $${typed}`,
  };
}

const NO_CENTS = { problem: 'must be a whole number of cents', hint: 'use 1850 for $18.50' };

const AMOUNT =
  /^(?:(?:US)?\s?\$|USD)?\s*(\d{1,3}(?:([.,'’ \u00a0\u202f])\d{3}(?:\2\d{3})*)|\d+)(?:([.,])(\d{1,2}))?\s?(k)?\s*(?:USD|dollars?)?$/i;

function parseCents(text: string, decimalSign: '.' | ','): Parsed<number> {
  const typed = text.trim();
  const [match, whole = '', group, point, fraction = '', unit = ''] = AMOUNT.exec(typed) ?? [];
  if (match === undefined || (group !== undefined && group === point)) {
    return {
      problem: `must be an amount in US dollars, not "${typed}"`,
      hint: 'use a format such as 85000, $85,000, 85k or 18.50',
    };
  }
  // 34.000 can mean 34 with three decimals, or 34 thousand in European notation.
  if (group === decimalSign && point === undefined && whole.split(group).length === 2) {
    const [before, digits] = [whole.split(group)[0], whole.replace(group, '')];
    return {
      problem: `is ambiguous: "${typed}" may be ${before} or ${digits}`,
      hint: `use ${before} or ${digits}`,
    };
  }
  const digits = whole.replace(/\D/g, '') + fraction.padEnd(2, '0');
  return { value: Number(digits) * (unit === '' ? 1 : 1000) };
}

function parseWholeDollars(text: string, decimalSign: '.' | ','): Parsed<number> {
  const read = parseCents(text, decimalSign);
  if ('problem' in read) return read;
  const dollars = read.value / 100;
  if (Number.isInteger(dollars)) return { value: dollars };
  const hint = `use ${Math.floor(dollars)} or ${Math.ceil(dollars)}`;
  return { problem: `must be in whole dollars, not "${text.trim()}"`, hint };
}

/** Parses `$90k - $120k` or `90-120k`. For a single amount, both ends are equal. */
function parseRange(text: string, decimalSign: '.' | ','): Parsed<readonly [number, number]> {
  const ends = text.trim().split(/(?:(?<!\s)\s+)?(?:[-–—]|\bto\b)\s*/);
  const [low = '', high = low] = ends;
  const unit = /k$/i.test(high) && /^\$?\s*\d{1,3}$/.test(low) ? 'k' : '';
  const [from, to] = [parseWholeDollars(low + unit, decimalSign), parseWholeDollars(high, decimalSign)];
  if (ends.length > 2)
    return {
      problem: `must be a range, not "${text.trim()}"`,
      hint: 'use a format such as $85,000 - $105,000',
    };
  if ('problem' in from) return from;
  return 'problem' in to ? to : { value: [from.value, to.value] };
}
