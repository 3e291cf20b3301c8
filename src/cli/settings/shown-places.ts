import { dirname } from 'node:path';
import { PartnerError } from '../../contract/errors.ts';
import { type LocationSuggestion, LocationSuggestionSchema } from '../../contract/job.ts';
import { withDirectoryLock } from '../../files/file-lock.ts';
import { readOwnFile, replaceFile } from '../../files/own-file.ts';

const KEPT_MAX = 1000;

export type ShownPlaces = ReturnType<typeof openShownPlaces>;

/** The places that the server at `baseUrl` has shown, in the file `path` with those of others: the API has no place by its id. */
export function openShownPlaces(path: string, baseUrl: string) {
  const added = new Map<number, LocationSuggestion>();
  const kept = (servers = read(path)) => placesIn(servers[baseUrl]);
  return {
    byId: (locationId: number): LocationSuggestion | undefined =>
      added.get(locationId) ?? kept().find((place) => place.locationId === locationId),
    add(places: readonly LocationSuggestion[]): void {
      for (const { locationId, displayName, city, stateProvince, country } of places) {
        added.set(locationId, { locationId, displayName, city, stateProvince, country });
      }
    },
    /** What cannot be written is searched for again. Throws only LINK_REFUSED. */
    async save(): Promise<void> {
      const names = new Map(kept().map(({ locationId, displayName }) => [locationId, displayName]));
      const news = [...added.values()].filter((place) => names.get(place.locationId) !== place.displayName);
      if (news.length === 0) return;
      const write = (): void => {
        const servers = read(path);
        const others = kept(servers).filter(({ locationId }) => !added.has(locationId));
        const places = [...others, ...added.values()].slice(-KEPT_MAX);
        replaceFile(path, `${JSON.stringify({ ...servers, [baseUrl]: places })}\n`, { isPrivate: true });
      };
      await withDirectoryLock(dirname(path), write).catch(throwIfLink);
    },
  };
}

/** An unreadable file counts as not there. */
function read(path: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(String(readOwnFile(path)));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch (error) {
    throwIfLink(error);
    return {};
  }
}

function placesIn(value: unknown): LocationSuggestion[] {
  const isPlace = (place: unknown) => LocationSuggestionSchema.safeParse(place, { jitless: true }).success;
  return Array.isArray(value) ? value.filter(isPlace) : [];
}

function throwIfLink(error: unknown): void {
  if (error instanceof PartnerError && error.code === 'LINK_REFUSED') throw error;
}
