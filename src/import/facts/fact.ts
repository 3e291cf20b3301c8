import { clipText } from '../../contract/problems.ts';
import { split } from '../../listings/vocabulary/vocabulary.ts';
import { joinTexts, oneLine } from '../../text/words.ts';
import type { ImportedField, ImportedPosting, ImportedValue, SourceValue } from '../source-posting.ts';
import data from './words.json' with { type: 'json' };

export const PHRASES = split(data);

export type Facts = Partial<Pick<ImportedPosting, 'values' | 'notes'>>;

export type Origin = Pick<SourceValue<unknown>, 'from' | 'isOwnField'>;
type Field = ImportedPosting['notes'][number]['field'];

/** A value is `taken` if its source field has exactly this meaning, and `guessed` otherwise. */
export function fact<F extends ImportedField>(
  field: F,
  value: ImportedValue<F>['value'],
  { from, isOwnField }: Origin,
  note?: string,
): Facts {
  const sure = isOwnField ? 'taken' : 'guessed';
  return { values: { [field]: { value, sure, from: oneLine(from), ...(note !== undefined && { note }) } } };
}

export function describeSource({ value, from }: SourceValue<string | readonly string[]>): string {
  return `${from}: ${joinTexts([value].flat().map(quoteText))}`;
}

export function noteMissing(field: Field, text: string, isUnset = false): Facts {
  return { notes: [{ field, kind: 'missing', text: oneLine(text), isUnset }] };
}

export function noteOmission(field: Field, text: string): Facts {
  return { notes: [{ field, kind: 'left-out', text: oneLine(text) }] };
}

export function mergeFacts(given: readonly (Facts | false | undefined)[]): Required<Facts> {
  const facts = given.filter((one) => one !== false && one !== undefined);
  return {
    values: Object.assign({}, ...facts.map(({ values }) => values)),
    notes: facts.flatMap(({ notes = [] }) => notes),
  };
}

const GROUPS: readonly (readonly ImportedField[])[] = [
  ['remoteOption', 'remoteCountry'],
  ...([['locations'], ['jobType'], ['jobLevel']] as const),
  ['salaryMin', 'salaryMax', 'salaryPeriod'],
];

/** Fills in missing facts with labels from the description. Adds a note if the source's fields and labels differ. */
export function withLabels(own: Required<Facts>, labelled: Required<Facts>): Required<Facts> {
  const facts = GROUPS.map((group): Facts => {
    const [head = 'jobType'] = group;
    const [used, other] = isFieldOpen(own, labelled, head) ? [labelled, own] : [own, labelled];
    const listValues = ({ values }: Facts, field: ImportedField): unknown[] =>
      [values?.[field]?.value ?? []].flat();
    const differing = group.find((field) => {
      const [said, others] = [listValues(used, field), listValues(other, field)];
      return others.length > 0 && !others.some((value) => said.includes(value));
    });
    const values = group.flatMap((field) => (used.values[field] ? [[field, used.values[field]]] : []));
    const notes = used.notes.filter(({ field }) => group.some((one) => one === field));
    const note =
      differing && noteOmission(differing, `${other.values[differing]?.from} has a different value`);
    return mergeFacts([{ values: Object.fromEntries(values), notes }, note]);
  });
  return mergeFacts(facts);
}

function isFieldOpen(own: Required<Facts>, labelled: Required<Facts>, head: ImportedField): boolean {
  const isRemote = own.values.remoteOption?.value === 'REMOTE';
  if (head === 'locations' && isRemote && !isFieldOpen(own, labelled, 'remoteOption')) return false;
  const isDoubtful = head === 'remoteOption' && own.values[head]?.note !== undefined && labelled.values[head];
  return Boolean(isDoubtful) || own.notes.some(({ field, isUnset }) => field === head && isUnset);
}

const SHOWN_CHARACTERS = 100;

export function quoteText(text: string): string {
  return `"${clipText(oneLine(text.slice(0, 4 * SHOWN_CHARACTERS)), SHOWN_CHARACTERS).replace(/\p{Surrogate}/gu, '')}"`;
}
