import { randomUUID } from 'node:crypto';
import { createSite } from './app.ts';
import { createFileStore } from './applications/files.ts';
import { openClock } from './clock.ts';
import { createKeyUses, localKey, withGuests } from './companies/keys.ts';
import { createOperator } from './companies/operator.ts';
import { issueLink } from './dashboard/sessions.ts';
import type { App, RateLimit, ReportBug } from './parts.ts';
import { placesOnFirstUse } from './places/open.ts';
import { type Access, type DatabaseAddress, databaseName } from './store/address.ts';
import { openStore } from './store/open.ts';
import type { Store } from './store/store.ts';

export interface EngineOptions {
  readonly database: DatabaseAddress;
  /** The index that `scripts/places.ts` builds; opened when the first place is asked for. */
  readonly placesPath: string;
  readonly clock?: () => number;
  /** Times how long keys and the clock's setting are remembered. */
  readonly elapsedMs?: () => number;
  readonly rateLimit?: RateLimit | undefined;
  readonly candidateRateLimit?: RateLimit | undefined;
  readonly reportBug?: ReportBug;
  /** `migrate` if omitted. With `read`, keys and companies that commands need exist in this process only. */
  readonly access?: Access | undefined;
  /** Opened on the database already, and closed with the engine. */
  readonly store?: Store | undefined;
  /** How many connections to a PostgreSQL server this process opens at most. */
  readonly poolSize?: number | undefined;
  /** For work that takes as long as the tables are large. */
  readonly hasNoTimeouts?: boolean | undefined;
}

export type Engine = Awaited<ReturnType<typeof openEngine>>;

/** The bundled engine. Throws DATABASE_UNUSABLE and DATABASE_OUTDATED. */
export async function openEngine(options: EngineOptions) {
  const { database, rateLimit, candidateRateLimit, clock: machine = Date.now } = options;
  const { reportBug = () => {} } = options;
  const { access, poolSize: connections, hasNoTimeouts } = options;
  const opened = options.store ?? (await openStore(database, { access, connections, hasNoTimeouts }));
  const guests = access === 'read' ? withGuests(opened, machine()) : undefined;
  const store = guests?.store ?? opened;
  const clock = await openClock(store, machine, options.elapsedMs);
  const directory = database.dialect === 'sqlite' ? `${database.path}-files` : undefined;
  const files = createFileStore({ store, directory, machine, reportBug });
  if (!store.isTemporary) await files.contents.finishReset().catch((error: unknown) => reportBug(error));
  const keyUses = createKeyUses(store, clock.now);
  const places = placesOnFirstUse(options.placesPath);
  const site = createSite({
    store,
    keyUses,
    files,
    places,
    clock: clock.now,
    machineClock: machine,
    elapsedMs: options.elapsedMs,
    newId: randomUUID,
    rateLimit,
    candidateRateLimit,
    reportBug,
  });
  // Without waiting where nothing is to be waited for, as is usual.
  const fetch: App = (request, origin) => {
    const refreshing = clock.refresh();
    if (refreshing === undefined) return site(request, origin);
    return refreshing
      .catch((error: unknown) => reportBug(error, request, origin))
      .then(() => site(request, origin));
  };
  return {
    /** The service under `/v1`, the candidates' side and the dashboard. Every write is durable when it answers. */
    fetch,
    operator: createOperator(store, clock, databaseName(database), files),
    clock,
    pool: store.pool,
    signInLink: (companyId: string) => issueLink(store, companyId, machine()),
    /** The key of this machine's user, kept at `path`. Throws CONFIG_UNREADABLE. */
    localKey: (path: string) => localKey(store, path, clock.now(), guests),
    places,
    async close() {
      places.close();
      await keyUses.settle();
      await store.close();
    },
  };
}
