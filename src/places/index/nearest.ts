import { type NameBudget, normalise, type Place } from '../place-names.ts';
import type { PlaceIndex } from './gazetteer.ts';
import { KEY_MAX_BYTES } from './index-file.ts';
import type { KeyIndex, NearKey } from './key-index.ts';
import {
  type Interpretation,
  intersectRegions,
  parseImpliedAreas,
  parseRegions,
  type Regions,
  splitAtCommas,
} from './parse-query.ts';
import { largest } from './rank.ts';

/** Added to the distance of an alias, because aliases far outnumber names. */
const ALIAS_EDITS = 0.5;
/** The distance of a place whose name starts with the text. */
const PREFIX_EDITS = 1;
/** Population ratio at which a match one edit further away wins (`Chigaco` → Chicago). */
const PEOPLE_AN_EDIT = 10_000;

export function nearestPlaces(
  index: PlaceIndex,
  text: string,
  limit: number,
  budget: NameBudget = { namesLeft: Number.POSITIVE_INFINITY },
): Place[] {
  if (budget.namesLeft <= 0) return [];
  const scores = new Map<number, number>();
  for (const candidate of listCandidates(index, text)) {
    for (const { edits, ordinals } of findPlacesNear(index, candidate, limit, budget)) {
      for (const ordinal of ordinals) {
        const score = edits - Math.log(1 + index.gazetteer.population(ordinal)) / Math.log(PEOPLE_AN_EDIT);
        scores.set(ordinal, Math.min(score, scores.get(ordinal) ?? score));
      }
    }
  }
  const best = [...scores].sort(([a, scoreA], [b, scoreB]) => scoreA - scoreB || a - b);
  return best.slice(0, limit).map(([ordinal]) => index.gazetteer.place(ordinal));
}

function listCandidates({ areas }: PlaceIndex, text: string): Pick<Interpretation, 'name' | 'within'>[] {
  const [split] = splitAtCommas(text);
  if (split === undefined) return [{ name: normalise(text) }, ...parseImpliedAreas(text, areas)];
  const known = split.areas
    .map((area) => parseRegions(area, areas, true) ?? areas.nearest(area, editsAllowed(area)))
    .filter((regions) => regions !== undefined);
  return [{ name: normalise(split.name), within: intersectRegions(known) }];
}

/** Tries names with the same first letter first, because it's rarely misspelled. Falls back to other areas. */
function findPlacesNear(
  index: PlaceIndex,
  { name, within }: Pick<Interpretation, 'name' | 'within'>,
  limit: number,
  budget: NameBudget,
): ReturnType<typeof listNearPlaces> {
  const [firstLetter] = name;
  if (firstLetter === undefined || Buffer.byteLength(name) > KEY_MAX_BYTES) return [];
  const compared = new Map<string, NearKey[]>();
  for (const regions of new Set([within, undefined])) {
    for (const front of [firstLetter, '']) {
      const near = compared.get(front) ?? findKeysNear(index, name, front, budget);
      compared.set(front, near);
      const found = listNearPlaces(index, name, near, regions, limit);
      if (found.length > 0) return found;
    }
  }
  return [];
}

function findKeysNear({ names, aliases }: PlaceIndex, name: string, front: string, budget: NameBudget) {
  const near = (keys: KeyIndex) =>
    budget.namesLeft > 0 ? keys.near(name, editsAllowed(name), front, budget) : [];
  const official = near(names);
  const others = near(aliases).map(({ edits, postings }) => ({ edits: edits + ALIAS_EDITS, postings }));
  return [...official, ...others];
}

function listNearPlaces(
  { names, gazetteer }: PlaceIndex,
  name: string,
  near: readonly NearKey[],
  within: Regions | undefined,
  limit: number,
) {
  const isWithin = gazetteer.buildFilter(within);
  const { words, inWord } = names.find(name);
  const longer = [words, inWord].map((postings) => ({ edits: PREFIX_EDITS, postings }));
  return [...near, ...longer]
    .map(({ edits, postings }) => ({ edits, ordinals: largest(postings, limit, isWithin) }))
    .filter(({ ordinals }) => ordinals.length > 0);
}

/** About one edit per four letters, because more edits would turn any word into some place. */
function editsAllowed(name: string): number {
  if (name.length < 3) return 0;
  if (name.length < 6) return 1;
  return name.length < 10 ? 2 : 3;
}
