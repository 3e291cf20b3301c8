import type { PartnerClient } from '../../client/client.ts';
import type { LocationSuggestion } from '../../contract/job.ts';
import { openOnce } from '../../contract/promises.ts';
import { populationIn } from '../../listings/places/locations.ts';
import type { ShownPlaces } from '../settings/shown-places.ts';
import { openBundledPlaces } from './bundled-engine.ts';

/** A suggestion with its population, which tells Paris from Paris, Texas: section 2.3 has none. */
type FoundPlace = LocationSuggestion & { readonly population?: number | undefined };

/**
 * The places of a server by text and by id; the bundled ones are opened when needed. `shown` is undefined for the
 * bundled engine, which knows its places by id.
 */
export function serverPlaces(client: PartnerClient, shown: ShownPlaces | undefined) {
  const bundled = openOnce(openBundledPlaces);
  /** Lets `placeById` know the places that another search than `searchPlaces` has shown. */
  const rememberPlaces = (places: readonly LocationSuggestion[]): void => shown?.add(places);
  const search = async (q: string, signal?: AbortSignal) => {
    const found = await client.searchLocations({ q }, signal);
    rememberPlaces(found);
    return found;
  };
  return {
    rememberPlaces,
    /** Best first; bundled places have their population. With a signal, which stops it, it is made while somebody types. */
    async searchPlaces(q: string, signal?: AbortSignal): Promise<readonly FoundPlace[]> {
      const suggestions = await search(q, signal);
      const isWhileTyping = signal !== undefined;
      if (suggestions.length < 2 && !isWhileTyping) return suggestions;
      const populationOf = populationIn(await bundled.open());
      return suggestions.map((place) => ({ population: populationOf(place), ...place }));
    },
    /** The place with that id, where a search of this server has shown it, here or in an earlier run, or shows it now. */
    async placeById(locationId: number): Promise<LocationSuggestion | undefined> {
      const known = shown?.byId(locationId);
      if (known !== undefined) return known;
      // Only a search shows whether this server has the bundled place too.
      const place = (await bundled.open()).byId(locationId);
      if (place === undefined) return undefined;
      return (await search(place.city)).find((found) => found.locationId === locationId);
    },
    async close(): Promise<void> {
      await shown?.save();
      (await bundled.opened())?.close();
    },
  };
}
