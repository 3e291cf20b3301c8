import { groupBy } from '../text/group-by.ts';
import { CONTENT_FIELDS, type JobContent, type JobInput } from './job.ts';
import { JOB_FIELDS } from './job-fields.ts';
import { attempt } from './system-errors.ts';
import { isObject } from './values.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Fields of the entries that each list accepts (sections 2.3 to 2.6), and the field that identifies an entry. */
export const ENTRY_KINDS: Readonly<Record<string, { fields: readonly string[]; identity: string }>> =
  Object.fromEntries(
    Object.entries(JOB_FIELDS).flatMap(([field, { entry: { identity = '', parts = {} } = {} }]) =>
      identity === '' ? [] : [[field, { fields: Object.keys(parts), identity }]],
    ),
  );

/** Replaces a list. An entry with unchanged content keeps its ID (decision 26). */
export function replaceEntries<E extends { readonly id: string }>(before: readonly E[], sent: readonly E[]) {
  const left = groupBy(before, toContentJson);
  return sent.map((entry) => ({ ...entry, id: (left.get(toContentJson(entry))?.shift() ?? entry).id }));
}

/** Compares content. Ignores IDs, positions and key order (decision 22). */
export function sameEntries(before: readonly object[], sent: readonly object[]): boolean {
  const contents = (entries: readonly object[]): string => JSON.stringify(entries.map(toContentJson).sort());
  return contents(before) === contents(sent);
}

function toContentJson(entry: object): string {
  const { id: _, ...content } = { id: undefined, ...entry };
  const given = Object.entries(content).filter(([, value]) => !(value === null || String(value) === ''));
  return JSON.stringify(given.sort(([a], [b]) => (a < b ? -1 : 1)));
}

export interface Difference {
  readonly field: keyof JobContent | 'status';
  readonly from: unknown;
  readonly to: unknown;
}

/** Ignores surrounding whitespace, list order and renumbered `order` fields, because a server may change them. */
export function findDifferences(sent: Fields, job: Fields): Difference[] {
  const { toJSON } = job;
  const written: Fields = typeof toJSON === 'function' ? toJSON() : job;
  return (['status', ...CONTENT_FIELDS] as const).flatMap((field) => {
    const [from, to] = [sent[field], job[field] ?? written[field]];
    if (from === undefined || from === to) return [];
    // A server can omit null. If it omits a list, its entries are unknown.
    const hasAll = !ENTRY_KINDS[field] || (Array.isArray(to) && to.length === (from as unknown[])?.length);
    return hasAll && plain(field, from) === plain(field, to) ? [] : [{ field, from, to }];
  });
}

/** Like `findDifferences`. Compares the status only for drafts, because a job that isn't live is already an error. */
export function differencesFromCreate({ publish, ...content }: JobInput, job: Fields): Difference[] {
  const status = publish || job.status === undefined ? undefined : 'DRAFT';
  return findDifferences({ ...content, status }, job);
}

function plain(field: string, value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) {
    const { fields = [], identity = '' } = ENTRY_KINDS[field] ?? {};
    const names = field === 'locations' ? [identity] : fields.filter((name) => name !== 'order');
    const orders = value.map((entry) => Number(entry?.order)).filter((order) => !Number.isNaN(order));
    const places = new Map(orders.sort((a, b) => b - a).map((order, at) => [order, orders.length - 1 - at]));
    const getRank = ({ order }: Fields) => places.get(Number(order)) ?? 0;
    const toParts = (entry: unknown) =>
      isObject(entry) ? [getRank(entry), ...names.map((name) => plain(name, entry[name]))] : plain('', entry);
    const entries = value.map((entry) => JSON.stringify(toParts(entry)));
    return entries.sort().join();
  }
  const text = String(value).normalize().replace(/\r\n?/g, '\n').trim();
  return (field === 'atsJobUrl' && attempt(() => new URL(text).href)) || text;
}
