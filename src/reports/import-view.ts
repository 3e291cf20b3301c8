import { type Column, table } from '../cli/terminal/table.ts';
import { clean, paragraph, type Style, type View } from '../cli/terminal/view.ts';
import { EXIT } from '../contract/errors.ts';
import { formatCount, formatNumber } from '../contract/words.ts';
import { missingFields } from '../import/listing-text.ts';
import type { ImportItem, ImportStatus } from '../import/plan-import.ts';
import type { ReadImport } from '../import/read-import.ts';
import { countEach, groupBy } from '../text/group-by.ts';
import { joinTexts } from '../text/words.ts';
import { changeLines, describeRuled } from './changes.ts';

const STYLES: Readonly<Record<ImportStatus, Style | undefined>> = {
  new: 'green',
  changed: 'cyan',
  unchanged: 'dim',
  conflict: 'yellow',
  gone: 'yellow',
  removed: 'red',
  deleted: 'dim',
  unreadable: 'red',
};

const STATUSES = Object.keys(STYLES) as ImportStatus[];

const COLUMNS: readonly Column<ImportItem>[] = [
  { title: 'STATUS', text: ({ status }) => status, style: ({ status }) => STYLES[status] },
  { title: 'FILE', text: ({ file }) => file, shrinksTo: 14 },
  { title: 'COPIED', text: (item) => formatFieldCount(item, 'taken'), align: 'right', givesWay: 2 },
  { title: 'GUESSED', text: (item) => formatFieldCount(item, 'guessed'), align: 'right', givesWay: 1 },
  {
    title: 'MISSING',
    // Shortens field names to `bid` and `salary`, because the files contain the full names.
    text: ({ left }) => [...new Set(left.map((field) => field.replace(/^(bid|salary).*/, '$1')))].join(', '),
    shrinksTo: 10,
  },
];

function formatFieldCount({ posting }: ImportItem, sure: 'taken' | 'guessed'): string {
  return posting === undefined ? '' : String(fieldsThatAre(sure, posting).length);
}

function fieldsThatAre(sure: 'taken' | 'guessed', posting: ImportItem['posting']) {
  return Object.entries(posting?.values ?? {}).filter(([, value]) => value.sure === sure);
}

export async function importView(items: readonly ImportItem[], view: View): Promise<string> {
  let text = await table(COLUMNS, items, view, 'No postings.');
  for (const { file, conflicts, problem } of items) {
    if (problem !== undefined) text += paragraph(`\n${clean(`${file} wasn't changed: ${problem}`)}`, view);
    if (conflicts.length === 0) continue;
    const changes = conflicts.map(({ field, file: own, source }) => {
      return { field, from: withNames(own), to: withNames(source) };
    });
    text += paragraph(`\n${clean(`${file} and its source both changed (file → source):`)}`, view);
    text += changeLines(changes, view);
  }
  const ruled = items.flatMap(({ file, ruled = [] }) =>
    [...ruled].map(([field, { origin }]) => [describeRuled({ [field]: origin }), file] as const),
  );
  for (const [value, of] of groupBy(ruled, ([value]) => value))
    text += paragraph(clean(`${value}: ${joinTexts(of.map(([, file]) => file))}`), view);
  return text;
}

function withNames(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((entry: unknown) => (typeof entry === 'string' ? { city: entry } : entry));
}

function countTotals(items: readonly ImportItem[]) {
  const values = items.flatMap(({ posting }) => Object.values(posting?.values ?? {}));
  const found = [...items.map(({ status }) => status), ...values.map(({ sure }) => sure)];
  return countEach([...STATUSES, 'taken', 'guessed'], found);
}

export function importJson(items: readonly ImportItem[], { warnings, emptied, unlistedCount }: Read) {
  return {
    items: items.map(itemJson),
    totals: { ...countTotals(items), unlisted: unlistedCount },
    warnings,
    emptied,
  };
}

function itemJson(item: ImportItem) {
  const { key, posting, source, file, status, changed, conflicts, left, isEdited, problem } = item;
  const leftOut = (posting?.notes ?? []).filter(({ kind }) => kind === 'left-out');
  return {
    id: key,
    source,
    file,
    status,
    taken: fieldsThatAre('taken', posting).map(([field]) => field),
    guessed: fieldsThatAre('guessed', posting).map(([field, { from }]) => ({ field, from })),
    missing: posting === undefined ? [] : missingFields(posting).filter(({ field }) => left.includes(field)),
    leftOut: leftOut.map(({ field, text }) => ({ field, what: text })),
    changed,
    conflicts,
    isEdited,
    rules: Object.fromEntries(Array.from(item.ruled ?? [], ([field, { origin }]) => [field, origin])),
    ...(problem === undefined ? {} : { problem }),
  };
}

interface Read extends Pick<ReadImport, 'unlistedCount' | 'warnings'> {
  readonly emptied: readonly string[];
}

export function importHints(items: readonly ImportItem[], read: Read, out: string, isDry = false): string[] {
  const { taken, guessed, ...statuses } = countTotals(items);
  const counts = Object.entries(statuses).filter(([, count]) => count > 0);
  const parts = counts.map(([status, count]) => `${formatNumber(count)} ${status}`).join(', ');
  const done = `${formatCount(items.length, 'posting')}: ${parts || 'nothing to do'}`;
  return [
    `${isDry ? 'dry run (nothing was written): ' : ''}${done}. ${taken} fields copied, ${guessed} guessed`,
    read.unlistedCount > 0 && `${read.unlistedCount} skipped because the source doesn't list them`,
    read.emptied.length > 0 &&
      `${read.emptied.join(', ')} no longer has postings, so none of its files are treated as gone`,
    statuses.gone > 0 && 'remove the files of gone postings with --prune',
    statuses.deleted > 0 && 'recreate deleted files with --restore',
    statuses.unreadable > 0 && 'fix the unreadable files, then import again',
    statuses.conflict > 0 &&
      'to resolve conflicts, copy what you need from the source, then import again with --keep-edits',
    !isDry &&
      items.length > 0 &&
      `check them with \`partner jobs validate ${out} --draft\`. Without --draft, it also lists missing fields`,
  ].filter((hint) => hint !== false);
}

export function importExit(items: readonly ImportItem[], { emptied, warnings }: Read): number {
  const isLeft = items.some(({ status }) => status === 'conflict' || status === 'unreadable');
  return isLeft || emptied.length > 0 || warnings.length > 0 ? EXIT.someFailed : EXIT.done;
}

export function pruneQuestion(removed: readonly ImportItem[], out: string): string {
  const names = removed.map(({ file, isEdited }) => (isEdited ? `${file} (edited)` : file));
  return clean(`Delete files in ${out} whose postings no longer exist: ${joinTexts(names)}?`);
}
