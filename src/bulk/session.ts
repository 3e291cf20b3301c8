import type { Connection } from '../cli/connection/connect.ts';
import { PartnerError } from '../contract/errors.ts';
import { checkEachListing } from '../listings/check/check-files.ts';
import type { SpendRules } from '../listings/check/guardrails.ts';
import { createPlaceMemory, type PlaceMemory } from '../listings/places/place-problems.ts';
import type { Input } from '../listings/read/bytes.ts';
import type { ReadOptions } from '../listings/read/formats.ts';
import { expandPaths, pathScope } from '../listings/read/paths.ts';
import { placeName } from '../places/decide/locations.ts';
import { listingOfKey } from './plan/desired-listing.ts';
import type { PlanOptions } from './plan/plan-item.ts';
import { readSet } from './read-set.ts';
import type { UnclaimedJobs } from './server-jobs.ts';
import { foldJournal } from './state/journal-content.ts';
import { type BulkState, emptyState, type Intent, stateDigest } from './state/state.ts';
import { keyPath, placeInRepository } from './state/state-file.ts';
import { openStateStore, type StateStore } from './state/state-store.ts';

export interface BulkRequest {
  readonly paths: readonly string[];
  readonly cwd: string;
  readonly reading?: ReadOptions;
  /** A file, `git:BRANCH` or `postgres://…`. Undefined for a state next to the files. */
  readonly stateFile: string | undefined;
  readonly stateLeaseMs?: number | undefined;
  readonly publish: boolean;
  readonly noCheck: boolean;
  readonly plan: PlanOptions;
  readonly rebuild: boolean;
  readonly keepGoing: boolean;
  readonly onlyFailed: boolean;
  readonly concurrency: number;
  readonly spending: SpendRules;
  readonly interrupted: AbortSignal;
}

export interface ResolvedPlace {
  readonly text: string;
  readonly displayName: string;
  readonly locationId: number;
}

export type Session = Awaited<ReturnType<typeof openSession>>;

export interface Remembered {
  readonly saved: BulkState;
  readonly state: BulkState;
  readonly pending: ReadonlyMap<string, Intent>;
}

/** Opens the state without reading listings or sending requests. Throws USAGE, FILE_UNREADABLE and STATE_UNUSABLE. */
export async function openSession(request: BulkRequest, server: Connection, input: Input) {
  const { paths, cwd, reading, stateFile, stateLeaseMs, publish, noCheck, onlyFailed } = request;
  const files = await expandPaths(paths, reading);
  const scope = await pathScope(paths);
  const store = openStateStore({ stateFlag: stateFile, root: scope.root, cwd, leaseMs: stateLeaseMs });
  const { base } = store;
  const remembered = await loadRemembered(store, server.baseUrl);
  const last = onlyFailed ? await store.readLastRun() : undefined;
  if (onlyFailed && last === undefined) {
    throw new PartnerError('USAGE', {
      message: 'no failed listings are recorded for an earlier apply',
      hint: 'run the command once without --only',
    });
  }
  const only = last && new Set(last.failed);
  const places = new Map<string, ResolvedPlace>();
  const memory = recordPlaces(places, createPlaceMemory(server.placeSource));
  const hasStdin = files.names.includes('-');
  // Markdown without front matter may be a damaged listing, so its job doesn't count as removed.
  const ignored = new Set((files.ignored ?? []).map((file) => keyPath(base, file)));
  return {
    request,
    server,
    store,
    ignored: files.ignored ?? [],
    unclaimed: undefined as UnclaimedJobs | undefined,
    base,
    /** Used instead of the state's ID until the state is first written. */
    place: placeInRepository(base),
    covers(key: string): boolean {
      const { path } = listingOfKey(key);
      return only === undefined && scope.covers(`${base}/${path}`) && !ignored.has(path);
    },
    read: () =>
      readSet(
        checkEachListing(files, input, memory, {
          limits: server.limits,
          spending: request.spending,
          isLive: (listing) => publish || listing.publish === true,
          noCheck,
        }),
        {
          base,
          keyPath: (file) => (hasStdin && file === 'stdin' ? file : keyPath(base, file)),
          publish,
          only,
          interrupted: request.interrupted,
          entryOf: (key) => remembered.state.listings.get(key),
        },
      ),
    remembered,
    places: places as ReadonlyMap<string, ResolvedPlace>,
  };
}

async function loadRemembered(store: StateStore, baseUrl: string): Promise<Remembered> {
  const saved = await store.readState();
  if (saved !== undefined && saved.server !== baseUrl) {
    throw new PartnerError('STATE_UNUSABLE', {
      message: `${store.name} lists jobs on ${saved.server}, but this run uses ${baseUrl}`,
      hint: 'use a separate state for each server with --state FILE, or check the current server with `partner auth status`',
    });
  }
  const journal = await store.readJournal(baseUrl, stateDigest(saved));
  const state = saved ?? emptyState(baseUrl);
  return {
    saved: state,
    state: journal === undefined ? state : foldJournal(state, journal),
    pending: journal?.pending ?? new Map(),
  };
}

function recordPlaces(places: Map<string, ResolvedPlace>, memory: PlaceMemory): PlaceMemory {
  return {
    ...memory,
    async textPlace(text) {
      const found = await memory.textPlace(text);
      if ('location' in found && !places.has(text)) {
        const { location } = found;
        places.set(text, { text, displayName: placeName(location), locationId: location.locationId });
      }
      return found;
    },
  };
}
