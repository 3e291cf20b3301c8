import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { PartnerClient, type Send, type TraceEvent, type Wait } from '../../client/client.ts';
import { createProbe } from '../../client/exchange.ts';
import { isQueryRefused } from '../../client/optional-operation.ts';
import { createPace, type PaceOptions } from '../../client/pacing.ts';
import { newIdempotencyKey } from '../../client/retry.ts';
import { ignoreErrors, PartnerError } from '../../contract/errors.ts';
import type { PlainRequest } from '../../contract/http-messages.ts';
import type { Job, LocationSuggestion } from '../../contract/job.ts';
import { openOnce } from '../../contract/promises.ts';
import type { Access } from '../../engine/store/address.ts';
import { VERSION } from '../../package.ts';
import type { LocationSource } from '../../places/decide/locations.ts';
import { createPopulationLookup, type PlaceQuery, type Places } from '../../places/place-names.ts';
import { dataPaths, directories } from '../settings/directories.ts';
import { configFile, describeLostTraits, keepLearned, loadProfiles } from '../settings/profiles.ts';
import { openCreatedJobs, openShownPlaces, type ShownPlaces } from '../settings/server-memory.ts';
import {
  type RemoteTarget,
  requireKey,
  resolveTarget,
  type Target,
  type TargetFlags,
} from '../settings/target.ts';
import { type CliContext, isSet } from '../terminal/streams.ts';
import { clean, say } from '../terminal/view.ts';
import { openBundledPlaces, openLocalEngine } from './bundled-engine.ts';
import notices from './notices.json' with { type: 'json' };

export interface CallFlags extends TargetFlags {
  /** Defaults to the target's timeout, then 30 seconds. */
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

export type Connection = Readonly<Awaited<ReturnType<typeof openConnection>>>;

/** Placeholder URL. It's never resolved, because the bundled engine runs in this process. */
const EMBEDDED_BASE_URL = 'http://localhost/v1';

/** Resolves the server for a command line, and the source of that setting. Throws the errors of `resolveTarget`. */
export function loadTarget(flags: CallFlags, { env }: CliContext): Target {
  return resolveTarget({ flags, env, profiles: loadProfiles(directories(env).config) });
}

/** Key of a server's jobs in the cache for shell completion. */
export function formatServerName(target: Target): string {
  return target.kind === 'embedded' ? 'local' : target.baseUrl;
}

/** Opens a client for the resolved server, without sending anything. Throws the errors of resolving and opening. */
export async function connectToTarget(flags: CallFlags, context: CliContext, how: ConnectionOptions = {}) {
  const target = loadTarget(flags, context);
  const isUnnamed = target.kind === 'embedded' && target.from.baseUrl === 'default';
  // Shown even with --quiet, because a CI run that publishes nothing must not go unnoticed.
  if (isUnnamed && isSet(context.env.CI)) await say(context.streams, undefined, notices.unnamedInCi);
  return openConnection(target, flags, context, how);
}

export async function openConnection(
  target: Target,
  { timeoutMs, debug, quiet }: Pick<CallFlags, 'timeoutMs' | 'debug' | 'quiet'>,
  context: CliContext,
  { access = 'write', onTrace, pool, signal }: ConnectionOptions = {},
) {
  const { streams, clock, monotonicNow, interrupted, env } = context;
  if (target.kind === 'embedded' && !quiet && isFirstRun(context))
    await say(streams, undefined, notices.firstRun);
  const remoteTarget = target.kind === 'remote' ? target : undefined;
  const route = await (remoteTarget === undefined
    ? openEngineRoute(target, context, access)
    : openRemoteRoute(remoteTarget, context));
  const pause = (waitMs: number, until: AbortSignal) => sleep(waitMs, undefined, { signal: until });
  const { baseUrl, key, send, places, now, ofCompany } = route;
  const calls = {
    baseUrl,
    key,
    send,
    clock,
    monotonicNow,
    userAgent: `partner/${VERSION} node/${process.versions.node}`,
    trace: onTrace ?? (debug ? (event: TraceEvent) => void streams.writeErr(traceText(event)) : undefined),
    signal: signal ?? interrupted,
  };
  const client = new PartnerClient({
    ...calls,
    timeoutMs: timeoutMs ?? remoteTarget?.timeoutMs ?? TIMEOUT_MS,
    sleep: pause,
    random: Math.random,
    newIdempotencyKey: () => newIdempotencyKey(clock()),
    locationQueryParameter: remoteTarget?.locationQueryParameter,
    onWait: quiet || pool !== undefined ? undefined : (wait) => void streams.writeErr(waitText(wait)),
    interrupted,
    pace: pool && createPace({ monotonicNow, sleep: pause, ...pool }),
    traits: remoteTarget === undefined ? ENGINE_TRAITS : remoteTarget.traits,
  });
  const files = dataPaths(directories(env));
  const shown = remoteTarget && openShownPlaces(files.shownPlaces, baseUrl);
  const { close: closePlaces, ...server } = serverPlaces(client, shown, places);
  return {
    target,
    baseUrl,
    keyDigest: hash('sha256', key, 'base64url').slice(0, KEY_DIGEST_CHARACTERS),
    client,
    probe: createProbe(calls),
    createdJobs: openCreatedJobs(files.createdJobs, { baseUrl, profile: remoteTarget?.profile }),
    places,
    ...server,
    limits: target.limits,
    /** What the API doesn't report. Undefined for a server. */
    ofCompany,
    now,
    async close() {
      const learned = client.newTraits;
      if (learned !== undefined && remoteTarget?.keptIn !== undefined) {
        const kept = { name: remoteTarget.keptIn, baseUrl: remoteTarget.baseUrl, traits: learned };
        // If the traits can't be stored, the next command detects them again.
        const isKept = await keepLearned(directories(env).config, kept).catch(ignoreErrors());
        // Shown even with --quiet, because without the list, `jobs apply` can't detect existing jobs.
        if (isKept) await say(streams, undefined, describeLostTraits(remoteTarget.traits, learned));
      }
      await closePlaces();
      await route.close();
    },
  };
}

/** The bundled engine supports everything that the specification leaves open. */
const ENGINE_TRAITS = {
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

/** Shown during a wait, so that the command doesn't seem to hang. */
function waitText({ reason, waitMs }: Wait): string {
  const seconds = (Math.max(waitMs, 100) / 1000).toFixed(1);
  return `${clean(`${reason}. Retrying in ${seconds} s`)}\n`;
}

async function openEngineRoute({ key }: Target, context: CliContext, access: Access) {
  const bugs = new WeakMap<PlainRequest, PartnerError>();
  const engine = await openLocalEngine(context, {
    access,
    reportBug(fault, request) {
      const bug = fault instanceof PartnerError ? fault : new PartnerError('UNEXPECTED', { cause: fault });
      if (request !== undefined) bugs.set(request, bug);
    },
  });
  const { localKey, close } = engine;
  const places: Places = engine.places;
  // If the engine has a bug, throws the original error instead of the 500 that a server would return.
  const send: Send = async (request) => {
    const answer = await engine.fetch(request);
    const bug = bugs.get(request);
    if (bug !== undefined) throw bug;
    return answer;
  };
  const { now } = engine.clock;
  const used = key ?? (await localKey()).key;
  const companyId = openOnce(() => engine.findKeyCompany(used));
  const { dashboard } = engine.operator;
  const ofCompany = {
    status: async () => dashboard.status(await companyId.open()),
    spending: async (jobs: readonly Job[]) => dashboard.spending(await companyId.open(), jobs),
  };
  return { baseUrl: EMBEDDED_BASE_URL, key: used, send, places, now, close, ofCompany };
}

async function openRemoteRoute(target: RemoteTarget, { env, clock: now }: CliContext) {
  const [{ openNetwork }, { assertSafeBaseUrl }] = await Promise.all([
    import('../../client/network.ts'),
    import('../../client/base-url.ts'),
  ]);
  const { allowInsecure, proxy, caFile } = target;
  const baseUrl = assertSafeBaseUrl(target.baseUrl, { allowInsecure });
  const key = requireKey(target);
  const network = openNetwork({ allowInsecure, env, proxy, caFile });
  return { baseUrl, key, places: undefined, now, ofCompany: undefined, ...network };
}

function serverPlaces(client: PartnerClient, shown: ShownPlaces | undefined, places: Places | undefined) {
  const bundled = openOnce(openBundledPlaces);
  const searchHint = (): string | undefined => (shown?.isEmpty() ? notices.noPlaceFound : undefined);
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
  async function byId(locationId: number): Promise<LocationSuggestion | undefined> {
    const known = shown?.byId(locationId);
    if (known !== undefined) return known;
    // A search is the only way to check whether the server has the bundled place too.
    const place = (await bundled.open()).byId(locationId);
    if (place === undefined) return undefined;
    return (await search(place.city)).find((found) => found.locationId === locationId);
  }
  const openPopulations = async () => createPopulationLookup(places ?? (await bundled.open()));
  const placeSource: LocationSource = places
    ? { places }
    : { bundledPlaces: bundled.open, search, byId, searchHint };
  return {
    searchLocations,
    searchHint,
    placeSource,
    openPopulations,
    /** The population distinguishes Paris from Paris, Texas. Section 2.3 doesn't include it. */
    async searchPlaces(q: string, signal: AbortSignal) {
      const suggestions = await search(q, signal);
      const hint = suggestions.length === 0 ? searchHint() : undefined;
      if (hint !== undefined) throw new PartnerError('PLACE_UNKNOWN', { hint });
      const populationOf = await openPopulations();
      return suggestions.map((place) => ({ population: populationOf(place), ...place }));
    },
    async close(): Promise<void> {
      await shown?.save();
      (await bundled.opened())?.close();
    },
  };
}
