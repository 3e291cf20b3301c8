import type { Connection } from '../cli/connection/connect.ts';
import { PartnerError } from '../contract/errors.ts';
import type { SpendRules } from '../contract/guardrails.ts';
import { checkedListings } from '../listings/check/check-files.ts';
import { placeName } from '../listings/places/locations.ts';
import { createPlaceMemory, type PlaceMemory, type TextPlace } from '../listings/places/place-problems.ts';
import type { Input } from '../listings/read/bytes.ts';
import type { ReadOptions } from '../listings/read/formats.ts';
import { expandPaths, pathScope } from '../listings/read/paths.ts';
import { listingOfKey } from './plan/desired-listing.ts';
import type { PlanOptions } from './plan/plan-item.ts';
import { readSet } from './read-set.ts';
import type { UnclaimedJobs } from './server-jobs.ts';
import { folded } from './state/journal-content.ts';
import type { BulkState, Intent } from './state/state.ts';
import { keyPath, placeInRepository } from './state/state-file.ts';
import { openStateStore, type StateStore } from './state/state-store.ts';
import { stateDigest } from './state/state-text.ts';

export interface BulkRequest {
  readonly paths: readonly string[];
  readonly cwd: string;
  /** How stdin is read, and files whose names do not say it. */
  readonly reading?: ReadOptions;
  /** A file, `git:BRANCH` or `postgres://…`; undefined for a state beside the files. */
  readonly stateFile: string | undefined;
  /** How long a shared state stays locked after its run was killed. */
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

/** A set of listings, where its jobs are, and what is remembered of it. */
export type Session = Awaited<ReturnType<typeof openSession>>;

export interface Remembered {
  /** As its file has it; empty where there is none. */
  readonly saved: BulkState;
  readonly state: BulkState;
  readonly pending: ReadonlyMap<string, Intent>;
}

/** Throws USAGE, FILE_UNREADABLE and STATE_UNUSABLE; no listing is read yet, nothing is sent. */
export async function openSession(request: BulkRequest, server: Connection, input: Input) {
  const { paths, cwd, reading, stateFile, stateLeaseMs, publish, noCheck, onlyFailed } = request;
  const files = await expandPaths(paths, reading);
  const scope = await pathScope(paths);
  const store = openStateStore({ stateFlag: stateFile, root: scope.root, cwd }, stateLeaseMs);
  const { base } = store;
  const remembered = await rememberedIn(store, server.baseUrl);
  const last = onlyFailed ? await store.readLastRun() : undefined;
  if (onlyFailed && last === undefined) {
    throw new PartnerError('USAGE', {
      message: 'there is no earlier apply here whose failures are known',
      hint: 'run it without --only first',
    });
  }
  const only = last && new Set(last.failed);
  const places = new Map<string, ResolvedPlace>();
  const memory = recordingPlaces(places, createPlaceMemory(server.placeSource));
  const hasStdin = files.names.includes('-');
  // Markdown that has lost its front matter may have been a listing: its job is not taken for one that is gone.
  const ignored = new Set((files.ignored ?? []).map((file) => keyPath(base, file)));
  return {
    request,
    server,
    store,
    ignored: files.ignored ?? [],
    /** What the guard against a lost state has just listed. */
    unclaimed: undefined as UnclaimedJobs | undefined,
    /** What the listings' keys are relative to, absolute. */
    base,
    /** Stands in for the ID of a state that hasn't been written yet. */
    place: placeInRepository(base),
    /** Whether the paths of this run cover a remembered listing: others are left alone. */
    covers(key: string): boolean {
      const { path } = listingOfKey(key);
      return only === undefined && scope.covers(`${base}/${path}`) && !ignored.has(path);
    },
    read: () =>
      readSet(
        checkedListings(files, input, memory, {
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
    /** By text. */
    places: places as ReadonlyMap<string, ResolvedPlace>,
  };
}

async function rememberedIn(store: StateStore, baseUrl: string): Promise<Remembered> {
  const saved = await store.readState();
  if (saved !== undefined && saved.server !== baseUrl) {
    throw new PartnerError('STATE_UNUSABLE', {
      message: `${store.name} remembers jobs on ${saved.server}, and this run goes to ${baseUrl}`,
      hint: 'give each server a state of its own with --state FILE, or look with `partner auth status` where calls go',
    });
  }
  const journal = await store.readJournal(baseUrl, stateDigest(saved));
  const state = saved ?? { server: baseUrl, honoursIdempotencyKeys: false, listings: new Map() };
  return {
    saved: state,
    state: journal === undefined ? state : folded(state, journal),
    pending: journal?.pending ?? new Map(),
  };
}

/** The same memory, which adds what each text was taken for to `places`. */
function recordingPlaces(places: Map<string, ResolvedPlace>, memory: PlaceMemory): PlaceMemory {
  const recorded = (text: string, found: TextPlace): TextPlace => {
    if ('location' in found) {
      const { locationId } = found.location;
      places.set(text, { text, displayName: placeName(found.location), locationId });
    }
    return found;
  };
  return {
    places: memory.places,
    textPlace(text) {
      const found = memory.textPlace(text);
      if (places.has(text)) return found;
      return found instanceof Promise ? found.then((place) => recorded(text, place)) : recorded(text, found);
    },
  };
}
