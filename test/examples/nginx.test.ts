import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { request } from 'undici';
import { RealServers } from '../client/real-server.ts';
import { NO_NGINX, type OwnServer, startNginx } from '../long/cluster/own-servers.ts';
import cases from './nginx.json' with { type: 'json' };

const AWAY = '{"error":{"code":"OF_THE_ENGINE"}}';
const ENGINES: Readonly<Record<string, (response: ServerResponse, sent: number) => void>> = {
  answer: (response) => response.end('{}'),
  'are away': (response) => response.writeHead(503, { 'Retry-After': 5 }).end(AWAY),
  'cut off': (response) => response.destroy(),
};
const NOTHING_LISTENS = { origin: 'http://127.0.0.1:1' };

(NO_NGINX === undefined ? describe : describe.skip)('the nginx of deploy/', () => {
  const servers = new RealServers();
  let nginx: OwnServer | undefined;
  afterEach(() => Promise.all([nginx?.stop(), servers.close()]));

  for (const { name, engines, method, path = '/v1/jobs', bodyBytes = 2, then, ...row } of cases)
    it(name, async () => {
      let doing = engines;
      let sent = 0;
      const listen = (_: string, index: number) =>
        servers.listen((_, __, response) => ENGINES[doing[index] ?? '']?.(response, ++sent));
      const started = engines.map((does, index) =>
        does === 'refuse' ? NOTHING_LISTENS : listen(does, index),
      );
      nginx = await startNginx(await Promise.all(started));
      const url = nginx.url + path;
      const call = async () => {
        const answer = await request(url, { method, body: method === 'GET' ? null : 'x'.repeat(bodyBytes) });
        const { error } = (await answer.body.json()) as { error?: { code: string } };
        const isTemporary = answer.headers['retry-after'] !== undefined;
        return { status: answer.statusCode, code: error?.code, isTemporary };
      };
      for (let left = row.times ?? 1; left > 0; left--)
        assert.deepEqual(await call(), {
          status: row.status,
          code: row.code,
          isTemporary: row.status >= 500,
        });
      assert.equal(sent, row.sent ?? sent);
      doing = then ?? [];
      for (let left = doing.length * 10; left > 0; left--) assert.equal((await call()).status, 200);
    });
});
