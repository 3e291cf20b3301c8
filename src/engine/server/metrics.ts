import { createServer } from 'node:http';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { getErrorCode } from '../../contract/system-errors.ts';
import { listen } from '../serve.ts';
import type { PoolReadings } from '../store/store.ts';
import metrics from './metrics.json' with { type: 'json' };
import type { Observer } from './observer.ts';

export interface Readings {
  readonly connections: () => number;
  readonly pool: (() => PoolReadings) | undefined;
}

/** Serves `GET /metrics` on a separate port, because API clients must not see the metrics. */
export async function serveMetrics(host: string, port: number, readings: Readings) {
  const { observer, registry } = createMetrics(readings);
  const server = createServer(async ({ method, url = '' }, outgoing) => {
    if (method !== 'GET' || url.split('?', 1)[0] !== '/metrics') {
      outgoing.writeHead(404).end();
      return;
    }
    const text = await registry.metrics();
    outgoing.writeHead(200, { 'Content-Type': registry.contentType }).end(text);
  });
  server.unref().on('connection', (socket) => socket.unref());
  const { origin } = await listen(server, host, port, '--metrics-port');
  return { url: `${origin}/metrics`, observer };
}

function createMetrics({ connections, pool }: Readings) {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({ ...metrics.requests, registers });
  const durations = new Histogram({ ...metrics.durations, registers });
  const inFlight = new Gauge({ ...metrics.inFlight, registers });
  const databaseErrors = new Counter({ ...metrics.databaseErrors, registers });
  const addReading = (metric: { readonly name: string; readonly help: string }, read: () => number) =>
    new Gauge({
      ...metric,
      registers,
      collect() {
        this.set(read());
      },
    });
  addReading(metrics.connections, connections);
  if (pool !== undefined)
    for (const reading of ['open', 'idle', 'waiting', 'retries'] as const)
      addReading(metrics.pool[reading], () => pool()[reading]);
  const observer: Observer = {
    noteRequest: () => inFlight.inc(),
    noteAnswer({ operation = 'none', status, durationMs, fault }) {
      inFlight.dec();
      requests.inc({ operation, status });
      durations.observe({ operation, class: `${Math.floor(status / 100)}xx` }, durationMs / 1_000);
      if (getErrorCode(fault) === 'DATABASE_UNUSABLE') databaseErrors.inc();
    },
  };
  return { observer, registry };
}
