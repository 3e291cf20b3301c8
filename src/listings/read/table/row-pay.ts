import { BUDGET_WINDOWS, SALARY_PERIODS, type SalaryPeriod } from '../../../contract/values.ts';
import { periodIn } from '../../../contract/words.ts';
import { centsIn, dollarsIn, rangeIn } from './amounts.ts';
import { choiceIn, jsonList, notedAmount, type Reading } from './cells.ts';
import { COLUMNS, type Column } from './columns.ts';
import type { RowCells } from './row-cells.ts';

const PERIOD_WORDS =
  /\s*(?:\/|\bper\b|\ban?\b)?\s*\b(?:hour|hourly|hr|h|year|yearly|yr|annum|annual|annually|pa)\b\.?\s*/i;

/** The ends of a salary, of a column each or of one for both, and its time, which amounts may say, too. */
export function addPay(row: RowCells): void {
  const said = new Set<SalaryPeriod>();
  const withoutPeriod = (text: string): string => {
    const period = periodIn(text);
    if (period === undefined) return text;
    said.add(period);
    return text.replace(PERIOD_WORDS, '') || text;
  };
  for (const name of ['salaryMin', 'salaryMax'] as const) {
    row.read(name, (text) => dollarsIn(withoutPeriod(text), row.decimalSign));
  }
  const salary = row.cell('salary');
  const end = row.cell('salaryMin') ?? row.cell('salaryMax');
  if (salary !== undefined && end !== undefined) {
    row.clash(salary, end);
    return;
  }
  if (salary !== undefined) {
    const range = rangeIn(withoutPeriod(salary.text), row.decimalSign);
    if ('problem' in range) row.flaw(salary, ['salaryMin'], range.problem, range.hint);
    const [low, high] = 'problem' in range ? [salary.text, undefined] : range.value;
    row.set('salaryMin', low, salary);
    if (high !== undefined) row.set('salaryMax', high, salary);
  }
  const period = row.read('salaryPeriod', (text) =>
    choiceIn('salaryPeriod', SALARY_PERIODS, text.replace(/^\s*(?:per|an?)\s+/i, '')),
  );
  const amounts = salary ?? end;
  if (amounts === undefined || said.size === 0) return;
  if (row.cell('salaryPeriod') === undefined) row.set('salaryPeriod', [...said][0], amounts);
  if (period !== undefined) said.add(period);
  if (said.size === 1) return;
  const hint = 'let both say year, or both hour';
  row.flaw(amounts, ['salaryPeriod'], 'says another time than a column beside it', hint);
}

export function addBid(row: RowCells): void {
  row.read('bidPerQualifiedApplicantCents', (text, cell) => cents(row, text, cell));
}

/** A column for each window, an amount and a note in its cell; or all of them as an export writes them. */
export function addBudgets(row: RowCells): void {
  row.read('budgets', (text) => jsonList(text) ?? { problem: NO_WINDOW.problem, hint: NO_WINDOW.hint });
  const budgets: object[] = [];
  for (const window of BUDGET_WINDOWS) {
    const cell = row.cell(window);
    if (cell === undefined) continue;
    const { amount, ...notes } = notedAmount(cell.text);
    const path = ['budgets', budgets.length];
    const read = cents(row, amount, cell);
    if ('problem' in read) row.flaw(cell, [...path, 'budgetCents'], read.problem, read.hint);
    row.place(path, cell);
    budgets.push({ window, budgetCents: 'problem' in read ? amount : read.value, ...notes });
    const whole = row.cell('budgets');
    if (whole !== undefined) {
      row.clash(cell, whole);
      return;
    }
  }
  if (budgets.length > 0) row.value.budgets = budgets;
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
