import type { LocationSuggestion } from '../../contract/job.ts';
import { clean } from '../terminal/clean.ts';
import { shorten, widthOf, wrap } from '../terminal/width.ts';
import { grouped } from '../terminal/words.ts';

export type Suggestion = LocationSuggestion & { readonly population?: number | undefined };

export type Answer = Suggestion | 'that is all' | 'take back';

export interface Entry {
  readonly name: string;
  readonly value: Answer | undefined;
  readonly short?: string;
  readonly description?: string;
  readonly disabled?: string;
}

/** The places that were found, at most `columns` wide each; what distinguishes namesakes is never shortened. */
export function foundEntries(
  found: readonly Suggestion[],
  picked: readonly Suggestion[],
  columns: number,
): Entry[] {
  return found.map((place) => {
    const name = nameOf(place);
    const namesakes = found.filter((other) => nameOf(other) === name);
    const facts = [
      place.population === undefined ? undefined : grouped(place.population),
      namesakes.length > 1 ? `id ${place.locationId}` : undefined,
      picked.some(isSame(place)) ? 'picked' : undefined,
    ];
    const tail = facts.map((fact) => (fact === undefined ? '' : ` · ${clean(fact)}`)).join('');
    const shown = shorten(name, columns - widthOf(tail)) + tail;
    const whole = wrap(name + tail, columns).join('\n');
    return { name: shown, value: place, short: name, ...(shown === whole ? {} : { description: whole }) };
  });
}

/** What can be picked while nothing is typed. */
export function untypedEntries(picked: readonly Suggestion[], columns: number): Entry[] {
  const last = picked.at(-1);
  if (last === undefined) return [{ name: 'none for now', value: 'that is all' }];
  const count = `${picked.length} ${picked.length === 1 ? 'place' : 'places'}`;
  const back = nameOf(last);
  return [
    { name: `that is all (${count})`, value: 'that is all' },
    { name: shorten(`take back ${back}`, columns), value: 'take back', short: `took back ${back}` },
    ...picked.map((place) => remark(`✓ ${nameOf(place)}`, columns)),
  ];
}

/** Text that cannot be picked. */
export function remark(text: string, columns: number): Entry {
  // Instead of inquirer's "(disabled)".
  return { name: wrap(clean(text), columns).join('\n  '), value: undefined, disabled: ' ' };
}

/** Whether a place is another one by its id. */
export function isSame({ locationId }: Suggestion): (place: Suggestion) => boolean {
  return (place) => place.locationId === locationId;
}

function nameOf({ city, stateProvince, country }: Suggestion): string {
  return [city, stateProvince, country].map(clean).filter(Boolean).join(', ');
}
