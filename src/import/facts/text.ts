import data from './words.json' with { type: 'json' };

export const PHRASES = split(data);

export function split<T>(lists: T): T {
  if (Array.isArray(lists)) return lists.flatMap((line: string) => line.split(', ')) as T;
  const entries = Object.entries(lists as object).map(([name, list]) => [name, split(list)]);
  return Object.fromEntries(entries) as T;
}
