import { normalise } from '../../contract/place-names.ts';
import type { Place } from '../../contract/places.ts';
import { KEY_MAX_BYTES } from './format.ts';
import type { KeyIndex } from './key-index.ts';
import { allOf, cutsOf, guesses, type Regions, regionsOf } from './parse-query.ts';
import { largest } from './rank.ts';
import type { PlaceIndex } from './search.ts';

/** At the same distance a name is likelier meant than an alias, of which there are many more. */
const ALIAS_EDITS = 0.5;
/** What begins with the text may be meant as well as what is one edit away. */
const PREFIX_EDITS = 1;
/** How many times as many people make up for one more edit: whoever types `Chigaco` means Chicago. */
const PEOPLE_AN_EDIT = 10_000;

/** A name somebody may have meant, and where. */
interface Suspect {
  readonly name: string;
  readonly within?: Regions | undefined;
}

/** The places, as ordinals, at each distance in edits. */
type ByEdits = Map<number, number[]>;

/**
 * The places that a misspelled text most likely means, best first: few edits away, and large. An area behind
 * the name counts as far as it can be made out.
 */
export function nearestPlaces(index: PlaceIndex, text: string, limit: number): Place[] {
  const scores = new Map<number, number>();
  for (const suspect of suspects(index, text)) {
    for (const [edits, ordinals] of placesNear(index, suspect, limit)) {
      for (const ordinal of largest(Uint32Array.from(ordinals), limit)) {
        const score = edits - Math.log(1 + index.gazetteer.population(ordinal)) / Math.log(PEOPLE_AN_EDIT);
        scores.set(ordinal, Math.min(score, scores.get(ordinal) ?? score));
      }
    }
  }
  const best = [...scores].sort(([a, scoreA], [b, scoreB]) => scoreA - scoreB || a - b);
  return best.slice(0, limit).map(([ordinal]) => index.gazetteer.place(ordinal));
}

function suspects({ areas }: PlaceIndex, text: string): Suspect[] {
  const [cut] = cutsOf(text);
  if (cut === undefined) return [{ name: normalise(text) }, ...guesses(text, areas)];
  const known = cut.areaTexts
    .map((area) => regionsOf(area, areas, true) ?? areas.nearest(area, editsAllowed(area)))
    .filter((regions) => regions !== undefined);
  return [{ name: normalise(cut.name), within: allOf(known) }];
}

/**
 * First what has the same first letter, which is seldom mistyped; where there is nothing, all; and where the
 * area holds nothing, what lies elsewhere.
 */
function placesNear(index: PlaceIndex, { name, within }: Suspect, limit: number): ByEdits {
  const [firstLetter] = name;
  if (firstLetter === undefined || Buffer.byteLength(name) > KEY_MAX_BYTES) return new Map();
  for (const regions of new Set([within, undefined])) {
    for (const front of [firstLetter, '']) {
      const found = placesNearWithin(index, name, front, regions, limit);
      if (found.size > 0) return found;
    }
  }
  return new Map();
}

function placesNearWithin(
  { names, aliases, gazetteer }: PlaceIndex,
  name: string,
  front: string,
  within: Regions | undefined,
  limit: number,
): ByEdits {
  const isWithin = within === undefined ? undefined : gazetteer.isWithin(within);
  const found: ByEdits = new Map();
  const add = (edits: number, postings: Uint32Array): void => {
    const ordinals = largest(postings, limit, isWithin);
    if (ordinals.length > 0) found.set(edits, [...(found.get(edits) ?? []), ...ordinals]);
  };
  const addNear = (keys: KeyIndex, extraEdits: number): void => {
    for (const { edits, postings } of keys.near(name, editsAllowed(name), front)) {
      add(edits + extraEdits, postings);
    }
  };
  addNear(names, 0);
  addNear(aliases, ALIAS_EDITS);
  const { words, inWord } = names.find(name);
  add(PREFIX_EDITS, words);
  add(PREFIX_EDITS, inWord);
  return found;
}

/** About one edit in four letters: more lead from any word to some place. */
function editsAllowed(name: string): number {
  if (name.length < 3) return 0;
  if (name.length < 6) return 1;
  return name.length < 10 ? 2 : 3;
}
