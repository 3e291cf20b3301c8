import type { BudgetInput } from '../contract/job.ts';
import { nearest } from '../contract/nearest.ts';
import { BUDGET_WINDOWS } from '../contract/values.ts';

/** What a flag's text means or, where it means nothing, what is wrong with it and what to write. */
export type FlagValue<T> = { readonly value: T } | { readonly problem: string; readonly hint: string };

/** What an amount on the command line is counted in. */
export type Unit = 'dollars' | 'cents';

/**
 * A whole number, in digits alone: `85,000`, `85k`, `$15` and `15.50` are not guessed at, but the hint says
 * what they probably mean. A number out of the contract's range is left to its checks.
 */
export function parseAmount(text: string, unit: Unit): FlagValue<number> {
  const value = Number(text);
  const isWhole = /^\s*-?\d+\s*$/.test(text);
  if (isWhole && Number.isSafeInteger(value)) return { value };
  const problem = `takes whole ${unit} in digits alone, not "${text}"`;
  if (isWhole) return { problem, hint: `numbers go up to ${Number.MAX_SAFE_INTEGER}` };
  const meant = likelyAmounts(text, unit);
  if (meant.length > 0) return { problem, hint: `write ${meant.join(' or ')}` };
  return { problem, hint: unit === 'cents' ? 'write 1500 for $15.00' : 'write 85000 for $85,000' };
}

/**
 * An amount as somebody answers it who is asked for dollars: `34`, `$34`, `85,000`, `85k`, and `18.50` where cents are
 * kept. Whole dollars, or cents, as `unit` says.
 */
export function parseDollars(text: string, unit: Unit): FlagValue<number> {
  const isDollars = /^\s*\$?\s*-?\d/.test(text);
  const [value, other] = isDollars ? likelyAmounts(text.trim().replace(/^\$?\s*/, '$'), unit) : [];
  if (value !== undefined && other === undefined && Number.isSafeInteger(value)) return { value };
  if (value !== undefined && other !== undefined)
    return { problem: 'must be whole dollars', hint: `write ${value} or ${other}` };
  const hint = unit === 'cents' ? 'write 18, 18.50 or $18.50' : 'write 34, $34 or 85k';
  return { problem: `is not an amount of dollars: "${text.trim()}"`, hint };
}

/** A currency sign or two decimals speak of dollars, also where cents are asked for. */
function likelyAmounts(text: string, unit: Unit): number[] {
  const match = /^([$€£]?)(-?\d+(?:[,_ ']\d{3})*)(\.\d{1,2})?\s*(k?)$/i.exec(text.trim());
  if (!match) return [];
  const [, currency, whole = '', fraction = '', thousand] = match;
  const amount = Number(whole.replace(/[,_ ']/g, '') + fraction) * (thousand ? 1000 : 1);
  const isDollars = currency !== '' || (fraction !== '' && !thousand);
  if (unit === 'cents' && isDollars) return [Math.round(amount * 100)];
  return [...new Set([Math.floor(amount), Math.ceil(amount)])];
}

/** One of the contract's values, in any case and with dashes or spaces: `full-time` is FULL_TIME. */
export function parseChoice<T extends string>(text: string, values: readonly T[]): FlagValue<T> {
  const written = text
    .trim()
    .toUpperCase()
    .replace(/[\s-]+/g, '_');
  const value = values.find((known) => known === written);
  if (value !== undefined) return { value };
  const near = nearest(text, values);
  return {
    problem: `takes ${values.join(', ')}, not "${text}"`,
    hint: near === undefined ? 'write one of them' : `did you mean ${near}?`,
  };
}

/** `DAILY=5000`: a window and its cap in cents. */
export function parseBudget(text: string): FlagValue<BudgetInput> {
  const [, windowText = '', capText] = /^([^=:]*)[=:]?(.*)$/.exec(text) ?? [];
  if (!text.includes('=') || windowText === '' || !capText) {
    return { problem: `takes WINDOW=CENTS, not "${text}"`, hint: 'write DAILY=5000 for $50.00 a day' };
  }
  const window = parseChoice(windowText, BUDGET_WINDOWS);
  if ('problem' in window) return window;
  const cap = parseAmount(capText, 'cents');
  if ('problem' in cap) return cap;
  return { value: { window: window.value, budgetCents: cap.value } };
}
