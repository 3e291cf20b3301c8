import { BUDGET_WINDOWS } from '../../../contract/values.ts';
import type { Parsed } from '../../../contract/words.ts';
import { words } from '../../../text/words.ts';
import {
  findCurrency,
  type PayPeriod,
  periodNamed,
  TABLE_WORDS,
  toServicePeriod,
} from '../../vocabulary/vocabulary.ts';
import { parseChoiceCell, parseJsonList, parseNotedAmount } from './cells.ts';
import { COLUMNS, type Column } from './columns.ts';
import type { Cell, RowCells } from './row-cells.ts';

const PERIOD_WORDS =
  /(?<![\p{L}\d])(?:(?:per|an?|pro|par|por|al|na|za|p\.?)(?!\p{L})\s?|\/\s?)?\p{L}[\p{L}.]*|\/\s?\p{L}+/giu;

type ParseAmount<T> = (text: string, decimalSign: '.' | ',') => Parsed<T>;

export function addPay(row: RowCells): void {
  const isQualifier = (word: string) =>
    periodNamed(word) !== undefined || TABLE_WORDS.qualifiers.includes(words(word));
  let period = row.read('salaryPeriod', parsePeriodCell);
  const readPay = <T>(name: 'salaryMin' | 'salaryMax' | 'salary', parse: ParseAmount<T>): T | undefined =>
    row.read(name, (text, cell) => {
      const said = periodNamed(text) ?? cell.period;
      if (said !== undefined && (said === 'OTHER' || (period ?? said) !== said))
        return { problem: `has a pay period that can't be used here: "${text}"`, hint: ONE_PERIOD };
      period ??= said;
      return inDollars(
        row,
        cell,
        parse(text.replace(PERIOD_WORDS, (word) => (isQualifier(word) ? '' : word)) || text, row.decimalSign),
      );
    });
  for (const name of ['salaryMin', 'salaryMax'] as const) readPay(name, parseWholeDollars);
  const range = readPay('salary', parseRange);
  const salary = row.cells.get('salary');
  if (range !== undefined && salary !== undefined) {
    row.set('salaryMin', range[0], salary);
    row.set('salaryMax', range[1], salary);
  }
  if (period !== undefined) convertPay(row, period);
}

function parsePeriodCell(text: string): Parsed<PayPeriod> {
  const read = parseChoiceCell('salaryPeriod', text.replace(/^\s*(?:per|an?)\s+/i, ''));
  const period = 'problem' in read ? periodNamed(text) : undefined;
  return period === undefined || period === 'OTHER' ? (read as Parsed<PayPeriod>) : { value: period };
}

const ONE_PERIOD = 'use pay per year or hour, and one period per row';

const PAY_COLUMNS = ['salaryPeriod', 'salary', 'salaryMin', 'salaryMax'] as const;

function convertPay(row: RowCells, given: PayPeriod): void {
  const cell = PAY_COLUMNS.map((name) => row.cells.get(name)).find((one) => one !== undefined);
  const amounts = [row.value.salaryMin, row.value.salaryMax];
  if (cell === undefined || amounts.some((amount) => typeof amount === 'string')) return;
  const converted = toServicePeriod(given);
  if (converted === undefined) return;
  const { period, factor, note } = converted;
  row.set('salaryPeriod', period, cell);
  if (note === undefined) return;
  for (const field of ['salaryMin', 'salaryMax'])
    if (field in row.value) row.value[field] = Number(row.value[field]) * factor;
  row.warn(cell, 'salaryPeriod', `is converted to annual pay: ${note} is a guess`);
}

/** Refuses amounts that are or may be in another currency. */
function inDollars<T>(row: RowCells, cell: Cell, read: Parsed<T>): Parsed<T> {
  const said = findCurrency(cell.text);
  const given = [
    said,
    findCurrency(cell.header),
    row.findCurrency(),
    row.header.mapping.currency,
    cell.currency,
  ];
  const codes = given.filter((code) => code !== undefined);
  const currency = codes.find((code) => code !== '$') ?? codes[0];
  const text = cell.text.trim();
  const rename = row.header.noun ? '' : `add (USD) to the column name "${cell.header}", or `;
  const hint = `if it's USD, ${rename}set \`currency: USD\` in _defaults.yaml`;
  if (currency === undefined) return { problem: `may not be in US dollars: "${text}"`, hint };
  if (currency !== '$' && currency !== 'USD') {
    const code = said === currency ? '' : ` (${currency})`;
    return { problem: `must be an amount in US dollars, not "${text}"${code}`, hint: NO_DOLLARS };
  }
  if (currency === '$' && !('problem' in read))
    row.unclearPay ??= { field: COLUMNS[cell.name].field, text, hint };
  return read;
}

const NO_DOLLARS = 'enter the amount in US dollars, such as 85000, or remove it';

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
  /^(?:(?:US)?\s?\$|USD)?\s*(\d{1,3}(?:([.,'’ \u00a0\u202f])\d{3}(?:\2\d{3})*)|\d+)(?:([.,])(\d{1,2}))?\s?(k)?\s*(?:USD|(?:US)?\$|dollars?)?$/i;

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

const RANGE_SIGN = /(?:(?<!\s)\s+)?(?:[-–—]|(?<!\p{L})(?:to|bis|à|a|hasta|tot|do|até|až)(?!\p{L}))\s*/u;

/** Parses `$90k - $120k` or `90-120k`. For a single amount, both ends are equal. */
function parseRange(text: string, decimalSign: '.' | ','): Parsed<readonly [number, number]> {
  const ends = text.trim().split(RANGE_SIGN);
  const [low = '', high = low] = ends;
  const unit = /k$/i.test(high) && /^\$?\s*\d{1,3}$/.test(low) ? 'k' : '';
  const [from, to] = [parseWholeDollars(low + unit, decimalSign), parseWholeDollars(high, decimalSign)];
  if (ends.length > 2 || low === '')
    return {
      problem: `must be a range, not "${text.trim()}"`,
      hint: 'use a format such as $85,000 - $105,000',
    };
  if ('problem' in from) return from;
  return 'problem' in to ? to : { value: [from.value, to.value] };
}
