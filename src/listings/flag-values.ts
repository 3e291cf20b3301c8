import type { BudgetInput } from '../contract/job.ts';
import { type FieldName, getChoices, JOB_FIELDS, type ValueKind } from '../contract/job-fields.ts';
import type { FieldPath } from '../contract/problems.ts';
import { BUDGET_WINDOWS } from '../contract/values.ts';
import { likelyAmounts, type MoneyUnit, type Parsed } from '../contract/words.ts';
import { nearest } from '../text/nearest.ts';

/** Accepts only digits. For `85k` or `$15`, the hint suggests likely amounts. */
export function parseAmount(text: string, unit: MoneyUnit): Parsed<number> {
  const value = Number(text);
  const isWhole = /^\s*-?\d+\s*$/.test(text);
  if (isWhole && Number.isSafeInteger(value)) return { value };
  const problem = `must be whole ${unit}, digits only, not "${text}"`;
  if (isWhole) return { problem, hint: `the maximum is ${Number.MAX_SAFE_INTEGER}` };
  const meant = likelyAmounts(text, unit);
  if (meant.length > 0) return { problem, hint: `use ${meant.join(' or ')}` };
  return { problem, hint: unit === 'cents' ? 'use 1500 for $15.00' : 'use 85000 for $85,000' };
}

export function matchChoice<T extends string>(text: string, values: readonly T[]): T | undefined {
  const plain = (word: string) =>
    word
      .trim()
      .toLowerCase()
      .replaceAll(/[\s_-]+/g, '_');
  return values.find((known) => plain(known) === plain(text));
}

function parseChoice<T extends string>(text: string, values: readonly T[]): Parsed<T> {
  const value = matchChoice(text, values);
  if (value !== undefined) return { value };
  const near = nearest(text, values);
  return {
    problem: `must be one of ${values.join(', ')}, not "${text}"`,
    hint: near === undefined ? 'use one of them' : `did you mean ${near}?`,
  };
}

export function parseField(text: string, field: string, kind: ValueKind): Parsed<number | string> {
  if (kind === 'choice') return parseChoice(text, getChoices(field));
  return kind === 'dollars' || kind === 'cents' ? parseAmount(text, kind) : { value: text };
}

export function parseBudget(text: string): Parsed<BudgetInput> {
  const [, windowText = '', capText] = /^([^=:]*)[=:]?(.*)/s.exec(text) ?? [];
  if (!text.includes('=') || windowText === '' || !capText) {
    return { problem: `must be WINDOW=CENTS, not "${text}"`, hint: 'use DAILY=5000 for $50.00 a day' };
  }
  const window = parseChoice(windowText, BUDGET_WINDOWS);
  if ('problem' in window) return window;
  const cap = parseAmount(capText, 'cents');
  if ('problem' in cap) return cap;
  return { value: { window: window.value, budgetCents: cap.value } };
}

/** Flags that set a field, such as `--bid-cents CENTS`. Empty if only a file or the form can set it. */
function findFieldFlags([name]: FieldPath): readonly string[] {
  const { kind, flags = {} } = JOB_FIELDS[name as FieldName] ?? {};
  // Omits the second spelling of an amount, in dollars.
  const shown = Object.entries(flags).filter(([, { value }]) => value !== 'DOLLARS' || kind === 'dollars');
  const choices = getChoices(String(name)).join('|');
  return shown.map(([flag, { value = choices }]) => `--${flag} ${value}`.trim());
}

/** A desired qualification doesn't make a listing complete, because the missing field needs a required one. */
export function formatFlags(path: FieldPath, isMissing: boolean): string {
  return isMissing && path[0] === 'qualifications' ? '--required TEXT' : findFieldFlags(path).join(' or ');
}

export function findFlag(name: string): string | undefined {
  return findFieldFlags(name.split(/[.[]/))[0];
}
