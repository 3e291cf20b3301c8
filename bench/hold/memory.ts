import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchHome } from '../home.ts';
import { resolvedListing } from '../listings.ts';

const MEGABYTES_MOST = 300;
const JOBS = 60;
const PIPELINING = { connections: 10, requests: 3_000 };
const SLOW_READERS = 200;
const SENDERS = 200;
const MEBIBYTE = 1024 * 1024;
const HELD_MS = 12_000;

/** Measures the peak memory of `engine serve` with clients that don't read, read slowly, or send a lot at once. */
export async function benchMemory(home: BenchHome): Promise<void> {
  await tell(home, 'no clients, only the jobs that the other cases list', async () => {});
  await tell(
    home,
    `${PIPELINING.requests} pipelined GETs on each of ${PIPELINING.connections} connections, no client reads`,
    pipeline,
  );
  await tell(home, `${SLOW_READERS} clients that read a list of jobs at 4 KB/s`, readSlowly);
  await tell(home, `${SENDERS} clients that send 1 MiB each at once, three times`, async (url, key) => {
    for (let round = 0; round < 3; round++)
      await Promise.all(Array.from({ length: SENDERS }, () => post(url, key)));
  });
  await tell(home, `${SENDERS} clients that send 1 MiB each at 64 KB/s`, async (url, key) => {
    const sent = Promise.allSettled(Array.from({ length: SENDERS }, () => postSlowly(url, key)));
    await Promise.race([sent, sleep(2 * HELD_MS)]);
  });
}

async function tell(
  home: BenchHome,
  what: string,
  attack: (url: URL, key: string) => Promise<void>,
): Promise<void> {
  const server = await home.serve();
  const url = new URL(server.url);
  const key = home.newKey();
  await storeJobs(url, key);
  await attack(url, key);
  const peak =
    Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) / 1024;
  const answers = (await fetch(`${url.href}/jobs?limit=1`, { headers: { authorization: `Bearer ${key}` } }))
    .status;
  console.log(
    `${what}: ${peak.toFixed(0)} MB (target: at most ${MEGABYTES_MOST} MB)${peak > MEGABYTES_MOST ? '  MISSED' : ''}, status ${answers} afterwards`,
  );
  await server.kill();
}

/** Creates jobs with long descriptions, so that a list of them has several megabytes. */
async function storeJobs(url: URL, key: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  for (let at = 0; at < JOBS; at++) {
    const body = JSON.stringify({ ...resolvedListing(at), description: 'long '.repeat(19_000) });
    await fetch(`${url.href}/jobs`, { method: 'POST', headers, body });
  }
}

function opened({ hostname, port }: URL): Socket {
  return connect(Number(port), hostname).on('error', () => {});
}

function requestHead(method: string, path: string, { host }: URL, key: string, more = ''): string {
  return `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${key}\r\n${more}\r\n`;
}

async function pipeline(url: URL, key: string): Promise<void> {
  const ahead = requestHead('GET', '/v1/jobs', url, key).repeat(PIPELINING.requests);
  const sockets = Array.from({ length: PIPELINING.connections }, () => opened(url));
  for (const socket of sockets) socket.write(ahead);
  await sleep(HELD_MS);
  for (const socket of sockets) socket.destroy();
}

async function readSlowly(url: URL, key: string): Promise<void> {
  const sockets = Array.from({ length: SLOW_READERS }, () => opened(url));
  for (const socket of sockets) socket.write(requestHead('GET', '/v1/jobs?limit=100', url, key).repeat(20));
  const until = performance.now() + HELD_MS;
  while (performance.now() < until) {
    await sleep(1_000);
    for (const socket of sockets) socket.read(4_096);
  }
  for (const socket of sockets) socket.destroy();
}

const BODY = `{"title":"${'x'.repeat(MEBIBYTE - 20)}"}`;
const bodyHead = (url: URL, key: string) =>
  requestHead(
    'POST',
    '/v1/jobs',
    url,
    key,
    `Content-Type: application/json\r\nContent-Length: ${BODY.length}\r\nConnection: close\r\n`,
  );

function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.resume().once('close', () => resolve()));
}

async function post(url: URL, key: string): Promise<void> {
  const socket = opened(url);
  socket.write(bodyHead(url, key) + BODY);
  await closed(socket);
}

async function postSlowly(url: URL, key: string): Promise<void> {
  const socket = opened(url);
  socket.write(bodyHead(url, key));
  const isClosed = closed(socket);
  for (let at = 0; at < BODY.length && !socket.destroyed; at += 16_384) {
    socket.write(BODY.slice(at, at + 16_384));
    await sleep(250);
  }
  await isClosed;
}
