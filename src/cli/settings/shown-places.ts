import { dirname } from 'node:path';
import { PartnerError } from '../../contract/errors.ts';
import { type LocationSuggestion, LocationSuggestionSchema } from '../../contract/job.ts';
import { withDirectoryLock } from '../../files/file-lock.ts';
import { readOwnFile, replaceFile } from '../../files/own-file.ts';

const KEPT_MAX = 1000;

/** The places that a server's searches have shown: the API has no place by its id. */
export interface ShownPlaces {
  byId(locationId: number): LocationSuggestion | undefined;
  add(places: readonly LocationSuggestion[]): void;
  /** What cannot be written is searched for again. Throws only LINK_REFUSED. */
  save(): Promise<void>;
}

/** The places that the server at `baseUrl` has shown, in the file `path` with those of other servers. */
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
      if (merged(placesIn(read(path)[baseUrl]), added) === undefined) return;
      const write = (): void => {
        const servers = read(path);
        const kept = merged(placesIn(servers[baseUrl]), added);
        if (kept === undefined) return;
        replaceFile(path, `${JSON.stringify({ ...servers, [baseUrl]: kept })}\n`, { isPrivate: true });
      };
      await withDirectoryLock(dirname(path), write).catch(throwIfLink);
    },
  };
}

/** The known places and the added ones, the newest last; undefined where nothing is new. */
function merged(
  known: readonly LocationSuggestion[],
  added: ReadonlyMap<number, LocationSuggestion>,
): LocationSuggestion[] | undefined {
  const places = new Map(known.map((place) => [place.locationId, place]));
  const news = [...added.values()].filter(
    ({ locationId, displayName }) => places.get(locationId)?.displayName !== displayName,
  );
  if (news.length === 0) return undefined;
  for (const place of news) {
    places.delete(place.locationId);
    places.set(place.locationId, place);
  }
  return [...places.values()].slice(-KEPT_MAX);
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
