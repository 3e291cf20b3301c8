import { isObject } from '../../../contract/values.ts';

/** What is under a path; undefined where it leads nowhere. What an object inherits is not found. */
export function valueAt(value: unknown, ...path: readonly string[]): unknown {
  let current = value;
  for (const name of path) {
    if (!isObject(current) || !Object.hasOwn(current, name)) return undefined;
    current = current[name];
  }
  return current ?? undefined;
}

/** A text without the space around it, or a number as text; undefined where that is empty or something else. */
export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = valueAt(value, ...path);
  const text = typeof found === 'number' && Number.isFinite(found) ? String(found) : found;
  return typeof text === 'string' ? text.trim() || undefined : undefined;
}

/** A number, also where it is written as a text: `"85000"`, `"85,000.50"`. */
export function numberAt(value: unknown, ...path: readonly string[]): number | undefined {
  const text = textAt(value, ...path)?.replace(/(?<=\d),(?=\d{3}\b)/g, '');
  return text === undefined || Number.isNaN(Number(text)) ? undefined : Number(text);
}

/** The entries of a list without those that are null; any other value is a list of one. */
export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = valueAt(value, ...path);
  if (found === undefined) return [];
  return (Array.isArray(found) ? found : [found]).filter((entry) => entry !== null && entry !== undefined);
}

/** The texts in a list, or the one text that is there, each once. */
export function textsAt(value: unknown, ...path: readonly string[]): readonly string[] {
  const texts = listAt(value, ...path).map((entry) => textAt(entry));
  return [...new Set(texts.filter((text) => text !== undefined))];
}
