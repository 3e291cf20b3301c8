import assert from 'node:assert/strict';
import Libsql from 'libsql';
import { listingOf, newSet } from './bulk.ts';

const TITLES = ['Driver', 'Baker', 'Porter'];

describe('a fault of the engine that one listing meets', () => {
  for (const concurrency of ['1', '8']) {
    it(`fails that listing alone, with ${concurrency} calls at a time: the others are made and remembered`, async () => {
      const set = await newSet();
      for (const title of TITLES) await set.write(`${title.toLowerCase()}.json`, listingOf(title));
      const change = (sql: string): void => {
        const file = new Libsql(set.home.database);
        file.exec(sql);
        file.close();
      };
      change(`create trigger fault before insert on jobs when new.title = 'Baker'
      begin select raise(abort, 'a fault'); end`);

      const first = await set.apply(['--concurrency', concurrency]);
      assert.equal(first.code, 9);
      const failed = first.items.filter(({ error }) => error !== undefined);
      assert.deepEqual(
        failed.map(({ key, result, error }) => [key, result, error?.code]),
        [['baker.json', 'failed', 'UNEXPECTED']],
      );
      assert.equal(set.home.storedJobs(), 5);
      assert.equal(Object.keys(await set.jobs()).length, 5);

      change('drop trigger fault');
      const second = await set.must();
      assert.deepEqual(second.sent, ['POST /jobs']);
      assert.equal(set.home.storedJobs(), 6);
      assert.equal(Object.keys(await set.jobs()).length, 6);
    });
  }
});
