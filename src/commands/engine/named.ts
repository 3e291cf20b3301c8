import { nearest } from '../../contract/nearest.ts';
import type { FieldPath, Problem } from '../../contract/problems.ts';

/** What of a job is meant by a name: the one with this id, else those with this text. */
export function named<T extends { readonly id: string }>(
  name: string,
  among: readonly T[],
  textOf: (one: T) => string,
): readonly T[] {
  const byId = among.find(({ id }) => id === name);
  return byId === undefined ? alike(name, among, textOf) : [byId];
}

/** Those with this text, exactly if there are any, else without case, else without punctuation: C++ is not C#. */
export function alike<T>(name: string, among: readonly T[], textOf: (one: T) => string): readonly T[] {
  const forms = [(text: string) => text.trim(), (text: string) => text.trim().toLowerCase(), fold];
  for (const form of forms) {
    const found = among.filter((one) => form(textOf(one)) === form(name));
    if (found.length > 0) return found;
  }
  return [];
}

/** A text without case, and without punctuation where there is anything else in it. */
function fold(text: string): string {
  const lower = text.toLowerCase().trim();
  return lower.replace(/[^\p{L}\p{N}]+/gu, ' ').trim() || lower;
}

/** The problem of a name that means nothing of a job, or several things: those have ids of their own. */
export function unclearName(
  path: readonly ['answers' | 'meets', string],
  noun: 'question' | 'qualification',
  found: readonly { readonly id: string }[],
  known: readonly string[],
): Problem {
  if (found.length === 0) return problemAt(path, `is no ${noun} of this job`, near(path[1], known));
  const ids = found.map(({ id }) => id).join(' or ');
  return problemAt(path, `is more than one ${noun} of this job`, `name it by its id: ${ids}`);
}

function near(name: string, known: readonly string[]): string {
  const one = nearest(name, known);
  if (one !== undefined) return `did you mean ${JSON.stringify(one)}?`;
  return known.length === 0
    ? 'it has none'
    : `there are ${known.map((text) => JSON.stringify(text)).join(', ')}`;
}

export function problemAt(path: FieldPath, message: string, hint?: string): Problem {
  return { path, kind: 'invalid', message, ...(hint !== undefined && { hint }) };
}
