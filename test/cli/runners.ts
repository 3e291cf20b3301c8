import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { RealServers } from '../client/real-server.ts';
import { emptySet, JobSet, listingOf } from './bulk.ts';
import { newHome } from './partner.ts';
import { serveEngine } from './servers.ts';

/** The first `together` creates are held until all of them have arrived, so that they race. */
export interface ServerKind {
  readonly keys?: boolean;
  readonly lists?: boolean;
  readonly latencyMs?: number;
  readonly together?: number;
}

export async function runnersOn(kind: ServerKind, count: number, listings: number) {
  const { keys = true, lists = true, latencyMs = 0, together = 1 } = kind;
  const { home } = await emptySet();
  const engine = await serveEngine(home);
  const waiting: (() => void)[] = [];
  const servers = new RealServers();
  const { origin } = await servers.listen(
    async ({ method = 'GET', url = '/', headers, body }, _, response) => {
      await after(latencyMs);
      if (!lists && method === 'GET' && /^\/v1\/jobs(?:\?|$)/.test(url))
        return void response.writeHead(404).end('no such page\n');
      if (method === 'POST' && waiting.length < together)
        await new Promise<void>((go) => {
          if (waiting.push(go) === together) for (const each of waiting) each();
        });
      const key = keys ? headers['idempotency-key'] : undefined;
      const sent = {
        authorization: headers.authorization ?? '',
        ...(key && { 'idempotency-key': String(key) }),
      };
      const type = { 'content-type': 'application/json' };
      const options = { method, headers: { ...sent, ...type }, ...(body && { body }) };
      const answer = await fetch(new URL(url, engine.url), options);
      const shown = answer.headers.get('idempotency-status');
      const status = shown === null ? {} : { 'idempotency-status': shown };
      response.writeHead(answer.status, { ...type, ...status }).end(await answer.text());
    },
  );
  const sets = await Promise.all(Array.from({ length: count }, async () => new JobSet(await newHome())));
  for (const set of sets) {
    await mkdir(join(set.home.path, '.git'));
    for (let at = 1; at <= listings; at++) await set.write(`job-${at}.json`, listingOf(`Nurse ${at}`));
  }
  const options = { env: { ...engine.env, PARTNER_BASE_URL: `${origin}/v1` } };
  return {
    sets,
    options,
    applyAll: () => Promise.all(sets.map((set) => set.home.run('jobs apply jobs --publish --json', options))),
    async live(): Promise<number> {
      const argv = 'jobs list --status ACTIVE --limit 1000';
      return (await home.must<{ items: unknown[] }>(argv, { env: engine.env })).items.length;
    },
    close: () => Promise.all([servers.close(), engine.stop()]),
  };
}
