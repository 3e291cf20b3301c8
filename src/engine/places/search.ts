import { PLACE_LIMIT_DEFAULT } from '../../contract/limits.ts';
import { normalise } from '../../contract/place-names.ts';
import type { Place, PlaceQuery } from '../../contract/places.ts';
import type { Areas } from './areas.ts';
import { KEY_MAX_BYTES } from './format.ts';
import type { Gazetteer } from './gazetteer.ts';
import type { KeyIndex } from './key-index.ts';
import { allOf, type Interpretation, parsePlaceQuery, type Regions } from './parse-query.ts';
import { type Kind, largest, rank } from './rank.ts';

/** The parts of an open index of places. */
export interface PlaceIndex {
  readonly gazetteer: Gazetteer;
  /** Keys of official names, and of all the others. */
  readonly names: KeyIndex;
  readonly aliases: KeyIndex;
  readonly areas: Areas;
}

/** The places that fit the query, best first; none where its country is unknown. */
export function searchPlaces(index: PlaceIndex, query: PlaceQuery): Place[] {
  const country = query.country === undefined ? undefined : index.areas.country(normalise(query.country));
  if (query.country !== undefined && country === undefined) return [];
  const limit = query.limit ?? PLACE_LIMIT_DEFAULT;
  const found: Record<Kind, number[]> = {
    name: [],
    words: [],
    prefix: [],
    alias: [],
    guess: [],
    aliasPrefix: [],
  };
  for (const interpretation of parsePlaceQuery(query.q, index.areas)) {
    const within = allOf([interpretation.within, country].filter((regions) => regions !== undefined));
    collect(index, interpretation, within, limit, found);
  }
  const best = rank(found, (ordinal) => index.gazetteer.population(ordinal), limit);
  return best.map((ordinal) => index.gazetteer.place(ordinal));
}

function collect(
  { names, aliases, gazetteer }: PlaceIndex,
  { name, isGuess }: Interpretation,
  within: Regions | undefined,
  limit: number,
  found: Record<Kind, number[]>,
): void {
  if (Buffer.byteLength(name) > KEY_MAX_BYTES) return;
  const isWithin = within === undefined ? undefined : gazetteer.isWithin(within);
  const best = (ordinals: Uint32Array) => largest(ordinals, limit, isWithin);
  const official = names.find(name);
  const other = aliases.find(name);
  found.name.push(...best(official.whole));
  found[isGuess ? 'guess' : 'words'].push(...best(official.words));
  found[isGuess ? 'guess' : 'prefix'].push(...best(official.inWord));
  found.alias.push(...best(other.whole));
  found.aliasPrefix.push(...best(other.words), ...best(other.inWord));
}
