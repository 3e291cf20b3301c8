import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEngine } from '../../src/engine/open.ts';
import { sqliteFile } from '../../src/engine/store/address.ts';
import { openSqliteStore } from '../../src/engine/store/sqlite.ts';
import { PLACES_PATH, peopleOf, type Subject } from './subject.ts';

const START = Date.parse('2026-03-10T09:30:00.250Z');

/** The engine as a value, in this process, with a clock that only `passTime` moves. */
export async function openApplication(): Promise<Subject> {
  const directory = await mkdtemp(join(tmpdir(), 'partner-application-'));
  const databasePath = join(directory, 'engine.db');
  let time = START;
  const now = () => time;
  const reportBug = (error: unknown) => console.error(error);
  const engine = await openEngine({
    database: sqliteFile(databasePath),
    placesPath: PLACES_PATH,
    clock: now,
    reportBug,
  });
  const store = await openSqliteStore(databasePath);
  return {
    ...peopleOf(engine.operator, store, now),
    baseUrl: 'http://engine.test/v1',
    send: engine.fetch,
    now,
    async passTime(_companyId, durationMs) {
      time += durationMs;
    },
    async close() {
      await engine.close();
      await store.close();
      await rm(directory, { recursive: true });
    },
  };
}
