import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { Client, type Dispatcher } from 'undici';
import { type Attack, anonymousAttacks, keyedAttacks } from './hold/attacks.ts';
import { fuzzed } from './hold/fuzz.ts';
import { benchMemory } from './hold/memory.ts';
import { type BenchHome, makeHome } from './home.ts';
import { resolvedListing } from './listings.ts';

/** `npm run bench -- hold FUZZED`. Number of random requests, half of them with an API key. */
const FUZZED = Number(process.argv[3] ?? 100_000);
const FUZZED_AT_ONCE = 200;
const TIMES = 3;
const HELD_MS_MOST = 250;

/** Measures how long one request can block `engine serve`, and how much memory clients can make it use. */
export async function bench(): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'partner-bench-'));
  try {
    console.log(`Node ${process.version}`);
    const home = makeHome(scratch);
    await benchHolds(home);
    await benchMemory(home);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

interface Target {
  readonly client: Client;
  /** CPU time of the server so far, in ms. Unlike elapsed time, it doesn't depend on other load. */
  computedMs(): number;
  /** Returns the probe's longest wait since the last call, in ms. */
  longestWait(): Promise<number>;
}

async function benchHolds(home: BenchHome): Promise<void> {
  // All requests come from one IP address, so the default rate limit would reject most of them.
  const server = await home.serve(['--candidate-rate-limit', '1000000']);
  const key = home.newKey();
  const headers = { authorization: `Bearer ${key}` };
  const { origin } = new URL(server.url);
  const client = new Client(origin, { headersTimeout: 120_000 });
  const jobId = await published(server.url, headers);
  const probe = new Worker(new URL('hold/probe.mjs', import.meta.url), {
    workerData: [
      { url: `${server.url}/jobs/${jobId}`, headers },
      { url: `${origin}/candidate/v1/jobs?limit=1`, headers: {} },
    ],
  });
  const target: Target = {
    client,
    computedMs: () => computedMs(server.pid),
    longestWait: () =>
      new Promise((resolve) => {
        probe.once('message', resolve).postMessage('');
      }),
  };
  await sleep(500);
  await target.longestWait();
  const withKey = ({ ...attack }: Attack): Attack => ({
    ...attack,
    headers: { ...attack.headers, ...headers },
  });
  for (const { name, attacks } of anonymousAttacks(jobId))
    await hold(target, `anonymous, ${name}`, repeated(attacks), 1);
  await hold(
    target,
    `anonymous, ${FUZZED / 2} random requests`,
    taken(fuzzed(1, false), FUZZED / 2),
    FUZZED_AT_ONCE,
  );
  for (const { name, attacks } of keyedAttacks(jobId))
    await hold(target, `with a key, ${name}`, repeated(attacks).map(withKey), 1);
  await hold(
    target,
    `with a key, ${FUZZED / 2} random requests`,
    [...taken(fuzzed(2, true), FUZZED / 2)].map(withKey),
    FUZZED_AT_ONCE,
  );
  await probe.terminate();
  await client.close();
  await server.stop();
}

async function published(url: string, headers: Record<string, string>): Promise<number> {
  const body = JSON.stringify({ ...resolvedListing(0), publish: true });
  const answer = await fetch(`${url}/jobs`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  });
  return ((await answer.json()) as { id: number }).id;
}

/** Sends attacks in sequence. Prints the probe's longest wait, and compares it with an idle server for the same time. */
async function hold(
  target: Target,
  name: string,
  attacks: Iterable<Attack>,
  lookEvery: number,
): Promise<void> {
  const startedAt = performance.now();
  const statuses = new Map<number, number>();
  let worst = { ms: 0, attack: undefined as Attack | undefined };
  let mostComputedMs = 0;
  let sent = 0;
  const look = async (attack: Attack): Promise<void> => {
    const ms = await target.longestWait();
    if (ms > worst.ms) worst = { ms, attack };
  };
  let last: Attack | undefined;
  for (const attack of attacks) {
    last = attack;
    const computed = lookEvery === 1 ? target.computedMs() : 0;
    const status = await send(target.client, attack);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (lookEvery === 1) mostComputedMs = Math.max(mostComputedMs, target.computedMs() - computed);
    if (++sent % lookEvery === 0) await look(attack);
  }
  if (last !== undefined) await look(last);
  await sleep(performance.now() - startedAt);
  const idleMs = await target.longestWait();
  const verdict = worst.ms <= HELD_MS_MOST ? '' : `  MISSED: ${excerpt(worst.attack)}`;
  const computed = lookEvery === 1 ? `, at most ${mostComputedMs} ms of CPU per request` : '';
  const answered = [...statuses].map(([status, count]) => `${status}×${count}`).join(' ');
  console.log(
    `${name}: longest wait ${worst.ms.toFixed(0)} ms, ${(worst.ms / idleMs).toFixed(1)} times the wait when idle (target: at most ${HELD_MS_MOST} ms)${computed}${verdict}  [${answered}]`,
  );
}

/** Returns the status, or 0 if the server closed the connection. */
async function send(client: Client, { method, path, headers = {}, body }: Attack): Promise<number> {
  try {
    const answer = await client.request({
      method: method as Dispatcher.HttpMethod,
      path,
      headers,
      body: body ?? null,
    });
    await answer.body.dump({ limit: Number.POSITIVE_INFINITY });
    return answer.statusCode;
  } catch {
    return 0;
  }
}

/** Returns the user and system time of a process. Linux counts it in ticks of 10 ms. */
function computedMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return 10 * (Number(fields[11]) + Number(fields[12]));
}

const repeated = (attacks: readonly Attack[]) =>
  attacks.flatMap((attack) => Array<Attack>(TIMES).fill(attack));

function* taken<T>(values: Iterable<T>, count: number): Generator<T> {
  for (const value of values) {
    if (count-- <= 0) return;
    yield value;
  }
}

function excerpt(attack: Attack | undefined): string {
  const { method, path, body } = attack ?? { method: '', path: '', body: '' };
  return JSON.stringify(`${method} ${path.slice(0, 80)} ${String(body ?? '').slice(-120, -20)}`);
}
