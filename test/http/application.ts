import { openEngine } from '../../src/engine/open.ts';
import { type DatabaseKind, ONE_KIND, openDatabase } from '../engine/store/dialects.ts';
import { PLACES_PATH, peopleOf, type Subject } from './subject.ts';

const START = Date.parse('2026-03-10T09:30:00.250Z');

/** Runs the engine in this process, with a clock that only `passTime` moves. */
export async function openApplication(kind: DatabaseKind = ONE_KIND): Promise<Subject> {
  const database = await openDatabase(kind);
  let time = START;
  const now = () => time;
  const engine = await openEngine({
    database: database.address,
    store: await database.openStore(),
    placesPath: PLACES_PATH,
    clock: now,
    reportBug: (error: unknown) => console.error(error),
  });
  const store = await database.openStore();
  return {
    ...peopleOf(engine.operator, store, now),
    baseUrl: 'http://engine.test/v1',
    async send(request) {
      const response = await engine.fetch(request);
      return new Response(await response.text(), response);
    },
    now,
    async passTime(_companyId, durationMs) {
      time += durationMs;
    },
    async close() {
      await engine.close();
      await store.close();
      await database.drop();
    },
  };
}
