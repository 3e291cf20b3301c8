import { engineOn } from '../engine-under-test.ts';

/** Creates one job after the other, its title its key, until it is killed. */
const [databasePath = ''] = process.argv.slice(2);
const engine = await engineOn(databasePath);
for (let made = 0; ; made++) {
  const key = `key-${made}`;
  await engine.call('POST', '/jobs', { title: key }, { 'idempotency-key': key });
  process.send?.(key);
}
