import { groupBy } from './group-by.ts';
import { CONTENT_FIELDS, type JobContent, type JobInput } from './job.ts';
import { tried } from './tried.ts';
import { isObject } from './values.ts';

type Fields = Readonly<Record<string, unknown>>;

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
  const left = groupBy(before, contentOf);
  return sent.map((entry) => ({ ...entry, id: (left.get(contentOf(entry))?.shift() ?? entry).id }));
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

/** A field that was sent as `from`, and that the server's job has as `to`. */
export interface Difference {
  readonly field: keyof JobContent | 'status';
  readonly from: unknown;
  readonly to: unknown;
}

/** Ignores trimmed text, the order of lists and other `order` numbers, because a server may change them. */
export function differencesFrom(sent: Fields, job: Fields): Difference[] {
  const { toJSON } = job;
  const written: Fields = typeof toJSON === 'function' ? toJSON() : job;
  return (['status', ...CONTENT_FIELDS] as const).flatMap((field) => {
    const [from, to] = [sent[field], job[field] ?? written[field]];
    // A null may be omitted, but a list must be there: otherwise its entries are unknown.
    const hasAll = !ENTRY_KINDS[field] || (Array.isArray(to) && to.length === (from as unknown[])?.length);
    const isSame = hasAll && plain(field, from) === plain(field, to);
    return from === undefined || from === to || isSame ? [] : [{ field, from, to }];
  });
}

/** The same for a create. A job that should be live and isn't is an error, so only a draft's status is compared. */
export function differencesFromCreate({ publish, ...content }: JobInput, job: Fields): Difference[] {
  const status = publish || job.status === undefined ? undefined : 'DRAFT';
  return differencesFrom({ ...content, status }, job);
}

/** Normalizes a value, because servers may write it in different ways. Returns '' if it's empty. */
function plain(field: string, value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) {
    const { fields = [], identity = '' } = ENTRY_KINDS[field] ?? {};
    const names = field === 'locations' ? [identity] : fields.filter((name) => name !== 'order');
    const orders = value.map((entry) => Number(entry?.order)).filter((order) => !Number.isNaN(order));
    const places = new Map(orders.sort((a, b) => b - a).map((order, at) => [order, orders.length - 1 - at]));
    const placeOf = ({ order }: Fields) => places.get(Number(order)) ?? 0;
    const entries = value.map((entry) =>
      isObject(entry) ? [placeOf(entry), ...names.map((name) => plain(name, entry[name]))] : plain('', entry),
    );
    return entries
      .map((entry) => JSON.stringify(entry))
      .sort()
      .join();
  }
  const text = String(value).normalize().replace(/\r\n?/g, '\n').trim();
  return (field === 'atsJobUrl' && tried(() => new URL(text).href)) || text;
}
