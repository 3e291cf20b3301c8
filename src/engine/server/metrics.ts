import { createServer } from 'node:http';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { getErrorCode } from '../../contract/system-errors.ts';
import { listen } from '../serve.ts';
import type { PoolReadings } from '../store/store.ts';
import type { Observer } from './observer.ts';

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

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
  const requests = new Counter({
    name: 'partner_http_requests_total',
    help: 'Completed requests',
    labelNames: ['operation', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'partner_http_request_duration_seconds',
    help: 'Time from the request header to the end of the response',
    labelNames: ['operation', 'class'],
    buckets: BUCKETS,
    registers,
  });
  const inFlight = new Gauge({
    name: 'partner_http_requests_in_flight',
    help: 'Requests in flight',
    registers,
  });
  const databaseErrors = new Counter({
    name: 'partner_database_errors_total',
    help: 'Requests that returned 503 because the database was unusable',
    registers,
  });
  const reading = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  reading('partner_http_connections', 'Open connections', connections);
  if (pool !== undefined) {
    reading('partner_database_pool_open', 'Connections to PostgreSQL', () => pool().open);
    reading('partner_database_pool_idle', 'Idle connections to PostgreSQL', () => pool().idle);
    reading('partner_database_pool_waiting', 'Queries waiting for a connection', () => pool().waiting);
    reading('partner_database_retries', 'Transactions retried after a conflict', () => pool().retries);
  }
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
