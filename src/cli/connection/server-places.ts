import type { LocationSuggestion } from '../../contract/job.ts';
import type { PlaceQuery, Places } from '../../contract/places.ts';
import { openOnce } from '../../contract/promises.ts';
import { populationIn } from '../../listings/places/locations.ts';
import type { ShownPlaces } from '../settings/shown-places.ts';
import type { Connection } from './connection.ts';

interface PlaceSources {
  readonly search: (query: PlaceQuery, signal?: AbortSignal) => Promise<LocationSuggestion[]>;
  readonly openBundled: () => Promise<Places & { close(): void }>;
  /** Undefined for the bundled engine, which knows its places by id. */
  readonly shown: ShownPlaces | undefined;
}

/** The places of a server by text and by id. The bundled ones are opened when needed. */
export function serverPlaces({ search, openBundled, shown }: PlaceSources): Pick<
  Connection,
  'searchPlaces' | 'placeById' | 'rememberPlaces'
> & {
  close(): Promise<void>;
} {
  const bundled = openOnce(openBundled);
  const rememberPlaces: Connection['rememberPlaces'] = (places) => shown?.add(places);
  const searched = async (q: string, signal?: AbortSignal) => {
    const found = await search({ q }, signal);
    rememberPlaces(found);
    return found;
  };
  return {
    rememberPlaces,
    async searchPlaces(q, signal) {
      const suggestions = await searched(q, signal);
      const isWhileTyping = signal !== undefined;
      if (suggestions.length < 2 && !isWhileTyping) return suggestions;
      const populationOf = populationIn(await bundled.open());
      return suggestions.map((place) => ({ population: populationOf(place), ...place }));
    },
    async placeById(locationId) {
      const known = shown?.byId(locationId);
      if (known !== undefined) return known;
      // Only a search shows whether this server has the bundled place too.
      const place = (await bundled.open()).byId(locationId);
      if (place === undefined) return undefined;
      return (await searched(place.city)).find((found) => found.locationId === locationId);
    },
    async close() {
      await shown?.save();
      (await bundled.opened())?.close();
    },
  };
}
