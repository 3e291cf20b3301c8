import { normalise } from '../../contract/place-names.ts';
import type { NameBudget, Place } from '../../contract/places.ts';
import { KEY_MAX_BYTES } from './format.ts';
import type { KeyIndex, NearKey } from './key-index.ts';
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
 * the name counts as far as it can be made out. Without anything left in the budget nothing is compared.
 */
export function nearestPlaces(
  index: PlaceIndex,
  text: string,
  limit: number,
  budget: NameBudget = { namesLeft: Number.POSITIVE_INFINITY },
): Place[] {
  if (budget.namesLeft <= 0) return [];
  const scores = new Map<number, number>();
  for (const suspect of suspects(index, text)) {
    for (const [edits, ordinals] of placesNear(index, suspect, limit, budget)) {
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
function placesNear(
  index: PlaceIndex,
  { name, within }: Suspect,
  limit: number,
  budget: NameBudget,
): ByEdits {
  const [firstLetter] = name;
  if (firstLetter === undefined || Buffer.byteLength(name) > KEY_MAX_BYTES) return new Map();
  const compared = new Map<string, NearKey[]>();
  for (const regions of new Set([within, undefined])) {
    for (const front of [firstLetter, '']) {
      const near = compared.get(front) ?? keysNear(index, name, front, budget);
      compared.set(front, near);
      const found = placesNearWithin(index, name, near, regions, limit);
      if (found.size > 0) return found;
    }
  }
  return new Map();
}

/** The names and aliases that begin with `front` and are few edits away, as far as the budget goes. */
function keysNear(
  { names, aliases }: PlaceIndex,
  name: string,
  front: string,
  budget: NameBudget,
): NearKey[] {
  const near = (keys: KeyIndex) =>
    budget.namesLeft > 0 ? keys.near(name, editsAllowed(name), front, budget) : [];
  const official = near(names);
  const others = near(aliases).map(({ edits, postings }) => ({ edits: edits + ALIAS_EDITS, postings }));
  return [...official, ...others];
}

function placesNearWithin(
  { names, gazetteer }: PlaceIndex,
  name: string,
  near: readonly NearKey[],
  within: Regions | undefined,
  limit: number,
): ByEdits {
  const isWithin = within === undefined ? undefined : gazetteer.isWithin(within);
  const found: ByEdits = new Map();
  const add = (edits: number, postings: Uint32Array): void => {
    const ordinals = largest(postings, limit, isWithin);
    if (ordinals.length > 0) found.set(edits, [...(found.get(edits) ?? []), ...ordinals]);
  };
  for (const { edits, postings } of near) add(edits, postings);
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
