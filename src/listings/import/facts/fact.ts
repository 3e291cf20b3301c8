import { clipped } from '../../../contract/problems.ts';
import type { ImportedField, ImportedPosting, ImportedValue, ImportNote } from '../imported-posting.ts';
import type { SourceValue } from '../source-posting.ts';
import { oneLine } from './text.ts';

export interface Facts {
  readonly values?: ImportedPosting['values'];
  readonly notes?: readonly ImportNote[];
}

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

/** Fields that a posting sets together. The first one decides. */
const GROUPS: readonly (readonly ImportedField[])[] = [
  ['remoteOption', 'remoteCountry'],
  ...([['locations'], ['jobType'], ['jobLevel']] as const),
  ['salaryMin', 'salaryMax', 'salaryPeriod'],
];

/** Facts from the source's fields. Labels fill in missing facts. Adds a note if fields and labels differ. */
export function withLabels(own: Required<Facts>, labelled: Required<Facts>): Required<Facts> {
  const facts = GROUPS.map((group): Facts => {
    const [head = 'jobType'] = group;
    const [used, other] = isOpenIn(own, labelled, head) ? [labelled, own] : [own, labelled];
    const valueIn = ({ values }: Facts, field: ImportedField): unknown[] =>
      [values?.[field]?.value ?? []].flat();
    const differing = group.find((field) => {
      const [said, others] = [valueIn(used, field), valueIn(other, field)];
      return others.length > 0 && !others.some((value) => said.includes(value));
    });
    const values = group.flatMap((field) => (used.values[field] ? [[field, used.values[field]]] : []));
    const notes = used.notes.filter(({ field }) => group.some((one) => one === field));
    const note = differing && leftOut(differing, `${other.values[differing]?.from} says otherwise`);
    return allOf([{ values: Object.fromEntries(values), notes }, note ?? {}]);
  });
  return allOf(facts);
}

/** Whether the source leaves a field open, or its remote option is doubtful. */
function isOpenIn(own: Required<Facts>, labelled: Required<Facts>, head: ImportedField): boolean {
  const isDoubtful = head === 'remoteOption' && own.values[head]?.note !== undefined && labelled.values[head];
  return Boolean(isDoubtful) || own.notes.some(({ field, isUnsaid }) => field === head && isUnsaid);
}

const SHOWN_CHARACTERS = 100;

export function shown(text: string): string {
  return `"${clipped(oneLine(text.slice(0, 4 * SHOWN_CHARACTERS)), SHOWN_CHARACTERS).replace(/\p{Surrogate}/gu, '')}"`;
}

const LISTED_MAX = 5;

export function listed(texts: readonly string[]): string {
  const more = texts.length - LISTED_MAX;
  return texts.slice(0, LISTED_MAX).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
