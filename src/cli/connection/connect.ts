import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, type Send, type ServerTraits, type TraceEvent } from '../../client/client.ts';
import { createProbe } from '../../client/exchange.ts';
import { newIdempotencyKey } from '../../client/idempotency-key.ts';
import { createPace } from '../../client/pacing.ts';
import { PartnerError } from '../../contract/errors.ts';
import type { Places } from '../../contract/places.ts';
import { VERSION } from '../../package.ts';
import type { CliContext } from '../context.ts';
import { openCreatedJobs } from '../settings/created-jobs.ts';
import { dataPaths, directories } from '../settings/directories.ts';
import { configFile, keepLearned, loadProfiles } from '../settings/profiles.ts';
import { openShownPlaces } from '../settings/shown-places.ts';
import { type RemoteTarget, requiredKey, resolveTarget, type Target } from '../settings/target.ts';
import { isSet } from '../terminal/streams.ts';
import { openBundledPlaces, openLocalEngine } from './bundled-engine.ts';
import type { CallFlags, Connection, ConnectionOptions } from './connection.ts';
import { serverPlaces } from './server-places.ts';
import { traceText, waitText } from './trace-text.ts';

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
  if (isUnnamed && isSet(context.env.CI)) await introduce(context, 'unnamedInCi');
  return connectTo(target, flags, context, how);
}

/** A client for a target, wherever it comes from. */
export async function connectTo(
  target: Target,
  { timeoutMs, debug, quiet }: Pick<CallFlags, 'timeoutMs' | 'debug' | 'quiet'>,
  context: CliContext,
  { onTrace, pool, signal }: ConnectionOptions = {},
): Promise<Connection> {
  const { streams, clock, monotonicNow, interrupted, env } = context;
  if (target.kind === 'embedded' && !quiet && isFirstRun(context)) await introduce(context, 'firstRun');
  const route = await (target.kind === 'embedded' ? embedded(target, context) : remote(target, context));
  const pause = (waitMs: number, until: AbortSignal) => sleep(waitMs, undefined, { signal: until });
  const { baseUrl } = route;
  let learned: ServerTraits | undefined;
  const calls = {
    baseUrl,
    key: route.key,
    send: route.send,
    clock,
    monotonicNow,
    userAgent: `partner/${VERSION} node/${process.versions.node}`,
    trace: onTrace ?? (debug ? (event: TraceEvent) => void streams.writeErr(traceText(event)) : undefined),
    signal: signal ?? interrupted,
  };
  const client = createClient({
    ...calls,
    timeoutMs: timeoutMs ?? (target.kind === 'remote' ? target.timeoutMs : undefined) ?? TIMEOUT_MS,
    sleep: pause,
    random: Math.random,
    newIdempotencyKey: () => newIdempotencyKey(clock()),
    locationQueryParameter: target.kind === 'remote' ? target.locationQueryParameter : undefined,
    // Under a pace it is the pool that waits, and whoever made the pace is told.
    onWait: quiet || pool !== undefined ? undefined : (wait) => void streams.writeErr(waitText(wait)),
    interrupted,
    pace: pool && createPace({ monotonicNow, sleep: pause, ...pool }),
    traits: target.kind === 'embedded' ? ENGINE_TRAITS : target.traits,
    onLearn: (traits) => {
      learned = traits;
    },
  });
  const profile = target.kind === 'remote' ? target.profile : undefined;
  const files = dataPaths(directories(env));
  const createdJobs = openCreatedJobs(files.createdJobs, { baseUrl, profile });
  const { places } = route;
  const { close: closePlaces, ...server } = serverPlaces({
    search: (query, signal) => client.searchLocations(query, signal),
    openBundled: openBundledPlaces,
    shown: target.kind === 'remote' ? openShownPlaces(files.shownPlaces, baseUrl) : undefined,
  });
  const close = async () => {
    if (learned !== undefined && target.kind === 'remote' && target.keptIn !== undefined) {
      const kept = { name: target.keptIn, baseUrl: target.baseUrl, traits: { ...learned } };
      await keepLearned(directories(env).config, kept);
    }
    await closePlaces();
    await route.close();
  };
  const keyDigest = hash('sha256', route.key, 'base64url').slice(0, KEY_DIGEST_CHARACTERS);
  const { limits } = target;
  const { now = clock } = route;
  const probe = createProbe(calls);
  return { target, baseUrl, keyDigest, client, probe, createdJobs, places, ...server, limits, now, close };
}

/** The bundled engine does all that the specification leaves open. */
const ENGINE_TRAITS: ServerTraits = {
  listsJobs: true,
  pausesJobs: true,
  resumesJobs: true,
  honoursIdempotencyKeys: true,
};

const KEY_DIGEST_CHARACTERS = 12;
const TIMEOUT_MS = 30_000;

/** Whether somebody at a terminal has neither a configuration nor a database yet: the first call makes the latter. */
function isFirstRun({ env, streams }: CliContext): boolean {
  if (!streams.stderrIsTerminal) return false;
  const { config, data } = directories(env);
  const hasConfig = config !== undefined && existsSync(configFile(config));
  return !hasConfig && !existsSync(dataPaths({ config, data }).database);
}

async function introduce({ streams, clock }: CliContext, view: 'firstRun' | 'unnamedInCi'): Promise<void> {
  const [views, { viewOfErr }] = await Promise.all([
    import('../first-run.ts'),
    import('../terminal/view.ts'),
  ]);
  await streams.writeErr(views[view](viewOfErr(streams, clock())));
}

interface Route {
  readonly baseUrl: string;
  readonly key: string;
  readonly send: Send;
  readonly places: Places | undefined;
  /** Where the server's time is known and may be another than the machine's. */
  readonly now?: () => number;
  readonly close: () => Promise<void>;
}

async function embedded({ key }: Target, context: CliContext): Promise<Route> {
  const faults = new WeakMap<Request, { readonly fault: unknown }>();
  const engine = await openLocalEngine(context, {
    reportBug: (fault, request) => void (request && faults.set(request, { fault })),
  });
  const { localKey, places, close } = engine;
  /** A server hides its faults behind a 500; in this process the request that met one fails with it. */
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
