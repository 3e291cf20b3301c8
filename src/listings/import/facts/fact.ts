import { clipped } from '../../../contract/problems.ts';
import type { ImportedField, ImportedPosting, ImportedValue, ImportNote } from '../imported-posting.ts';
import type { SourceValue } from '../source-posting.ts';
import { oneLine } from './text.ts';

/** What one part of a posting says. */
export interface Facts {
  readonly values?: ImportedPosting['values'];
  readonly notes?: readonly ImportNote[];
}

/** Where a value was read, and whether that means just it. */
export type Origin = Pick<SourceValue<unknown>, 'from' | 'isOwnField'>;
type Field = ImportNote['field'];

/** Taken from a field that means just this; guessed from any other. */
export function fact<F extends ImportedField>(
  field: F,
  value: ImportedValue<F>['value'],
  { from, isOwnField }: Origin,
  note?: string,
): Facts {
  const sure = isOwnField ? 'taken' : 'guessed';
  return { values: { [field]: { value, sure, from: oneLine(from), ...(note !== undefined && { note }) } } };
}

/** `categories.commitment: "Full-time"`: what a value is read out of. */
export function readOf({ value, from }: SourceValue<string | readonly string[]>): string {
  return `${from}: ${listed([value].flat().map(shown))}`;
}

export function missing(field: Field, text: string, isUnsaid = false): Facts {
  return { notes: [{ field, kind: 'missing', text: oneLine(text), isUnsaid }] };
}

export function leftOut(field: Field, text: string): Facts {
  return { notes: [{ field, kind: 'left-out', text: oneLine(text) }] };
}

export function allOf(facts: readonly Facts[]): Required<Facts> {
  return {
    values: Object.assign({}, ...facts.map(({ values }) => values)),
    notes: facts.flatMap(({ notes = [] }) => notes),
  };
}

/** Fields that are said together; the first one decides. */
const GROUPS: readonly (readonly ImportedField[])[] = [
  ['remoteOption', 'remoteCountry'],
  ['salaryMin', 'salaryMax', 'salaryPeriod'],
  ...(['locations', 'jobType', 'jobLevel'] as const).map((field) => [field]),
];

/** The facts of the source's fields; those with its labels count for what the fields leave open, and are noted elsewhere. */
export function withLabels(own: Required<Facts>, labelled: Required<Facts>): Required<Facts> {
  const isOpen = ([head = 'jobType']: readonly ImportedField[]) => {
    const isDoubtful =
      head === 'remoteOption' && own.values[head]?.note !== undefined && labelled.values[head];
    return isDoubtful || own.notes.some(({ field, isUnsaid }) => field === head && isUnsaid);
  };
  const open = GROUPS.filter(isOpen).flat();
  const part = ({ values, notes }: Required<Facts>, isTaken: boolean): Facts => {
    const isOf = (field: string) => open.some((one) => one === field) === isTaken;
    const entries = Object.entries(values).filter(([field]) => isOf(field));
    return { values: Object.fromEntries(entries), notes: notes.filter(({ field }) => isOf(field)) };
  };
  const contradictions = GROUPS.map((group) => {
    const [used, other] = isOpen(group) ? [labelled, own] : [own, labelled];
    const isOther = (field: ImportedField) => {
      const said = [used.values[field]?.value].flat();
      const others = [other.values[field]?.value ?? []].flat();
      return others.length > 0 && !others.some((value) => said.some((one) => one === value));
    };
    const field = group.find(isOther);
    return field ? leftOut(field, `${other.values[field]?.from} says otherwise`) : {};
  });
  return allOf([part(own, false), part(labelled, true), ...contradictions]);
}

const SHOWN_CHARACTERS = 100;

/** A text of the source in a note: one line, in quotes. */
export function shown(text: string): string {
  return `"${clipped(oneLine(text.slice(0, 4 * SHOWN_CHARACTERS)), SHOWN_CHARACTERS).replace(/\p{Surrogate}/gu, '')}"`;
}

const LISTED_MAX = 5;

export function listed(texts: readonly string[]): string {
  const more = texts.length - LISTED_MAX;
  return texts.slice(0, LISTED_MAX).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
