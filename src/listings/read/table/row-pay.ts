import { BUDGET_WINDOWS, SALARY_PERIODS } from '../../../contract/values.ts';
import { periodIn } from '../../../contract/words.ts';
import { centsIn, dollarsIn, rangeIn } from './amounts.ts';
import { choiceIn, jsonList, notedAmount, type Reading } from './cells.ts';
import { COLUMNS, type Column } from './columns.ts';
import type { Cell, RowCells } from './row-cells.ts';

const PERIOD_WORDS =
  /\s*(?:\/|\bper\b|\ban?\b)?\s*\b(?:hour|hourly|hr|h|year|yearly|yr|annum|annual|annually|pa)\b\.?\s*/i;

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
