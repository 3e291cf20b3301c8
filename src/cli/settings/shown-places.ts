import { dirname } from 'node:path';
import { PartnerError } from '../../contract/errors.ts';
import { type LocationSuggestion, LocationSuggestionSchema } from '../../contract/job.ts';
import { withDirectoryLock } from '../../files/file-lock.ts';
import { readOwnFile, replaceFile } from '../../files/own-file.ts';

/** The newest of a server that are kept. */
const KEPT_MAX = 1000;

/** The places that the searches of a server have shown: it cannot be asked for one by its id. */
export interface ShownPlaces {
  byId(locationId: number): LocationSuggestion | undefined;
  add(places: readonly LocationSuggestion[]): void;
  /** Writes down what was added. What cannot be written is only searched for again. Throws LINK_REFUSED alone. */
  save(): Promise<void>;
}

/** The places that the server at `baseUrl` has shown, kept in the file `path` with those of other servers. */
export function openShownPlaces(path: string, baseUrl: string): ShownPlaces {
  const added = new Map<number, LocationSuggestion>();
  return {
    byId: (locationId) =>
      added.get(locationId) ?? placesIn(read(path)[baseUrl]).find((place) => place.locationId === locationId),
    add(places) {
      for (const { locationId, displayName, city, stateProvince, country } of places) {
        added.delete(locationId);
        added.set(locationId, { locationId, displayName, city, stateProvince, country });
        if (added.size > KEPT_MAX) added.delete(added.keys().next().value as number);
      }
    },
    async save() {
      const newsTo = (known: readonly LocationSuggestion[]) => [...added.values()].filter(isNewTo(known));
      if (newsTo(placesIn(read(path)[baseUrl])).length === 0) return;
      const write = (): void => {
        const servers = read(path);
        const known = placesIn(servers[baseUrl]);
        const news = newsTo(known);
        const ids = new Set(news.map(({ locationId }) => locationId));
        const kept = [...known.filter(({ locationId }) => !ids.has(locationId)), ...news].slice(-KEPT_MAX);
        replaceFile(path, `${JSON.stringify({ ...servers, [baseUrl]: kept })}\n`, { isPrivate: true });
      };
      await withDirectoryLock(dirname(path), write).catch(throwIfLink);
    },
  };
}

function isNewTo(known: readonly LocationSuggestion[]): (place: LocationSuggestion) => boolean {
  const names = new Map(known.map(({ locationId, displayName }) => [locationId, displayName]));
  return ({ locationId, displayName }) => names.get(locationId) !== displayName;
}

/** What cannot be read, or is none of ours, counts as not there. */
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
