/** What has an id beside its content: a stored qualification or question. */
type Entry = { readonly id: string };

/** Replaces a set: an entry whose content was there before keeps its id (decision 26). */
export function replaceEntries<E extends Entry>(before: readonly E[], sent: readonly E[]): E[] {
  const ids = idsByContent(before);
  return sent.map((entry) => ({ ...entry, id: ids.get(contentOf(entry))?.shift() ?? entry.id }));
}

/** True where both sets have the same content, ids and positions ignored (decision 22). */
export function sameEntries<E extends Entry>(before: readonly E[], sent: readonly E[]): boolean {
  const ids = idsByContent(before);
  return before.length === sent.length && sent.every((entry) => ids.get(contentOf(entry))?.shift());
}

function idsByContent(entries: readonly Entry[]): Map<string, string[]> {
  const ids = new Map<string, string[]>();
  for (const entry of entries) {
    const content = contentOf(entry);
    ids.set(content, [...(ids.get(content) ?? []), entry.id]);
  }
  return ids;
}

/** An entry without its id, its fields in a fixed order. */
function contentOf({ id: _, ...content }: Entry): string {
  return JSON.stringify(Object.entries(content).sort(([a], [b]) => (a < b ? -1 : 1)));
}
