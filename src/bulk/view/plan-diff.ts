import { alone, differingCharacters, toldApart } from '../../cli/terminal/apart.ts';
import { details } from '../../cli/terminal/blocks.ts';
import { clean } from '../../cli/terminal/clean.ts';
import { type EntryChange, entryChanges, isEntryField } from '../../cli/terminal/entry-diff.ts';
import type { View } from '../../cli/terminal/view.ts';
import { cents, grouped } from '../../cli/terminal/words.ts';
import { formatDollars } from '../../contract/money.ts';
import type { PlannedChange } from './planned.ts';

/** Longer texts, and those of several lines, are shown around their first difference. */
const LINE_CHARACTERS = 60;

const SIGN_STYLES = { '+': 'green', '-': 'red', '~': 'yellow' } as const;

/** The changes of a listing, field by field: `salaryMax  $80,000 → $95,000`; lists entry by entry. */
export function changeLines(changes: readonly PlannedChange[], view: View): string {
  return details(
    changes.map((change) => [change.field, changeText(change, view)]),
    view,
  );
}

function changeText({ field, from, to }: PlannedChange, view: View): string {
  if (isEntryField(field)) return signed(entryChanges(field, from, to), view);
  const [before, after] = [valueText(field, from), valueText(field, to)];
  if (isLong(before) || isLong(after)) return longText(before, after, view);
  return besideEachOther(before, after, view.paint('dim', NONE));
}

const NONE = '(none)';

function besideEachOther(before: string, after: string, none: string): string {
  const isBoth = before !== '' && after !== '';
  const [a, b] = isBoth ? toldApart(before, after) : [alone(before), alone(after)];
  return `${a || none} → ${b || none}`;
}

/** The changes of a listing on one line: `salaryMax $46 → $48; description 40 characters added; budgets 2 removed`. */
export function changesOnOneLine(changes: readonly PlannedChange[]): string {
  return changes.map((change) => `${clean(change.field)} ${shortChange(change)}`).join('; ');
}

function shortChange({ field, from, to }: PlannedChange): string {
  if (isEntryField(field)) return shortEntries(entryChanges(field, from, to));
  const [before, after] = [valueText(field, from), valueText(field, to)];
  return isLong(before) || isLong(after) ? sizeOfChange(before, after) : besideEachOther(before, after, NONE);
}

/** The entries themselves where they are short, else how many. */
function shortEntries(changes: readonly EntryChange[]): string {
  const whole = changes.map(({ sign, text }) => `${sign} ${text}`).join(', ');
  if (whole.length <= LINE_CHARACTERS) return whole;
  const words = { '~': 'changed', '-': 'removed', '+': 'added' } as const;
  return Object.entries(words)
    .map(([of, word]) => [changes.filter(({ sign }) => sign === of).length, word] as const)
    .flatMap(([count, word]) => (count === 0 ? [] : [`${count} ${word}`]))
    .join(', ');
}

/** A value as text, not cleaned yet; money as money; '' where there is none. */
export function valueText(field: string, value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (Number.isSafeInteger(value)) {
    if (field === 'salaryMin' || field === 'salaryMax') return formatDollars(value as number);
    if (field === 'bidPerQualifiedApplicantCents') return cents(value) ?? '';
  }
  return JSON.stringify(value) ?? '';
}

/** True for what is too long, or has too many lines, to be shown whole beside another. */
export function isLong(text: string): boolean {
  return text.length > LINE_CHARACTERS || /[\r\n]/.test(text);
}

/** How much of a long text is another, and what both were at their first difference. */
function longText(before: string, after: string, view: View): string {
  const size = sizeOfChange(before, after);
  const [a, b] = toldApart(before, after);
  const lines: EntryChange[] = [
    ...(before === '' ? [] : [{ sign: '-', text: a } as const]),
    ...(after === '' ? [] : [{ sign: '+', text: b } as const]),
  ];
  return `${view.paint('dim', size)}\n${signed(lines, view)}`;
}

/** `12 characters became 40`: how much of a long text is another. */
export function sizeOfChange(before: string, after: string): string {
  const { removed, added } = differingCharacters(before, after);
  if (removed > 0 && added > 0) return `${characters(removed)} became ${grouped(added)}`;
  return removed > 0 ? `${characters(removed)} removed` : `${characters(added)} added`;
}

function characters(count: number): string {
  return `${grouped(count)} character${count === 1 ? '' : 's'}`;
}

function signed(lines: readonly EntryChange[], view: View): string {
  return lines.map(({ sign, text }) => `${view.paint(SIGN_STYLES[sign], sign)} ${text}`).join('\n');
}
