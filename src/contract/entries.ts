/** What is sent of an entry of each list (sections 2.3 to 2.6), and what makes two entries the same one. */
export const ENTRY_KINDS: Readonly<Record<string, { fields: readonly string[]; identity: string }>> = {
  locations: { fields: ['locationId', 'city', 'stateProvince', 'country'], identity: 'locationId' },
  qualifications: { fields: ['text', 'kind', 'order'], identity: 'text' },
  questions: { fields: ['prompt', 'answerFormat', 'options', 'order'], identity: 'prompt' },
  budgets: { fields: ['window', 'budgetCents', 'notes'], identity: 'window' },
};

/** Replaces a set: an entry whose content was there before keeps its id (decision 26). */
export function replaceEntries<E extends { readonly id: string }>(
  before: readonly E[],
  sent: readonly E[],
): E[] {
  const ids = new Map<string, string[]>();
  for (const entry of before) {
    const content = contentOf(entry);
    ids.set(content, [...(ids.get(content) ?? []), entry.id]);
  }
  return sent.map((entry) => ({ ...entry, id: ids.get(contentOf(entry))?.shift() ?? entry.id }));
}

/** True where both sets have the same content; ids, positions and the order of keys are ignored (decision 22). */
export function sameEntries(before: readonly object[], sent: readonly object[]): boolean {
  const contents = (entries: readonly object[]): string => JSON.stringify(entries.map(contentOf).sort());
  return contents(before) === contents(sent);
}

/** An entry without its id, its fields in one order; a field that is empty is the same as none. */
function contentOf(entry: object): string {
  const { id: _, ...content } = { id: undefined, ...entry };
  const given = Object.entries(content).filter(([, value]) => !(value === null || String(value) === ''));
  return JSON.stringify(given.sort(([a], [b]) => (a < b ? -1 : 1)));
}
