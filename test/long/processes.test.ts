import type { DatabaseAddress } from '../../src/engine/store/address.ts';
import { describeOnServer, newDatabase, type TestDatabase } from '../engine/store/postgres-server.ts';
import { processesSuite } from '../engine/store/processes.ts';
import { temporaryDirectory } from '../engine/temporary-directory.ts';

describeOnServer('ten processes at once on one new database of a PostgreSQL server', () => {
  const path = temporaryDirectory();
  const databases: TestDatabase[] = [];
  after(() => Promise.all(databases.map((database) => database.drop())));

  processesSuite(
    10,
    async () => {
      for (let made = 0; made < 4; made++) databases.push(await newDatabase());
      const [shared, ...rehearsals] = databases.map(({ url }) => ({ dialect: 'postgres', url }) as const);
      return { rehearsals, shared: shared as DatabaseAddress };
    },
    path('local.key'),
  );
});
