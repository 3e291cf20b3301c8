import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newDatabase, POSTGRES_URL } from '../test/engine/store/postgres-server.ts';
import { median, tell } from './figures.ts';
import { type BenchHome, type BenchServer, makeHome } from './home.ts';
import { resolvedListing } from './listings.ts';

/** `npm run bench -- serve ROUNDS SECONDS`. Each round loads both servers, each for SECONDS. */
const ROUNDS = Number(process.argv[3] ?? 5);
const SECONDS = Number(process.argv[4] ?? 4);
/** Minimum share of a bare server's request rate. No minimum for creates with a key, which also store the response. */
const BARS = {
  sqlite: {
    'GET a job': 0.35,
    'location search': 0.5,
    'durable create': 0.15,
    'create under a key': undefined,
  },
  postgres: { 'GET a job': 0.18, 'durable create': 0.08, 'create under a key': undefined },
};
/** Searches like a form with suggestions, which sends a request for each typed character. */
const PLACE_TEXTS = [
  'san francisco',
  'new york',
  'london',
  'münchen',
  'paris texas',
  'springfield, il',
].flatMap((name) => Array.from({ length: name.length - 1 }, (_, at) => name.slice(0, at + 2)));
const TAIL_MOST = 8;
const MEMORY_REQUESTS = 100_000;
/** A heap of this size grows by up to this much between two garbage collections. */
const MEMORY_MEGABYTES_MOST = 16;

interface LoadRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** Requested in turn, instead of the URL's own path. */
  readonly paths?: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** True if each request has a new idempotency key, like creates by the CLI. */
  readonly isUnderKey?: boolean;
}

/** Compares `engine serve` with a bare `node:http` server. Also measures latencies at half load and memory growth. */
export async function bench(): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'partner-bench-'));
  const load = forked('load.mjs');
  const bare = forked('bare.mjs');
  try {
    const [{ port }] = (await once(bare, 'message')) as [{ port: number }];
    console.log(`Node ${process.version}, ${ROUNDS} rounds of ${SECONDS} s, 64 connections`);
    const bench = { load, bare, bareUrl: `http://127.0.0.1:${port}` };
    await benchEngine(bench, 'sqlite', makeHome(scratch));
    if (POSTGRES_URL === undefined)
      return console.log('PostgreSQL was skipped, because PARTNER_TEST_POSTGRES_URL is not set.');
    const { url, drop } = await newDatabase();
    await benchEngine(bench, 'postgres', makeHome(scratch, { PARTNER_ENGINE_DATABASE: url })).finally(drop);
  } finally {
    load.kill();
    bare.kill();
    rmSync(scratch, { recursive: true, force: true });
  }
}

interface Bench {
  readonly load: ChildProcess;
  readonly bare: ChildProcess;
  readonly bareUrl: string;
}

async function benchEngine(bench: Bench, dialect: keyof typeof BARS, home: BenchHome): Promise<void> {
  // Disables logging, because the bare server doesn't log either.
  const server = await home.serve(['--log-level', 'silent']);
  try {
    const requests = await requestsOf(server, home.newKey());
    const rates = new Map<string, number>();
    for (const [what, least] of Object.entries(BARS[dialect])) {
      const request = requests[what as keyof typeof requests];
      rates.set(what, await benchShare(bench, `${dialect}, ${what}`, request, server, least));
    }
    for (const [what, perSecond] of rates) {
      const request = requests[what as keyof typeof requests];
      const { medianMs, p99Ms } = await ask(bench.load, {
        request,
        seconds: SECONDS,
        perSecond: perSecond / 2,
      });
      const missed = p99Ms < TAIL_MOST * medianMs ? '' : '  MISSED';
      const times = `p99 ${p99Ms.toFixed(2)} ms, median ${medianMs.toFixed(2)} ms`;
      console.log(
        `${dialect}, ${what} at half load: ${times} (target: p99 below ${TAIL_MOST} times the median)${missed}`,
      );
    }
    await benchMemory(bench, dialect, requests['GET a job'], server);
  } finally {
    await server.stop();
  }
}

async function requestsOf({ url }: BenchServer, key: string) {
  const headers = { authorization: `Bearer ${key}` };
  const body = JSON.stringify(resolvedListing(0));
  const create = {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  } as const;
  const searches = PLACE_TEXTS.map((text) => `/locations/search?q=${encodeURIComponent(text)}`);
  const { id } = (await (await fetch(`${url}/jobs`, create)).json()) as { id: number };
  return {
    'GET a job': { method: 'GET', url: `${url}/jobs/${id}`, headers },
    'location search': {
      method: 'GET',
      url: url + searches[0],
      headers,
      paths: searches.map((path) => `/v1${path}`),
    },
    'durable create': { ...create, url: `${url}/jobs` },
    'create under a key': { ...create, url: `${url}/jobs`, isUnderKey: true },
  } as const satisfies Record<string, LoadRequest>;
}

async function benchShare(
  { load, bare, bareUrl }: Bench,
  what: string,
  request: LoadRequest,
  server: BenchServer,
  least: number | undefined,
): Promise<number> {
  const { method, headers, body } = request;
  const answer = await fetch(request.url, { method, headers, ...(body && { body }) });
  const bytes = (await answer.arrayBuffer()).byteLength;
  await ask(bare, bytes);
  const target = new URL(request.url);
  const bareRequest = { ...request, url: bareUrl + target.pathname + target.search };
  const rates: { engine: number; bare: number; engineCpu: number; bareCpu: number }[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const one = await measured(load, bareRequest, bare.pid as number);
    const other = await measured(load, request, server.pid);
    // Skips the first round, which warms up both servers.
    if (round > 0)
      rates.push({
        engine: other.perSecond,
        bare: one.perSecond,
        engineCpu: other.cpuUs,
        bareCpu: one.cpuUs,
      });
  }
  const mid = (of: keyof (typeof rates)[number]) => median(rates.map((rate) => rate[of]));
  tell(
    `${what}, ${bytes} bytes`,
    median(rates.map((rate) => rate.engine / rate.bare)),
    'of the rate of a bare server',
    least,
  );
  console.log(
    `  engine: ${mid('engine').toFixed(0)}/s, ${mid('engineCpu').toFixed(0)} µs of CPU per request. Bare: ${mid('bare').toFixed(0)}/s, ${mid('bareCpu').toFixed(0)} µs`,
  );
  return mid('engine');
}

async function measured(load: ChildProcess, request: LoadRequest, pid: number) {
  const before = computedMs(pid);
  const { perSecond } = await ask(load, { request, seconds: SECONDS });
  return { perSecond, cpuUs: (1000 * (computedMs(pid) - before)) / (perSecond * SECONDS) };
}

async function benchMemory({ load }: Bench, dialect: string, request: LoadRequest, { pid }: BenchServer) {
  await ask(load, { request, requests: MEMORY_REQUESTS / 2 });
  const before = residentMegabytes(pid);
  await ask(load, { request, requests: MEMORY_REQUESTS });
  const grown = residentMegabytes(pid) - before;
  const missed = grown <= MEMORY_MEGABYTES_MOST ? '' : '  MISSED';
  console.log(
    `${dialect}, memory after ${MEMORY_REQUESTS} requests: ${before.toFixed(0)} MB + ${grown.toFixed(1)} MB (target: at most ${MEMORY_MEGABYTES_MOST} MB more)${missed}`,
  );
}

function forked(name: string): ChildProcess {
  return fork(new URL(`serve/${name}`, import.meta.url), { execArgv: [] });
}

// biome-ignore lint/suspicious/noExplicitAny: each process sends a different message
async function ask(child: ChildProcess, message: object | number): Promise<any> {
  child.send(message);
  const stop = new AbortController();
  const { signal } = stop;
  const ended = once(child, 'exit', { signal }).then(([code]) =>
    Promise.reject(new Error(`a process of the benchmark exited with code ${code}`)),
  );
  const [answer] = await Promise.race([once(child, 'message', { signal }), ended]);
  ended.catch(() => undefined);
  stop.abort();
  return answer;
}

/** Returns the user and system time of a process. Linux counts it in ticks of 10 ms. */
function computedMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return 10 * (Number(fields[11]) + Number(fields[12]));
}

function residentMegabytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}
