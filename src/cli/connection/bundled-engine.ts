import { join } from 'node:path';
import type { Places } from '../../contract/place-names.ts';
import type { EngineOptions } from '../../engine/open.ts';
import type { ServeOptions } from '../../engine/serve.ts';
import { PACKAGE_ROOT } from '../../package.ts';
import { dataPaths, directories } from '../settings/directories.ts';
import type { CliContext } from '../terminal/streams.ts';
import { engineDatabase } from './engine-database.ts';

const PLACES_PATH = join(PACKAGE_ROOT, 'dist', 'places.bin');

/** The bundled engine on this machine's database. */
export type LocalEngine = Awaited<ReturnType<typeof openLocalEngine>>;

interface LocalEngineOptions
  extends Pick<EngineOptions, 'rateLimit' | 'candidateRateLimit' | 'reportBug' | 'hasNoTimeouts'> {
  /** As `--database` has it; where it is left out, PARTNER_ENGINE_DATABASE, or else the file of this user. */
  readonly database?: string | undefined;
}

/** Opens the bundled engine's database, made where it is missing. Throws DATABASE_UNUSABLE. */
export async function openLocalEngine(
  context: CliContext,
  { database: given, ...options }: LocalEngineOptions = {},
) {
  const { env, clock } = context;
  const { openEngine } = await import('../../engine/open.ts');
  const paths = dataPaths(directories(env));
  const { address: database } = await engineDatabase(context, given);
  const engine = await openEngine({ database, placesPath: PLACES_PATH, clock, ...options });
  return {
    ...engine,
    /** The key of this machine's user, as the company made on first use. */
    localKey: () => engine.localKey(paths.localKey),
    /** The company that is named, or else the one made on first use. Throws USAGE for an unknown one. */
    companyId: async (given: string | undefined) =>
      (await (given === undefined ? engine.operator.defaultCompany() : engine.operator.companies.byId(given)))
        .id,
    async serve(address: Pick<ServeOptions, 'host' | 'port' | 'lab'>) {
      const { serveEngine } = await import('../../engine/serve.ts');
      return serveEngine({ engine, ...address });
    },
  };
}

/** The bundled places, without a database. */
export async function openBundledPlaces(): Promise<Places & { close(): void }> {
  const { openPlaces } = await import('../../engine/places/open.ts');
  return openPlaces(PLACES_PATH);
}

/** The engine's billing, without a database. */
export function openBilling() {
  return import('../../engine/billing/simulate.ts');
}
