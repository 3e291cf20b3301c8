import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { newHome } from '../cli/partner.ts';
import { COMPLETE } from '../engine/listing.ts';
import { onDatabase } from '../engine/store/postgres-server.ts';
import { ClusterClient, Tally } from './cluster/client.ts';
import { Fleet } from './cluster/fleet.ts';
import { NO_NGINX, NO_POSTGRES, type OwnServer, startNginx, startPostgres } from './cluster/own-servers.ts';

const ROUNDS = 3;
const CLIENTS = 8;
/** Time under load before and after each failure. */
const CALM_MS = 3_000;
const MISSING = NO_POSTGRES ?? NO_NGINX;

(MISSING === undefined ? describe : describe.skip)(`two engines behind nginx ${MISSING ?? ''}`, function () {
  this.timeout(600_000);
  const [direct, proxied] = [new Tally(), new Tally()];
  const acknowledged: string[] = [];
  let postgres: OwnServer;
  let nginx: OwnServer;
  let fleet: Fleet;

  after(async () => {
    await nginx?.stop();
    await fleet?.stop();
    await postgres?.stop();
  });

  it('are away for at most a second longer than without it, and do nothing twice', async () => {
    postgres = await startPostgres();
    const home = await newHome();
    // Same flags as in compose.yaml.
    const flags = `--stop-delay 5s --stop-timeout 20s --trust-proxy 127.0.0.1 --database ${postgres.url}`;
    fleet = new Fleet(home, 2, flags);
    await fleet.allUp();
    const one = await fleet.any();
    nginx = await startNginx([one, await fleet.any(one)]);
    const proxy = { ...one, origin: nginx.url };
    const { key } = await home.must<{ key: string }>(`engine keys create --database ${postgres.url}`);
    const clients = Array.from({ length: CLIENTS * 2 }, (_, index) =>
      index % 2 === 0
        ? new ClusterClient(fleet, direct)
        : new ClusterClient({ any: async () => proxy }, proxied),
    );
    const load = clients.map((client, index) => work(client, `Client ${index}`, `Bearer ${key}`));
    const wrong: string[] = [];
    const lostSoFar = () => proxied.counts.get('answered 502') ?? 0;
    for (let round = 0; round < ROUNDS * 2; round++) {
      const isCrash = round % 2 === 0;
      await pause(CALM_MS);
      for (const tally of [direct, proxied]) tally.takeOutage();
      const lostBefore = lostSoFar();
      await (isCrash ? postgres.crash() : fleet.restartEach());
      await pause(CALM_MS);
      const [own, seen] = [direct.takeOutage(), proxied.takeOutage()];
      const what = isCrash ? 'database crash' : 'rolling restart';
      const lost = lostSoFar() - lostBefore;
      const figures = `${what}: away for ${own} ms at the engines, ${seen} ms behind nginx, ${lost} times 502`;
      console.log(`      ${figures}`);
      if (seen > own + 1_000 || (isCrash && lost > 0)) wrong.push(figures);
    }
    direct.isOver = proxied.isOver = true;
    await Promise.all(load);
    console.log(`      ${direct.requests} requests at the engines, ${proxied.requests} behind nginx`);
    // nginx doesn't repeat a write that was in flight when an engine closed its port.
    const isLost = (text: string) => text.includes(': POST /v1/jobs was answered 502');
    wrong.push(...direct.anomalies, ...proxied.anomalies.filter((text) => !isLost(text)), ...fleet.ends);
    assert.deepEqual(wrong, [], fleet.notes.slice(-30).join('\n'));
    const titles = (await onDatabase(postgres.url, 'select title from jobs')).map(({ title }) => title);
    const stored = new Set(titles);
    assert.equal(stored.size, titles.length);
    const lost = acknowledged.filter((title) => !stored.has(title));
    assert.deepEqual(lost, []);
  });

  async function work(client: ClusterClient, name: string, authorization: string): Promise<void> {
    const headers = { authorization };
    for (let made = 0; !client.tally.isOver; made++) {
      const body = { ...COMPLETE, title: `${name} job ${made}` };
      const answer = await client.once('POST', '/v1/jobs', { headers, body });
      if (answer !== undefined) acknowledged.push(body.title);
      await client.until('GET', '/v1/jobs?limit=10', { headers });
    }
    await client.close();
  }
});
