import assert from 'node:assert/strict';
import { openEngine } from '../../src/engine/open.ts';
import { describeOnServer, newDatabase, onDatabase } from '../engine/store/postgres-server.ts';
import { newHome } from './partner.ts';

describeOnServer('a PostgreSQL database that can only be read', () => {
  it('is not ready, and a command that would write says why and ends before an idle connection does', async () => {
    const { url, drop } = await newDatabase();
    const home = await newHome();
    await home.must(`engine migrate --database ${url}`);
    const name = new URL(url).pathname.slice(1);
    await onDatabase(url, `alter database ${name} set default_transaction_read_only = on`);
    const startedAt = performance.now();
    const env = { PARTNER_ENGINE_DATABASE: url };
    const { code, stderr } = await home.run('jobs create --title Baker', { env });
    const isSoon = performance.now() - startedAt < 8_000;
    assert.match(stderr, /read-only transaction/);
    assert.deepEqual([code, isSoon], [2, true]);
    const engine = await openEngine({ database: { dialect: 'postgres', url }, placesPath: '' });
    const ready = await engine.fetch(new Request('http://engine.test/readyz'));
    assert.match(`${ready.status} ${await ready.text()}`, /^503 .*read-only/);
    await engine.close();
    await drop();
  });
});
