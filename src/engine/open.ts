import { openPlaces } from '../places/index/open.ts';
import { createSite } from './app.ts';
import { createFileStore } from './applications/files.ts';
import { openClock } from './clock.ts';
import { createKeyUses, localKey, withGuests } from './companies/keys.ts';
import { createOperator } from './companies/operator.ts';
import { digestSecret } from './companies/secrets.ts';
import type { App, EngineParts, ReportBug } from './parts.ts';
import { type Access, type DatabaseAddress, databaseName } from './store/address.ts';
import { openStore } from './store/open.ts';
import type { StoreOptions } from './store/postgres.ts';
import type { Store } from './store/store.ts';

export interface EngineOptions
  extends StoreOptions,
    Pick<EngineParts, 'elapsedMs' | 'rateLimit' | 'candidateRateLimit'> {
  readonly database: DatabaseAddress;
  readonly placesPath: string;
  readonly clock?: () => number;
  readonly reportBug?: ReportBug;
  /** Reports how far the database server's clock is ahead of this machine's, if it's more than a minute off. */
  readonly reportSkew?: (skewMs: number) => void;
  /** The default is `migrate`. With `read`, missing keys and companies exist only in this process. */
  readonly access?: Access | undefined;
  readonly store?: Store | undefined;
}

export type Engine = Awaited<ReturnType<typeof openEngine>>;

/** Throws DATABASE_UNUSABLE and DATABASE_OUTDATED. */
export async function openEngine(options: EngineOptions) {
  const { database, clock: machineClock = Date.now, reportBug = () => {} } = options;
  const opened = options.store ?? (await openStore(database, options));
  const guests = options.access === 'read' ? withGuests(opened, machineClock()) : undefined;
  const store = guests?.store ?? opened;
  const clock = await openClock(store, machineClock, options.elapsedMs, options.reportSkew);
  const { machine } = clock;
  const directory = database.dialect === 'sqlite' ? `${database.path}-files` : undefined;
  const files = createFileStore({ store, directory, machine, reportBug });
  if (!store.isTemporary) await files.contents.finishReset().catch((error: unknown) => reportBug(error));
  const keyUses = createKeyUses(store, clock.now);
  const places = openPlaces(options.placesPath);
  const site = createSite({
    ...options,
    store,
    keyUses,
    files,
    places,
    clock: clock.now,
    machineClock: machine,
    reportBug,
  });
  const fetch: App = (request, origin) => {
    const refreshing = clock.refresh();
    if (refreshing === undefined) return site(request, origin);
    return refreshing
      .catch((error: unknown) => reportBug(error, request, origin))
      .then(() => site(request, origin));
  };
  return {
    /** Serves the API, the candidate API and the dashboard. Every write is durable when its response resolves. */
    fetch,
    operator: createOperator(store, clock, databaseName(database), files),
    clock,
    pool: store.pool,
    signInLink: async (companyId: string) =>
      (await import('./dashboard/sessions.ts')).issueLink(store, companyId, machine()),
    /** The key of this machine's user, stored at `path`. Throws CONFIG_UNREADABLE. */
    localKey: (path: string) => localKey(store, path, clock.now(), guests),
    findKeyCompany: async (key: string) =>
      (await store.read.keys.findByDigest(digestSecret(key)))?.company_id ?? '',
    places,
    async close() {
      places.close();
      await keyUses.settle();
      await store.close();
    },
  };
}
