import type { PartnerClient } from '../client/client.ts';
import { PartnerError } from '../contract/errors.ts';
import type { SpendRules } from '../contract/guardrails.ts';
import type { LocationSuggestion } from '../contract/job.ts';
import type { Limits } from '../contract/limits.ts';
import type { Places } from '../contract/places.ts';
import type { LocationSource } from '../listings/places/locations.ts';
import { createPlaceMemory, type PlaceMemory } from '../listings/places/place-memory.ts';
import type { TextPlace } from '../listings/places/place-problems.ts';
import type { Input } from '../listings/read/bytes.ts';
import { type ListingSet, openListings } from '../listings/read/listing-set.ts';
import { expandPaths, pathScope } from '../listings/read/paths.ts';
import { createRealPaths } from '../listings/read/real-paths.ts';
import { listingOfKey } from './plan/listing-key.ts';
import type { PlanOptions } from './plan/plan-item.ts';
import { readSet, type SetReading } from './read-set.ts';
import { folded } from './state/journal-content.ts';
import { readLastRun } from './state/last-run.ts';
import { readJournal } from './state/read-journal.ts';
import type { BulkState, Intent } from './state/state.ts';
import { findState, keyPath, readState } from './state/state-file.ts';
import { stateDigest } from './state/state-text.ts';

/** What a plan or an apply is asked to do. */
export interface BulkRequest {
  /** As they were typed. */
  readonly paths: readonly string[];
  readonly cwd: string;
  /** Elsewhere than beside the files. */
  readonly stateFile: string | undefined;
  readonly publish: boolean;
  /** Incomplete listings may be sent: the server decides. */
  readonly noCheck: boolean;
  readonly plan: PlanOptions;
  readonly rebuild: boolean;
  readonly createAnyway: boolean;
  readonly keepGoing: boolean;
  readonly onlyFailed: boolean;
  readonly concurrency: number;
  /** What a listing may cost. */
  readonly spending: SpendRules;
  readonly interrupted: AbortSignal;
}

/** Where the jobs are. */
export interface BulkServer {
  /** The API's root; what the state is bound to. */
  readonly baseUrl: string;
  /** Of the API key, as `Connection` has it. */
  readonly keyDigest: string;
  readonly client: PartnerClient;
  /** Its time in epoch ms, as far as that is known: it forgets keys by it. */
  readonly now: () => number;
  /** The bundled places, where the server's places are those. */
  readonly places: Places | undefined;
  /** The server's location search, best first. */
  readonly searchPlaces: (q: string) => Promise<readonly LocationSuggestion[]>;
  readonly placeById: NonNullable<LocationSource['byId']>;
  readonly limits: Limits;
  /** The ids of the jobs that were made there from this machine, newest first. Throws CONFIG_UNREADABLE. */
  readonly createdJobs: () => readonly number[];
}

/** A place given as text, and what it was taken for. */
interface ResolvedText {
  readonly text: string;
  readonly displayName: string;
  readonly locationId: number;
}

/** A set of listings and what is remembered of it. */
export interface Session {
  readonly request: BulkRequest;
  readonly server: BulkServer;
  readonly statePath: string;
  /** What the listings' keys are relative to, absolute. */
  readonly base: string;
  /** Whether the paths would have covered a remembered listing: others are none of this run's business. */
  readonly covers: (key: string) => boolean;
  readonly listings: ListingSet;
  /** Reads and checks every listing. */
  read(): Promise<SetReading>;
  /** The state, with what a run that was cut off has left in its journal. */
  readonly remembered: Remembered;
  /** The places that were given as text, each once. */
  readonly places: ReadonlyMap<string, ResolvedText>;
  close(): Promise<void>;
}

export interface Remembered {
  /** As its file has it; empty where there is none. */
  readonly saved: BulkState;
  readonly state: BulkState;
  readonly pending: ReadonlyMap<string, Intent>;
}

/** Throws USAGE, FILE_UNREADABLE and STATE_UNUSABLE; nothing is read of the files yet, nothing is sent. */
export async function openSession(request: BulkRequest, server: BulkServer, input: Input): Promise<Session> {
  const { paths, cwd, stateFile, publish, noCheck, onlyFailed } = request;
  const files = await expandPaths(paths);
  const scope = await pathScope(paths);
  const real = createRealPaths();
  const { path: statePath, base } = findState({ stateFlag: stateFile, root: scope.root, cwd }, real);
  const remembered = await rememberedIn(statePath, server.baseUrl);
  const only = onlyFailed ? failedBefore(statePath) : undefined;
  const places = new Map<string, ResolvedText>();
  const memory = remembering(places, placesOf(server));
  const listings = openListings(files, input, memory);
  const hasStdin = files.names.includes('-');
  return {
    request,
    server,
    statePath,
    base,
    covers: (key) => only === undefined && scope.covers(pathOf(base, key)),
    listings,
    read: () =>
      readSet(
        listings.checked({
          limits: server.limits,
          spending: request.spending,
          isLive: (listing) => publish || listing.publish === true,
          draft: (listing) => noCheck || !(publish || listing.publish),
        }),
        {
          base,
          keyPath: (file) => (hasStdin && file === 'stdin' ? file : keyPath(base, file, real)),
          publish,
          only,
          interrupted: request.interrupted,
          entryOf: (key) => remembered.state.listings.get(key),
        },
      ),
    remembered,
    places,
    close: () => listings.close(),
  };
}

/** What the state in a file says, which a journal may add to. Throws STATE_UNUSABLE. */
async function rememberedIn(statePath: string, baseUrl: string): Promise<Remembered> {
  const saved = readState(statePath);
  if (saved !== undefined && saved.server !== baseUrl) throw otherServer(statePath, saved.server, baseUrl);
  const journal = await readJournal(statePath, baseUrl, stateDigest(saved));
  const state = saved ?? { server: baseUrl, honoursIdempotencyKeys: false, listings: new Map() };
  return {
    saved: state,
    state: journal === undefined ? state : folded(state, journal),
    pending: journal?.pending ?? new Map(),
  };
}

function otherServer(statePath: string, saved: string, asked: string): PartnerError {
  return new PartnerError('STATE_UNUSABLE', {
    message: `${statePath} remembers jobs on ${saved}, and this run goes to ${asked}`,
    hint: 'give each server a state of its own with --state FILE, or look with `partner auth status` where calls go',
  });
}

function failedBefore(statePath: string): ReadonlySet<string> {
  const last = readLastRun(statePath);
  if (last !== undefined) return new Set(last.failed);
  throw new PartnerError('USAGE', {
    message: 'there is no earlier apply here whose failures are known',
    hint: 'run it without --only first',
  });
}

function pathOf(base: string, key: string): string {
  return `${base}/${listingOfKey(key).path}`;
}

function placesOf({ searchPlaces, placeById, places }: BulkServer): PlaceMemory {
  return createPlaceMemory({ search: searchPlaces, byId: placeById, places });
}

/** The same memory, noting what each text was taken for. */
function remembering(taken: Map<string, ResolvedText>, memory: PlaceMemory): PlaceMemory {
  const noted = (text: string, found: TextPlace): TextPlace => {
    if ('location' in found) {
      const { city, stateProvince, country, locationId } = found.location;
      const displayName = [city, stateProvince, country].filter((part) => part !== '').join(', ');
      taken.set(text, { text, displayName, locationId });
    }
    return found;
  };
  return {
    places: memory.places,
    textPlace(text) {
      const found = memory.textPlace(text);
      if (taken.has(text)) return found;
      if (!(found instanceof Promise)) return noted(text, found);
      return found.then((place) => noted(text, place));
    },
  };
}
