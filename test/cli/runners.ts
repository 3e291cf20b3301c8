import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as after } from 'node:timers/promises';
import { emptySet, JobSet, listingOf } from './bulk.ts';
import { newHome, type Run } from './partner.ts';
import { serveEngine } from './servers.ts';

/** What a server lacks, how long its answers take, and how many runners create their first job at the same time. */
export interface ServerKind {
  readonly keys?: boolean;
  readonly lists?: boolean;
  readonly latencyMs?: number;
  readonly together?: number;
}

/** The engine behind a proxy. */
export async function serverOf({ keys = true, lists = true, latencyMs = 0, together = 1 }: ServerKind) {
  const { home } = await emptySet();
  const engine = await serveEngine(home);
  const waiting: (() => void)[] = [];
  const first = async (): Promise<void> => {
    if (waiting.length >= together) return;
    await new Promise<void>((go) => {
      if (waiting.push(go) === together) for (const each of waiting) each();
    });
  };
  const proxy = createServer(async (request, response) => {
    const { method = 'GET', url = '/', headers } = request;
    const body = method === 'GET' ? undefined : await text(request);
    await after(latencyMs);
    if (method === 'POST' && url === '/v1/jobs') await first();
    if (!lists && method === 'GET' && /^\/v1\/jobs(?:\?|$)/.test(url))
      return void response.writeHead(404, { 'content-type': 'text/plain' }).end('no such page\n');
    const key = keys && headers['idempotency-key'];
    const answer = await fetch(new URL(url, engine.url), {
      method,
      headers: {
        authorization: headers.authorization ?? '',
        ...(body && { 'content-type': 'application/json' }),
        ...(key && { 'idempotency-key': String(key) }),
      },
      ...(body && { body }),
    });
    const shown = answer.headers.get('idempotency-status');
    const type = { 'content-type': 'application/json', ...(shown && { 'idempotency-status': shown }) };
    response.writeHead(answer.status, type).end(await answer.text());
  });
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
  const { port } = proxy.address() as { port: number };
  return {
    env: { ...engine.env, PARTNER_BASE_URL: `http://127.0.0.1:${port}/v1` },
    async live(): Promise<number> {
      const argv = 'jobs list --status ACTIVE --limit 1000';
      return (await home.must<{ items: unknown[] }>(argv, { env: engine.env })).items.length;
    },
    async close(): Promise<void> {
      proxy.close().closeAllConnections();
      await engine.stop();
    },
  };
}

/** A checkout of the same repository for each runner, without a state. */
export async function checkouts(count: number, listings: number): Promise<JobSet[]> {
  const sets = Array.from({ length: count }, async () => new JobSet(await newHome()));
  for (const set of await Promise.all(sets)) {
    await mkdir(join(set.home.path, '.git'));
    for (let at = 1; at <= listings; at++) await set.write(`job-${at}.json`, listingOf(`Nurse ${at}`));
  }
  return Promise.all(sets);
}

/** All at once, each a process of its own. */
export function applyAll(sets: readonly JobSet[], env: Readonly<Record<string, string>>): Promise<Run[]> {
  return Promise.all(sets.map(({ home }) => home.start('jobs apply jobs --publish --json', { env }).ended));
}
