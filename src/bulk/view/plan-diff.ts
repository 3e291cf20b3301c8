import {
  arrow,
  changeOnOneLine,
  type EntryChange,
  entryChanges,
  isEntryField,
  isLong,
  sizeOfChange,
  toldApart,
  valueText,
} from '../../cli/terminal/job-diff.ts';
import { clean, details, type View } from '../../cli/terminal/view.ts';
import type { Difference } from '../../contract/entries.ts';
import { groupBy } from '../../contract/group-by.ts';
import type { FieldChange } from '../plan/plan-item.ts';

const SIGN_STYLES = { '+': 'green', '-': 'red', '~': 'yellow' } as const;

type Origins = Readonly<Record<string, string>>;

/** The changes of a listing, field by field: `salaryMax  $80,000 → $95,000`; lists entry by entry. */
export function changeLines(changes: readonly FieldChange[], view: View, origins: Origins = {}): string {
  return details(
    changes.map((change) => {
      const text = changeText(change, view);
      const origin = view.paint('dim', fromFile(change.field, origins));
      return [
        change.field,
        text.includes('\n') ? `${origin}\n${text}`.trimStart() : `${text} ${origin}`.trimEnd(),
      ];
    }),
    view,
  );
}

/** Where the fields of a listing come from that are not its own, a line for each file. */
export function originLines(origins: Origins, view: View): string {
  const files = groupBy(Object.keys(origins), (field) => origins[field] ?? '');
  return details(
    Array.from(files, ([file, fields]) => [`from ${file}`, clean(fields.join(', '))]),
    view,
  );
}

function fromFile(field: string, origins: Origins): string {
  const file = origins[field];
  return file === undefined ? '' : `(from ${clean(file)})`;
}

function changeText({ field, from, to }: FieldChange, view: View): string {
  if (isEntryField(field)) return signed(entryChanges(field, from, to), view);
  const [before, after] = [valueText(from, field), valueText(to, field)];
  if (!isLong(before) && !isLong(after)) return arrow(before, after, view.paint('dim', '(none)'));
  const [a, b] = toldApart(before, after);
  const lines: EntryChange[] = [
    { sign: '-', text: a },
    { sign: '+', text: b },
  ];
  const shown = lines.filter(({ text }) => text !== '');
  return `${view.paint('dim', sizeOfChange(before, after))}\n${signed(shown, view)}`;
}

function signed(lines: readonly EntryChange[], view: View): string {
  return lines.map(({ sign, text }) => `${view.paint(SIGN_STYLES[sign], sign)} ${text}`).join('\n');
}

/** The changes of a listing on one line: `salaryMax $46 → $48; description 40 characters added; budgets 2 removed`. */
export function changesOnOneLine(changes: readonly Difference[], origins: Origins = {}): string {
  return changes
    .map(({ field, from, to }) => `${changeOnOneLine(field, from, to)} ${fromFile(field, origins)}`.trimEnd())
    .join('; ');
}
