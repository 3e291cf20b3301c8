/**
 * What of a job a person's words name: the one with this id or with this very text, else those with this text case and
 * punctuation aside. None, and several, are for the caller to tell.
 */
export function named<T extends { readonly id: string }>(
  name: string,
  among: readonly T[],
  textOf: (one: T) => string,
): readonly T[] {
  const byId = among.find(({ id }) => id === name);
  return byId === undefined ? alike(name, among, textOf) : [byId];
}

/** Those whose text is `name` as it stands, else those whose text it is case and punctuation aside: C++ is not C#. */
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
