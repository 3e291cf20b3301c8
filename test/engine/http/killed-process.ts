import { engineOn } from '../engine-under-test.ts';
import { databaseAt } from '../store/dialects.ts';

const [address = ''] = process.argv.slice(2);
const engine = await engineOn(databaseAt(JSON.parse(address)));
for (let made = 0; ; made++) {
  const key = `key-${made}`;
  await engine.call('POST', '/jobs', { title: key }, { 'idempotency-key': key });
  process.send?.(key);
}
