import { DATABASE_KINDS, ONE_KIND } from '../engine/store/dialects.ts';
import { IS_AT_LENGTH } from '../times.ts';
import { openApplication } from './application.ts';
import { ON_THE_DATABASE, specification } from './specification.ts';

for (const kind of DATABASE_KINDS) {
  // PostgreSQL is slow in this process. Other suites test its queries in `npm test`.
  if (kind === 'pglite' && kind !== ONE_KIND && !IS_AT_LENGTH) continue;
  // Refusals before any database access don't depend on the database.
  const sections = kind === ONE_KIND || IS_AT_LENGTH ? undefined : ON_THE_DATABASE;
  specification(`through the application value, on ${kind}`, () => openApplication(kind), sections);
}
