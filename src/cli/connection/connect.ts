import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  createClient,
  type PartnerClient,
  type Send,
  type ServerTraits,
  type TraceEvent,
  type Wait,
} from '../../client/client.ts';
import { createProbe } from '../../client/exchange.ts';
import { isQueryRefused } from '../../client/optional-operation.ts';
import { createPace, type PaceOptions } from '../../client/pacing.ts';
import { newIdempotencyKey } from '../../client/retry.ts';
import { PartnerError } from '../../contract/errors.ts';
import type { LocationSuggestion } from '../../contract/job.ts';
import type { PlaceQuery, Places } from '../../contract/place-names.ts';
import { openOnce } from '../../contract/promises.ts';
import type { Access } from '../../engine/store/address.ts';
import { type LocationSource, populationIn } from '../../listings/places/locations.ts';
import { VERSION } from '../../package.ts';
import { dataPaths, directories } from '../settings/directories.ts';
import { configFile, keepLearned, loadProfiles, stoppedOffering } from '../settings/profiles.ts';
import { openCreatedJobs, openShownPlaces, type ShownPlaces } from '../settings/server-memory.ts';
import {
  type RemoteTarget,
  requiredKey,
  resolveTarget,
  type Target,
  type TargetFlags,
} from '../settings/target.ts';
import { type CliContext, isSet } from '../terminal/streams.ts';
import { clean } from '../terminal/view.ts';
import { wrap } from '../terminal/width.ts';
import { openBundledPlaces, openLocalEngine } from './bundled-engine.ts';

/** The flags that say where a call goes and how long it may take. */
export interface CallFlags extends TargetFlags {
  /** Where it is not given, the target's own, or else 30 seconds. */
  readonly timeoutMs: number | undefined;
  readonly debug: boolean;
  readonly quiet: boolean;
}

export interface ConnectionOptions {
  readonly signal?: AbortSignal | undefined;
  readonly pool?: Pick<PaceOptions, 'ratePerSecond' | 'onPause' | 'maxWaitMs' | 'stopped'> | undefined;
  readonly onTrace?: ((event: TraceEvent) => void) | undefined;
  readonly access?: Access | undefined;
}

/** A client and all that a command needs to know of where its calls go. */
export type Connection = Readonly<Awaited<ReturnType<typeof connectTo>>>;

/** The bundled engine's address is never looked up: its application is called in this process. */
const EMBEDDED_BASE_URL = 'http://localhost/v1';

/** Where the calls of a command line go, and which source said so. Throws what `resolveTarget` throws. */
export function targetOf(flags: CallFlags, { env }: CliContext): Target {
  return resolveTarget({ flags, env, profiles: loadProfiles(directories(env).config) });
}

/** A client for where the calls go. Throws what resolving and opening throw; nothing is sent yet. */
export async function connect(
  flags: CallFlags,
  context: CliContext,
  how: ConnectionOptions = {},
): Promise<Connection> {
  const target = targetOf(flags, context);
  const isUnnamed = target.kind === 'embedded' && target.from.baseUrl === 'default';
  // Under --quiet too: a green run that published nothing must not go unseen.
  if (isUnnamed && isSet(context.env.CI)) await say(context, UNNAMED_IN_CI);
  return connectTo(target, flags, context, how);
}

export async function connectTo(
  target: Target,
  { timeoutMs, debug, quiet }: Pick<CallFlags, 'timeoutMs' | 'debug' | 'quiet'>,
  context: CliContext,
  { access = 'write', onTrace, pool, signal }: ConnectionOptions = {},
) {
  const { streams, clock, monotonicNow, interrupted, env } = context;
  if (target.kind === 'embedded' && !quiet && isFirstRun(context)) await say(context, ...FIRST_RUN);
  const remoteTarget = target.kind === 'remote' ? target : undefined;
  const isEmbedded = target.kind === 'embedded';
  const route = await (isEmbedded ? embedded(target, context, access) : remote(target, context));
  const pause = (waitMs: number, until: AbortSignal) => sleep(waitMs, undefined, { signal: until });
  const { baseUrl, key, places, now = clock } = route;
  let learned: ServerTraits | undefined;
  const calls = {
    baseUrl,
    key,
    send: route.send,
    clock,
    monotonicNow,
    userAgent: `partner/${VERSION} node/${process.versions.node}`,
    trace: onTrace ?? (debug ? (event: TraceEvent) => void streams.writeErr(traceText(event)) : undefined),
    signal: signal ?? interrupted,
  };
  const client = createClient({
    ...calls,
    timeoutMs: timeoutMs ?? remoteTarget?.timeoutMs ?? TIMEOUT_MS,
    sleep: pause,
    random: Math.random,
    newIdempotencyKey: () => newIdempotencyKey(clock()),
    locationQueryParameter: remoteTarget?.locationQueryParameter,
    // A pool reports its waits itself.
    onWait: quiet || pool !== undefined ? undefined : (wait) => void streams.writeErr(waitText(wait)),
    interrupted,
    pace: pool && createPace({ monotonicNow, sleep: pause, ...pool }),
    traits: remoteTarget === undefined ? ENGINE_TRAITS : remoteTarget.traits,
    onLearn: (traits) => {
      learned = traits;
    },
  });
  const files = dataPaths(directories(env));
  const shown = remoteTarget && openShownPlaces(files.shownPlaces, baseUrl);
  const { close: closePlaces, ...server } = serverPlaces(client, shown, places);
  return {
    target,
    baseUrl,
    /** Tells keys apart and gives none away. */
    keyDigest: hash('sha256', key, 'base64url').slice(0, KEY_DIGEST_CHARACTERS),
    client,
    /** Sends one request as it is, for finding out what a server does. */
    probe: createProbe(calls),
    createdJobs: openCreatedJobs(files.createdJobs, { baseUrl, profile: remoteTarget?.profile }),
    /** The bundled places, where the server's places are those. */
    places,
    ...server,
    limits: target.limits,
    now,
    async close() {
      if (learned !== undefined && remoteTarget?.keptIn !== undefined) {
        const kept = { name: remoteTarget.keptIn, baseUrl: remoteTarget.baseUrl, traits: { ...learned } };
        const isKept = await keepLearned(directories(env).config, kept);
        // Also with --quiet: without the list, `jobs apply` can't detect existing jobs.
        if (isKept) await say(context, ...stoppedOffering(remoteTarget.traits, learned));
      }
      await closePlaces();
      await route.close();
    },
  };
}

/** The bundled engine offers all that the specification leaves open. */
const ENGINE_TRAITS: ServerTraits = {
  listsJobs: true,
  pausesJobs: true,
  resumesJobs: true,
  honoursIdempotencyKeys: true,
};

const KEY_DIGEST_CHARACTERS = 12;
const TIMEOUT_MS = 30_000;

function isFirstRun({ env, streams }: CliContext): boolean {
  if (!streams.stderrIsTerminal) return false;
  const { config, data } = directories(env);
  const hasConfig = config !== undefined && existsSync(configFile(config));
  return !hasConfig && !existsSync(dataPaths({ config, data }).database);
}

const UNNAMED_IN_CI =
  'no server is named: calls go to the bundled engine, where no candidate sees a job. Set PARTNER_BASE_URL and PARTNER_API_KEY; --local or PARTNER_BASE_URL=local choose the bundled engine';
const FIRST_RUN = [
  'No server is set up: the bundled engine answers, a service on this machine.',
  '→ log in to a real server with `partner auth login`',
];

async function say({ streams }: CliContext, ...lines: readonly string[]): Promise<void> {
  if (lines.length === 0) return;
  await streams.writeErr(`${lines.flatMap((line) => wrap(line, streams.columnsErr)).join('\n')}\n`);
}

function traceText(event: TraceEvent): string {
  const lines = [`${event.method} ${event.url}${event.attempt > 1 ? ` (attempt ${event.attempt})` : ''}`];
  if (event.kind === 'failure')
    return `${clean(`× ${lines[0]}: ${event.message} after ${event.durationMs} ms`)}\n`;
  const sign = event.kind === 'request' ? '>' : '<';
  if (event.kind === 'answer') lines[0] += ` ${event.status} after ${event.durationMs} ms`;
  lines.push(...Object.entries(event.headers).map(([name, value]) => `${name}: ${value}`));
  if (event.body !== '') lines.push(...event.body.split('\n'));
  return lines.map((line) => `${clean(`${sign} ${line}`)}\n`).join('');
}

/** Shown while a call waits to be repeated, so that it does not look hung. */
function waitText({ reason, waitMs }: Wait): string {
  const seconds = (Math.max(waitMs, 100) / 1000).toFixed(1);
  return `${clean(`${reason}; trying again in ${seconds} s`)}\n`;
}

interface Route {
  readonly baseUrl: string;
  readonly key: string;
  readonly send: Send;
  readonly places: Places | undefined;
  readonly now?: () => number;
  readonly close: () => Promise<void>;
}

async function embedded({ key }: Target, context: CliContext, access: Access): Promise<Route> {
  const faults = new WeakMap<Request, { readonly fault: unknown }>();
  const engine = await openLocalEngine(context, {
    access,
    reportBug: (fault, request) => void (request && faults.set(request, { fault })),
  });
  const { localKey, places, close } = engine;
  // A server hides its faults behind a 500; in this process the request fails with the fault itself.
  const send: Send = async (request) => {
    const answer = await engine.fetch(request);
    const met = faults.get(request);
    if (met === undefined) return answer;
    const { fault } = met;
    throw fault instanceof PartnerError ? fault : new PartnerError('UNEXPECTED', { cause: fault });
  };
  const { now } = engine.clock;
  return { baseUrl: EMBEDDED_BASE_URL, key: key ?? (await localKey()).key, send, places, now, close };
}

async function remote(target: RemoteTarget, { env }: CliContext): Promise<Route> {
  const [{ openNetwork }, { assertSafeBaseUrl }] = await Promise.all([
    import('../../client/network.ts'),
    import('../../client/base-url.ts'),
  ]);
  const { allowInsecure, proxy, caFile } = target;
  const baseUrl = assertSafeBaseUrl(target.baseUrl, { allowInsecure });
  const key = requiredKey(target);
  return { baseUrl, key, places: undefined, ...openNetwork({ allowInsecure, env, proxy, caFile }) };
}

/** A suggestion with its population, which tells Paris from Paris, Texas: section 2.3 has none. */
type FoundPlace = LocationSuggestion & { readonly population?: number | undefined };

const SEARCH_HINT =
  'No search on this server has found a place yet, so its search parameter may have another name. Find it with `partner doctor --remote` (or `partner doctor --remote --write`), or set it with --location-query-parameter NAME or PARTNER_LOCATION_QUERY_PARAMETER.';

/** A server's places. `shown` is undefined for the bundled engine because it uses the bundled `places`. */
function serverPlaces(client: PartnerClient, shown: ShownPlaces | undefined, places: Places | undefined) {
  const bundled = openOnce(openBundledPlaces);
  /** Undefined once a search on this server has found a place: its parameter is right. */
  const searchHint = (): string | undefined => (shown?.isEmpty() ? SEARCH_HINT : undefined);
  const searchLocations = async (query: PlaceQuery, signal?: AbortSignal) => {
    const found = await client.searchLocations(query, signal).catch((error: unknown) => {
      throw error instanceof PartnerError && isQueryRefused(error)
        ? error.with({ hint: searchHint() ?? error.hint })
        : error;
    });
    shown?.add(found);
    return found;
  };
  const search = (q: string, signal?: AbortSignal) => searchLocations({ q }, signal);
  /** The place with that ID, if a search on this server returned it in this or an earlier run, or returns it now. */
  async function byId(locationId: number): Promise<LocationSuggestion | undefined> {
    const known = shown?.byId(locationId);
    if (known !== undefined) return known;
    // Only a search shows whether this server has the bundled place too.
    const place = (await bundled.open()).byId(locationId);
    if (place === undefined) return undefined;
    return (await search(place.city)).find((found) => found.locationId === locationId);
  }
  const placeSource: LocationSource = places
    ? { places }
    : { bundledPlaces: bundled.open, search, byId, searchHint };
  return {
    searchLocations,
    searchHint,
    placeSource,
    /** Suggests places as the user types, best first. Bundled places include the population. The signal aborts it. */
    async searchPlaces(q: string, signal: AbortSignal): Promise<readonly FoundPlace[]> {
      const suggestions = await search(q, signal);
      const hint = suggestions.length === 0 ? searchHint() : undefined;
      if (hint !== undefined) throw new PartnerError('PLACE_UNKNOWN', { hint });
      const populationOf = populationIn(places ?? (await bundled.open()));
      return suggestions.map((place) => ({ population: populationOf(place), ...place }));
    },
    async close(): Promise<void> {
      await shown?.save();
      (await bundled.opened())?.close();
    },
  };
}
