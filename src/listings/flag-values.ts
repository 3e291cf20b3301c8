import type { BudgetInput, JobInput } from '../contract/job.ts';
import { nearest } from '../contract/nearest.ts';
import type { FieldPath } from '../contract/problems.ts';
import { BUDGET_WINDOWS } from '../contract/values.ts';
import { likelyAmounts, type MoneyUnit } from '../contract/words.ts';
import fieldFlags from './field-flags.json' with { type: 'json' };

/** What a flag's text means or, where it means nothing, what is wrong with it and what to write. */
export type FlagValue<T> = { readonly value: T } | { readonly problem: string; readonly hint: string };

/** Digits alone: `85k` and `$15` are not guessed at, but the hint says what they probably mean. */
export function parseAmount(text: string, unit: MoneyUnit): FlagValue<number> {
  const value = Number(text);
  const isWhole = /^\s*-?\d+\s*$/.test(text);
  if (isWhole && Number.isSafeInteger(value)) return { value };
  const problem = `takes whole ${unit} in digits alone, not "${text}"`;
  if (isWhole) return { problem, hint: `numbers go up to ${Number.MAX_SAFE_INTEGER}` };
  const meant = likelyAmounts(text, unit);
  if (meant.length > 0) return { problem, hint: `write ${meant.join(' or ')}` };
  return { problem, hint: unit === 'cents' ? 'write 1500 for $15.00' : 'write 85000 for $85,000' };
}

/** Matches one of a fixed set of values in any spelling (`full-time` → FULL_TIME). */
export function choiceMeant<T extends string>(text: string, values: readonly T[]): T | undefined {
  const plain = (word: string) =>
    word
      .trim()
      .toLowerCase()
      .replaceAll(/[\s_-]+/g, '_');
  return values.find((known) => plain(known) === plain(text));
}

export function parseChoice<T extends string>(text: string, values: readonly T[]): FlagValue<T> {
  const value = choiceMeant(text, values);
  if (value !== undefined) return { value };
  const near = nearest(text, values);
  return {
    problem: `takes ${values.join(', ')}, not "${text}"`,
    hint: near === undefined ? 'write one of them' : `did you mean ${near}?`,
  };
}

/** `DAILY=5000`: a window and its cap in cents. */
export function parseBudget(text: string): FlagValue<BudgetInput> {
  const [, windowText = '', capText] = /^([^=:]*)[=:]?(.*)/s.exec(text) ?? [];
  if (!text.includes('=') || windowText === '' || !capText) {
    return { problem: `takes WINDOW=CENTS, not "${text}"`, hint: 'write DAILY=5000 for $50.00 a day' };
  }
  const window = parseChoice(windowText, BUDGET_WINDOWS);
  if ('problem' in window) return window;
  const cap = parseAmount(capText, 'cents');
  if ('problem' in cap) return cap;
  return { value: { window: window.value, budgetCents: cap.value } };
}

/** Contract field → flags. A field without flags has too many parts for one: it comes from a file or the form. */
export const FIELD_FLAGS: Readonly<Record<keyof JobInput, readonly string[]>> = fieldFlags;

/** The flags that set the field a path begins with: `--bid-cents CENTS`. Empty where there is none. */
export function flagsFor(path: FieldPath): string {
  return flagsOf(path).join(' or ');
}

/** The flags that close the gap of a field: a desired qualification leaves the required one missing. */
export function gapFlagsFor(path: FieldPath): string {
  return path[0] === 'qualifications' ? '--required TEXT' : flagsFor(path);
}

/** The first flag of a field, named as an error body names it (`questions[0].prompt`). */
export function flagFor(name: string): string | undefined {
  return flagsOf(name.split(/[.[]/))[0];
}

function flagsOf([field]: FieldPath): readonly string[] {
  return Object.hasOwn(FIELD_FLAGS, String(field)) ? FIELD_FLAGS[field as keyof JobInput] : [];
}
