import { changeLines } from '../../bulk/view/plan-diff.ts';
import type { Column } from '../../cli/terminal/column.ts';
import { table } from '../../cli/terminal/table.ts';
import { clean, paragraph, type Style, type View } from '../../cli/terminal/view.ts';
import { EXIT } from '../../contract/errors.ts';
import type { ImportItem, ImportStatus } from '../../listings/import/plan-import.ts';
import type { ReadImport } from '../../listings/import/read-import.ts';
import { missingFields } from '../../listings/import/write-listing.ts';

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

const COLUMNS: readonly Column<ImportItem>[] = [
  { title: 'STATUS', text: ({ status }) => status, style: ({ status }) => STYLES[status] },
  { title: 'FILE', text: ({ file }) => file, shrinksTo: 14 },
  { title: 'TAKEN', text: (item) => counted(item, 'taken'), align: 'right', givesWay: 2 },
  { title: 'GUESSED', text: (item) => counted(item, 'guessed'), align: 'right', givesWay: 1 },
  {
    title: 'LEFT TO YOU',
    // The files have the full field names.
    text: ({ left }) => [...new Set(left.map((field) => field.replace(/^(bid|salary).*/, '$1')))].join(', '),
    shrinksTo: 10,
  },
];

function counted({ posting }: ImportItem, sure: 'taken' | 'guessed'): string {
  return posting === undefined ? '' : String(fieldsThatAre(sure, posting).length);
}

function fieldsThatAre(sure: 'taken' | 'guessed', posting: ImportItem['posting']) {
  return Object.entries(posting?.values ?? {}).filter(([, value]) => value.sure === sure);
}

/** What became of each posting, and below it what nobody but a person can settle. */
export async function importView(items: readonly ImportItem[], view: View): Promise<string> {
  let text = await table(COLUMNS, items, view, 'No postings.');
  for (const { file, conflicts, problem } of items) {
    if (problem !== undefined) text += paragraph(`\n${clean(`${file} is left as it is: ${problem}`)}`, view);
    if (conflicts.length === 0) continue;
    const changes = conflicts.map(({ field, file: own, source }) => {
      return { field, from: withNames(own), to: withNames(source) };
    });
    text += paragraph(`\n${clean(`${file} and its source both changed (file → source):`)}`, view);
    text += changeLines(changes, view);
  }
  return text;
}

/** A place that is written as a text as one with that name. */
function withNames(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((entry: unknown) => (typeof entry === 'string' ? { city: entry } : entry));
}

function totalsOf(items: readonly ImportItem[]) {
  const totals: Record<ImportStatus | 'taken' | 'guessed', number> = {
    ...{ new: 0, changed: 0, unchanged: 0, conflict: 0, gone: 0, removed: 0, deleted: 0, unreadable: 0 },
    ...{ taken: 0, guessed: 0 },
  };
  for (const { status, posting } of items) {
    totals[status] += 1;
    totals.taken += fieldsThatAre('taken', posting).length;
    totals.guessed += fieldsThatAre('guessed', posting).length;
  }
  return totals;
}

export function importJson(items: readonly ImportItem[], { warnings, emptied, unlistedCount }: Read) {
  return {
    items: items.map(itemJson),
    totals: { ...totalsOf(items), unlisted: unlistedCount },
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
    ...(problem === undefined ? {} : { problem }),
  };
}

interface Read extends Pick<ReadImport, 'unlistedCount' | 'warnings'> {
  /** The sources that had postings once, and have none now. */
  readonly emptied: readonly string[];
}

/** What was done, and what comes next, a line each; `out` is the directory as a word of a command line. */
export function importHints(items: readonly ImportItem[], read: Read, out: string, isDry = false): string[] {
  const { taken, guessed, ...statuses } = totalsOf(items);
  const counts = Object.entries(statuses).filter(([, count]) => count > 0);
  const parts = counts.map(([status, count]) => `${count.toLocaleString('en')} ${status}`).join(', ');
  const done = `${items.length.toLocaleString('en')} posting${items.length === 1 ? '' : 's'}: ${parts || 'nothing to do'}`;
  const hints: readonly (readonly [applies: boolean, hint: string])[] = [
    [
      true,
      `${isDry ? 'Dry run, nothing is written: ' : ''}${done}; ${taken} fields taken, ${guessed} guessed`,
    ],
    [read.unlistedCount > 0, `${read.unlistedCount} not listed by the source, and left out`],
    [
      read.emptied.length > 0,
      `no posting any more in ${read.emptied.join(', ')}: nothing of it counts as gone`,
    ],
    [statuses.gone > 0, '--prune removes the files of postings that are gone'],
    [statuses.deleted > 0, '--restore writes the files again that were deleted'],
    [statuses.unreadable > 0, 'mend the files that are unreadable, then import again'],
    [statuses.conflict > 0, 'take over what is right in the source, then keep the rest with --keep-edits'],
    [
      !isDry && items.length > 0,
      `check them with \`partner jobs validate ${out} --draft\`; without --draft it names what is left to you`,
    ],
  ];
  return hints.filter(([applies]) => applies).map(([, hint]) => hint);
}

/** 9 where something was left that a person has to settle. */
export function importExit(items: readonly ImportItem[], { emptied, warnings }: Read): number {
  const isLeft = items.some(({ status }) => status === 'conflict' || status === 'unreadable');
  return isLeft || emptied.length > 0 || warnings.length > 0 ? EXIT.someFailed : EXIT.done;
}

const FILES_NAMED = 5;

/** Asked before anything is shown, and so it names the files. */
export function pruneQuestion(removed: readonly ImportItem[], out: string): string {
  const names = removed.map(({ file, isEdited }) => (isEdited ? `${file} (edited)` : file));
  const more = names.length > FILES_NAMED ? ` and ${names.length - FILES_NAMED} more` : '';
  const which = `${names.slice(0, FILES_NAMED).join(', ')}${more}`;
  return clean(`Remove from ${out} what is gone from its source: ${which}?`);
}
