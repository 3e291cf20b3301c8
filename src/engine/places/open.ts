import QuickLRU from 'quick-lru';
import type { Place, Places } from '../../contract/places.ts';
import { Areas } from './areas.ts';
import { Gazetteer } from './gazetteer.ts';
import { IndexFile } from './index-file.ts';
import { KeyIndex } from './key-index.ts';
import { nearestPlaces } from './nearest.ts';
import { type PlaceIndex, searchPlaces } from './search.ts';

/** Up to twice as many are kept, some 5 MB: listings name the same places again and again. */
const KNOWN_PLACES_MAX = 10_000;

/**
 * The places of the file that `scripts/places.ts` builds. It stays open until `close()`, and a search reads
 * some kilobytes of it. Throws FILE_UNREADABLE where the file is missing, foreign, cut short or damaged;
 * damage may also show only when a call reads it.
 */
export function openPlaces(path: string): Places & { close(): void } {
  const file = new IndexFile(path);
  const index: PlaceIndex = {
    gazetteer: new Gazetteer(file),
    names: new KeyIndex(file, 'name'),
    aliases: new KeyIndex(file, 'alias'),
    areas: new Areas(file),
  };
  const known = new QuickLRU<number, Place>({ maxSize: KNOWN_PLACES_MAX });
  const read = (locationId: number): Place | undefined => {
    const ordinal = index.gazetteer.ordinalOf(locationId);
    return ordinal === undefined ? undefined : index.gazetteer.place(ordinal);
  };
  return {
    search: (query) => searchPlaces(index, query),
    byId(locationId) {
      const place = known.get(locationId) ?? read(locationId);
      if (place !== undefined) known.set(locationId, place);
      return place;
    },
    nearest: (text, limit, budget) => nearestPlaces(index, text, limit, budget),
    close: () => file.close(),
  };
}
