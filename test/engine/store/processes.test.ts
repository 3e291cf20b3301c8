import { sqliteFile } from '../../../src/engine/store/address.ts';
import { times } from '../../times.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import { processesSuite } from './processes.ts';

describe('several processes at once on one new database', () => {
  const path = temporaryDirectory();
  const rehearsals = Array.from({ length: times(8, 20) }, (_, index) =>
    sqliteFile(path(`rehearsal-${index}.db`)),
  );
  processesSuite(4, async () => ({ rehearsals, shared: sqliteFile(path('shared.db')) }), path('local.key'));
});
