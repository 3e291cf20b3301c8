import { join } from 'node:path';
import type { Engine, EngineOptions } from '../../engine/open.ts';
import type { Served, ServeOptions } from '../../engine/serve.ts';
import type { LogLevel, ServerLog } from '../../engine/server/logs.ts';
import type { Subnet } from '../../engine/server/proxies.ts';
import { PACKAGE_ROOT } from '../../package.ts';
import type { Places } from '../../places/place-names.ts';
import { dataPaths, directories } from '../settings/directories.ts';
import type { CliContext } from '../terminal/streams.ts';
import { engineDatabase } from './engine-database.ts';

const PLACES_PATH = join(PACKAGE_ROOT, 'dist', 'places.bin');

interface LocalEngineOptions extends Omit<EngineOptions, 'database' | 'placesPath' | 'clock' | 'store'> {
  /** `--database`, then PARTNER_ENGINE_DATABASE, then the user's SQLite file. */
  readonly database?: string | undefined;
}

export async function openLocalEngine(
  context: CliContext,
  { database: given, ...options }: LocalEngineOptions = {},
) {
  const { env, clock } = context;
  const { openEngine } = await import('../../engine/open.ts');
  const paths = dataPaths(directories(env));
  const { address: database, name: databaseName } = await engineDatabase(context, given);
  const engine = await openEngine({ database, placesPath: PLACES_PATH, clock, ...options });
  return {
    ...engine,
    localKey: () => engine.localKey(paths.localKey),
    /** Returns the given company, or the only one. Throws USAGE if it's unknown, or if there are several. */
    companyId: async (given: string | undefined) =>
      (await (given === undefined ? engine.operator.defaultCompany() : engine.operator.companies.byId(given)))
        .id,
    databaseName,
    serve: (options: LocalServeOptions) => serveLocally(engine, options),
  };
}

interface LocalServeOptions extends Omit<ServeOptions, 'engine' | 'observers' | 'findClient'> {
  readonly log?: ServerLog | undefined;
  readonly metricsPort?: number | undefined;
  readonly trustedProxies?: readonly Subnet[] | undefined;
}

async function serveLocally(engine: Engine, options: LocalServeOptions) {
  const { log, metricsPort, trustedProxies, ...address } = options;
  const { serveEngine } = await import('../../engine/serve.ts');
  let server: Served | undefined;
  const readings = { connections: () => server?.connections() ?? 0, pool: engine.pool };
  const serveMetrics = async (port: number) =>
    (await import('../../engine/server/metrics.ts')).serveMetrics(address.host, port, readings);
  const metrics = metricsPort === undefined ? undefined : await serveMetrics(metricsPort);
  const observers = [log, metrics?.observer].filter((observer) => observer !== undefined);
  const findClient =
    trustedProxies && (await import('../../engine/server/proxies.ts')).behindProxies(trustedProxies);
  server = await serveEngine({ engine, observers, findClient, ...address });
  return { ...server, metricsUrl: metrics?.url };
}

export async function openServerLog(level: LogLevel): Promise<ServerLog> {
  return (await import('../../engine/server/logs.ts')).openLog(level);
}

export async function openBundledPlaces(): Promise<Places & { close(): void }> {
  const { openPlaces } = await import('../../places/index/open.ts');
  return openPlaces(PLACES_PATH);
}

export function openBilling() {
  return import('../../engine/billing/simulate.ts');
}
