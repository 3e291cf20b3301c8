/** Loads a server from a separate process, at the maximum rate (autocannon) or at a fixed rate. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import { Client } from 'undici';

process.on('message', async ({ request, seconds, requests, perSecond }) => {
  process.send(
    perSecond === undefined
      ? await most(request, seconds, requests)
      : await steady(request, seconds, perSecond),
  );
});

function headersOf({ isUnderKey, headers }) {
  return isUnderKey ? { ...headers, 'idempotency-key': randomUUID() } : headers;
}

async function most({ url, paths, ...request }, seconds, requests) {
  const setupRequest = (sent) => ({ ...sent, headers: headersOf(request) });
  const { pathname, search } = new URL(url);
  const { method, headers, body } = request;
  const sent = { method, headers, body, ...(request.isUnderKey && { setupRequest }) };
  const result = await autocannon({
    url,
    connections: 64,
    ...(requests === undefined ? { duration: seconds } : { amount: requests }),
    requests: (paths ?? [pathname + search]).map((path) => ({ ...sent, path })),
  });
  const failed = result.non2xx + result.errors;
  if (failed > 0) throw new Error(`${failed} of ${result.requests.total} requests failed`);
  return { perSecond: result.requests.total / result.duration };
}

/** Measures latency from the time when a request was due, so that a wait for slow responses is included. */
async function steady({ url, paths, isUnderKey, ...request }, seconds, perSecond) {
  const warmMs = 1_000;
  const { origin, pathname, search } = new URL(url);
  const clients = Array.from({ length: 64 }, () => new Client(origin, { pipelining: 1 }));
  const latencies = [];
  const pending = new Set();
  const startedAt = performance.now();
  for (let sent = 0; sent < (seconds + warmMs / 1000) * perSecond; ) {
    const due = ((performance.now() - startedAt) / 1000) * perSecond;
    for (; sent < due; sent++) {
      const dueAt = startedAt + (sent / perSecond) * 1000;
      const answered = clients[sent % clients.length]
        .request({
          ...request,
          headers: headersOf({ ...request, isUnderKey }),
          path: paths?.[sent % paths.length] ?? pathname + search,
        })
        .then(({ body }) => body.dump({ limit: 10_000_000 }))
        .then(() => dueAt - startedAt > warmMs && latencies.push(performance.now() - dueAt))
        .finally(() => pending.delete(answered));
      pending.add(answered);
    }
    await sleep(1);
  }
  await Promise.all(pending);
  await Promise.all(clients.map((client) => client.close()));
  latencies.sort((a, b) => a - b);
  const at = (share) => latencies[Math.floor(share * latencies.length)];
  return { medianMs: at(0.5), p99Ms: at(0.99) };
}
