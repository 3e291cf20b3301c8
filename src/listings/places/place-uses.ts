import { groupBy } from '../../contract/group-by.ts';
import type { Places } from '../../contract/place-names.ts';
import type { Finding, SourcePosition } from '../check/finding.ts';
import { createDefaults, withDefaults } from '../defaults/defaults.ts';
import type { Input } from '../read/bytes.ts';
import type { Listing } from '../read/listing.ts';
import type { JobFiles } from '../read/paths.ts';
import { entriesOf, readInput, shownName } from '../read/read.ts';
import { idAndName, placeAmong } from './locations.ts';
import { meaningOf } from './meaning-of.ts';
import type { PlaceMeaning } from './place-meaning.ts';
import { hasLocations } from './place-problems.ts';

/** A text that stands for a place, everywhere that it is used. */
export interface UsedText {
  readonly text: string;
  readonly uses: readonly PlaceUse[];
  readonly meaning: PlaceMeaning;
}

export type PlaceUse = SourcePosition & { readonly file: string };

/** The place texts in files, in the order of their first use, and why files aren't read. Throws as `entriesOf` does. */
export async function textsOfListings({ names, named, reading }: JobFiles, input: Input, places: Places) {
  const defaultsOf = createDefaults(input, named);
  const unread: Finding[] = [];
  const uses: [text: string, use: PlaceUse][] = [];
  for (const name of names) {
    const defaults = await defaultsOf(name);
    for await (const entry of entriesOf(name, input, reading)) {
      const { listing, finding } = defaults ? withDefaults(entry, defaults, 'places') : entry;
      if (listing === undefined) unread.push(finding);
      else uses.push(...usesIn(listing));
    }
  }
  return { items: meaningsOf(uses, places), unread };
}

function usesIn({ value, file, locate }: Listing): [text: string, use: PlaceUse][] {
  if (!hasLocations(value)) return [];
  return value.locations.flatMap((text, index) => {
    const position = locate(['locations', index]);
    // What a `_defaults.yaml` means by a text is decided there.
    return typeof text !== 'string' || position.file ? [] : [[text, { ...position, file }] as const];
  });
}

/** The texts of a list, one on each line; `-` is stdin. Throws as `readInput` does. */
export async function textsOfList(name: string, input: Input, places: Places) {
  const lines = (await readInput(name, input)).split(/\r?\n/);
  const uses = lines.map((text, index): [string, PlaceUse] => {
    return [text.trim(), { file: shownName(name), line: index + 1, column: 1 }];
  });
  const named = uses.filter(([text]) => text !== '');
  return { items: meaningsOf(named, places), unread: [] as Finding[] };
}

function meaningsOf(uses: readonly (readonly [text: string, use: PlaceUse])[], places: Places): UsedText[] {
  return Array.from(
    groupBy(uses, ([text]) => text),
    ([text, all]) => ({ text, uses: all.map(([, use]) => use), meaning: meaningWithId(text, places) }),
  );
}

function meaningWithId(text: string, places: Places): PlaceMeaning {
  if (idAndName(text).id === undefined) return meaningOf(text, places);
  const choice = placeAmong(text, places);
  const place = 'clear' in choice ? places.byId(choice.clear.locationId) : undefined;
  return place ? { kind: 'place', place, sure: 'exact' } : { kind: 'unknown' };
}
