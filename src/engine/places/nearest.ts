import { type NameBudget, normalise, type Place, splitAtCommas } from '../../contract/place-names.ts';
import type { PlaceIndex } from './gazetteer.ts';
import { KEY_MAX_BYTES } from './index-file.ts';
import type { KeyIndex, NearKey } from './key-index.ts';
import { allOf, type Interpretation, impliedAreas, type Regions, regionsOf } from './parse-query.ts';
import { largest } from './rank.ts';

/** At the same distance a name is likelier than an alias, of which there are many more. */
const ALIAS_EDITS = 0.5;
/** What begins with the text may be meant as well as what is one edit away. */
const PREFIX_EDITS = 1;
/** How many times as many people make up for one more edit: `Chigaco` means Chicago. */
const PEOPLE_AN_EDIT = 10_000;

/** The places that a misspelled text most likely means: few edits away, and large; none with an empty budget. */
export function nearestPlaces(
  index: PlaceIndex,
  text: string,
  limit: number,
  budget: NameBudget = { namesLeft: Number.POSITIVE_INFINITY },
): Place[] {
  if (budget.namesLeft <= 0) return [];
  const scores = new Map<number, number>();
  for (const candidate of candidates(index, text)) {
    for (const { edits, ordinals } of placesNear(index, candidate, limit, budget)) {
      for (const ordinal of ordinals) {
        const score = edits - Math.log(1 + index.gazetteer.population(ordinal)) / Math.log(PEOPLE_AN_EDIT);
        scores.set(ordinal, Math.min(score, scores.get(ordinal) ?? score));
      }
    }
  }
  const best = [...scores].sort(([a, scoreA], [b, scoreB]) => scoreA - scoreB || a - b);
  return best.slice(0, limit).map(([ordinal]) => index.gazetteer.place(ordinal));
}

function candidates({ areas }: PlaceIndex, text: string): Pick<Interpretation, 'name' | 'within'>[] {
  const [split] = splitAtCommas(text);
  if (split === undefined) return [{ name: normalise(text) }, ...impliedAreas(text, areas)];
  const known = split.areas
    .map((area) => regionsOf(area, areas, true) ?? areas.nearest(area, editsAllowed(area)))
    .filter((regions) => regions !== undefined);
  return [{ name: normalise(split.name), within: allOf(known) }];
}

/** First with the same first letter, which is seldom mistyped, then all; where the area has nothing, elsewhere. */
function placesNear(
  index: PlaceIndex,
  { name, within }: Pick<Interpretation, 'name' | 'within'>,
  limit: number,
  budget: NameBudget,
): ReturnType<typeof placesNearWithin> {
  const [firstLetter] = name;
  if (firstLetter === undefined || Buffer.byteLength(name) > KEY_MAX_BYTES) return [];
  const compared = new Map<string, NearKey[]>();
  for (const regions of new Set([within, undefined])) {
    for (const front of [firstLetter, '']) {
      const near = compared.get(front) ?? keysNear(index, name, front, budget);
      compared.set(front, near);
      const found = placesNearWithin(index, name, near, regions, limit);
      if (found.length > 0) return found;
    }
  }
  return [];
}

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
) {
  const isWithin = within === undefined ? undefined : gazetteer.isWithin(within);
  const { words, inWord } = names.find(name);
  const longer = [words, inWord].map((postings) => ({ edits: PREFIX_EDITS, postings }));
  return [...near, ...longer]
    .map(({ edits, postings }) => ({ edits, ordinals: largest(postings, limit, isWithin) }))
    .filter(({ ordinals }) => ordinals.length > 0);
}

/** About one edit in four letters: more lead from any word to some place. */
function editsAllowed(name: string): number {
  if (name.length < 3) return 0;
  if (name.length < 6) return 1;
  return name.length < 10 ? 2 : 3;
}
