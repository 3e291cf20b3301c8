import QuickLRU from 'quick-lru';
import { type Places, placeQueryFault, withNameBudget } from '../../contract/places.ts';
import { textLocations } from '../check/findings.ts';
import { type LocationSource, unknownPlace } from './locations.ts';
import { checkText, searchText, type TextPlace } from './place-problems.ts';

/** Up to twice as many texts are remembered, some 20 MB; of more, the least recently used are looked up again. */
const REMEMBERED_MAX = 25_000;

/** How many searches of a server are under way at a time. */
const SEARCHES_MAX = 8;

/** So many of one listing are looked up: twenty times what a listing may have, where limits are not lifted. */
const TEXTS_MAX = 1000;

/** How many names the suggestions of a run compare, in some 2 s: a set may misspell a million places. */
const SUGGESTION_NAMES_MAX = 100_000_000;

/** What the locations of a whole run mean, each looked up once. */
export interface PlaceMemory {
  /** The bundled places; undefined where the server's may be others. */
  readonly places: Places | undefined;
  /**
   * What a location given as text means: at once where that is known here, else from the server's search,
   * of which at most 8 are under way at a time. Rejects with what the search throws, and asks again next time.
   */
  textPlace(text: string): TextPlace | Promise<TextPlace>;
}

/** A memory of what the source says. */
export function createPlaceMemory(given: LocationSource): PlaceMemory {
  const places = given.places && withNameBudget(given.places, SUGGESTION_NAMES_MAX);
  const source = { ...given, places };
  const known = new QuickLRU<string, TextPlace | Promise<TextPlace>>({ maxSize: REMEMBERED_MAX });
  const inTurn = atMost(SEARCHES_MAX);
  const lookUp = (text: string): TextPlace | Promise<TextPlace> => {
    if (places) return checkText(text, places);
    const searched = inTurn(() => searchText(text, source));
    searched.then(
      (found) => known.has(text) && known.set(text, found),
      () => known.delete(text),
    );
    return searched;
  };
  return {
    places,
    textPlace(given) {
      if (placeQueryFault(given)) return tooLarge(given);
      const remembered = known.get(given);
      if (remembered !== undefined) return remembered;
      const text = detached(given);
      const found = lookUp(text);
      known.set(text, found);
      return found;
    },
  };
}

/**
 * What each text location of a listing means, for `Checking`; nothing is looked up for one with more than `entriesMax`
 * locations. Rejects with what a search throws.
 */
export async function textPlacesOf(
  value: unknown,
  memory: PlaceMemory,
  entriesMax = Number.POSITIVE_INFINITY,
): Promise<(text: string) => TextPlace> {
  const texts = textLocations(value, entriesMax).slice(0, TEXTS_MAX);
  const found = new Map(
    await Promise.all(texts.map(async (text) => [text, await memory.textPlace(text)] as const)),
  );
  return (text) => found.get(text) ?? ONE_OF_TOO_MANY;
}

const ONE_OF_TOO_MANY: TextPlace = {
  problem: {
    message: `is not looked up: the listing names more than ${TEXTS_MAX} places`,
    hint: 'name fewer',
  },
};

/**
 * The same text in memory of its own. A part of a text can keep the whole of it alive: what outlives a listing must not
 * hold the line it was read from.
 */
export function detached(text: string): string {
  return JSON.parse(JSON.stringify(text));
}

function tooLarge(text: string): TextPlace {
  const { message, hint = '' } = unknownPlace(text, undefined);
  return { problem: { message, hint } };
}

/** Runs work as it is given, but no more than `count` at a time: the rest waits in its order. */
function atMost(count: number): <T>(work: () => Promise<T>) => Promise<T> {
  let free = count;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free--;
    else await new Promise<void>((start) => waiting.push(start));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free++;
      else next();
    }
  };
}
