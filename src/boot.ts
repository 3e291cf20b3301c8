import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { dataPaths, type Ledger, limitsOf, openLedger, resolveTarget, type Target } from './boot-shim.ts';
import { createClient, type PartnerClient, type Send, type ServerJob } from './client/client.ts';
import type { JobInput } from './contract/job.ts';
import type { Limits } from './contract/limits.ts';
import type { Places } from './contract/places.ts';
import type { Engine } from './engine/open.ts';
import type { Served } from './engine/serve.ts';
import { PACKAGE_ROOT, VERSION } from './package.ts';
import type { Surroundings } from './surroundings.ts';
import { traceText } from './trace-text.ts';

/** The flags that say where a call goes and how long it may take. */
export interface CallFlags {
  readonly profile: string | undefined;
  readonly baseUrl: string | undefined;
  readonly allowInsecure: boolean;
  readonly timeoutMs: number;
  readonly debug: boolean;
}

/** A client and all that a command needs to know of where its calls go. */
export interface Connection {
  readonly target: Target;
  readonly client: PartnerClient;
  /** Creates a job and writes its id down, so that it is found again where a server lists none. */
  readonly create: (input: JobInput, idempotencyKey?: string) => Promise<ServerJob>;
  readonly ledger: Ledger;
  /** The bundled places, where the server's places are those. */
  readonly places: Places | undefined;
  readonly limits: Limits;
  /** What the user should know of where the calls go. */
  readonly warnings: readonly string[];
  readonly close: () => Promise<void>;
}

/** The bundled engine's address is never looked up: its application is called in this process. */
const EMBEDDED_BASE_URL = 'http://localhost/v1';

/** A client for the target that flags, environment and profiles name. Throws what resolving and opening throw. */
export async function connect(flags: CallFlags, surroundings: Surroundings): Promise<Connection> {
  const target = await resolveTarget(flags, surroundings.env);
  const route =
    target.kind === 'embedded' ? await embeddedRoute(surroundings) : await remoteRoute(target, surroundings);
  const { streams, clock, interrupted } = surroundings;
  const client = createClient({
    baseUrl: route.baseUrl,
    key: route.key,
    send: route.send,
    timeoutMs: flags.timeoutMs,
    clock,
    sleep: async (waitMs, signal) => void (await sleep(waitMs, undefined, { signal })),
    random: Math.random,
    newIdempotencyKey: randomUUID,
    userAgent: `partner/${VERSION} node/${process.versions.node}`,
    locationQueryParameter: target.kind === 'remote' ? target.locationQueryParameter : undefined,
    trace: flags.debug ? (event) => void streams.writeErr(traceText(event)) : undefined,
    signal: interrupted,
  });
  const ledger = openLedger(dataPaths(surroundings.env).ledger, route.baseUrl);
  return {
    target,
    client,
    ledger,
    places: route.places,
    limits: limitsOf(target),
    warnings: target.warnings,
    close: route.close,
    async create(input, idempotencyKey) {
      const job = await client.createJob(input, { idempotencyKey });
      if (target.kind === 'remote') await ledger.append(job.id, clock());
      return job;
    },
  };
}

interface Route {
  readonly baseUrl: string;
  readonly key: string | undefined;
  readonly send: Send;
  readonly places: Places | undefined;
  readonly close: () => Promise<void>;
}

async function embeddedRoute(surroundings: Surroundings): Promise<Route> {
  const { fetch: send, localKey, places, close } = await openLocalEngine(surroundings);
  const key = surroundings.env.PARTNER_API_KEY ?? (await localKey()).key;
  return { baseUrl: EMBEDDED_BASE_URL, key, send, places, close };
}

async function remoteRoute(
  target: Extract<Target, { kind: 'remote' }>,
  { env }: Surroundings,
): Promise<Route> {
  const [{ openNetwork }, { assertSafeBaseUrl }] = await Promise.all([
    import('./client/network.ts'),
    import('./client/base-url.ts'),
  ]);
  const { key, allowInsecure } = target;
  const baseUrl = assertSafeBaseUrl(target.baseUrl, { allowInsecure });
  const { send, close } = openNetwork({ allowInsecure, env });
  return { baseUrl, key, send, places: undefined, close };
}

/** The bundled engine on this machine's database. */
export interface LocalEngine extends Engine {
  /** The key of this machine's user, as the company made on first use. */
  localKey(): Promise<{ readonly key: string; readonly companyId: string }>;
  /** The company that is named, or else the one made on first use. Throws USAGE for an unknown one. */
  companyId(given: string | undefined): Promise<string>;
  serve(address: { readonly host: string; readonly port: number }): Promise<Served>;
}

/** Opens the bundled engine's database, made where it is missing. Throws DATABASE_UNUSABLE. */
export async function openLocalEngine(
  { env, clock }: Surroundings,
  rateLimit?: { readonly perSecond: number },
): Promise<LocalEngine> {
  const { openEngine } = await import('./engine/open.ts');
  const { database, localKey } = dataPaths(env);
  const engine = await openEngine({ databasePath: database, placesPath: PLACES_PATH, clock, rateLimit });
  return {
    ...engine,
    localKey: () => engine.localKey(localKey),
    companyId: async (given) =>
      (await (given === undefined ? engine.operator.defaultCompany() : engine.operator.companies.byId(given)))
        .id,
    async serve(address) {
      const { serveEngine } = await import('./engine/serve.ts');
      return serveEngine({ engine, ...address });
    },
  };
}

const PLACES_PATH = join(PACKAGE_ROOT, 'dist', 'places.bin');

/** The bundled places alone: what is checked without a call needs no database. */
export async function openBundledPlaces(): Promise<Places & { close(): void }> {
  const { openPlaces } = await import('./engine/places/open.ts');
  return openPlaces(PLACES_PATH);
}
