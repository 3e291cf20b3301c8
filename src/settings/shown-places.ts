import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type LocationSuggestion, LocationSuggestionSchema } from '../contract/job.ts';

/** The newest of a server that are kept. */
const KEPT_MAX = 1000;

/** The places that the searches of a server have shown: it cannot be asked for one by its id. */
export interface ShownPlaces {
  byId(locationId: number): LocationSuggestion | undefined;
  add(places: readonly LocationSuggestion[]): void;
  /** Writes down what was added. What cannot be written is only searched for again: nothing is thrown. */
  save(): void;
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
    save() {
      if (added.size === 0) return;
      const servers = read(path);
      const known = placesIn(servers[baseUrl]);
      const news = [...added.values()].filter(isNewTo(known));
      if (news.length === 0) return;
      const ids = new Set(news.map(({ locationId }) => locationId));
      const kept = [...known.filter(({ locationId }) => !ids.has(locationId)), ...news];
      write(path, { ...servers, [baseUrl]: kept.slice(-KEPT_MAX) });
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
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function placesIn(value: unknown): LocationSuggestion[] {
  const isPlace = (place: unknown) => LocationSuggestionSchema.safeParse(place, { jitless: true }).success;
  return Array.isArray(value) ? value.filter(isPlace) : [];
}

function write(path: string, servers: object): void {
  const fresh = `${path}.${process.pid}.new`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(fresh, `${JSON.stringify(servers)}\n`, { mode: 0o600 });
    renameSync(fresh, path);
  } catch {
    rmSync(fresh, { force: true });
  }
}
