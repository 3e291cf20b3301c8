import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CALLS, type Call, type Costs, capacityFor, HEADINGS } from './capacity/model.ts';
import { type BenchHome, makeHome } from './home.ts';
import { resolvedListing } from './listings.ts';

const AT_ONCE = 16;
/** For each kind of call, after some that warm it up. */
const CALLS_EACH = 800;
const WARM_UP = 100;
const LISTINGS = [1_000, 100_000, 10_000_000];

/** What a call costs on this machine, and by a small model what carries so many live listings. */
export async function bench(): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'partner-bench-'));
  try {
    report('sqlite', await measure(makeHome(scratch), () => 0));
    const server = mkdtempSync('/tmp/partner-bench-postgres-');
    try {
      const url = postgres('start', server);
      const home = makeHome(scratch, { PARTNER_ENGINE_DATABASE: url });
      report('postgres', await measure(home, () => treeComputedMs(postmasterOf(server))));
    } finally {
      postgres('stop', server);
      rmSync(server, { recursive: true, force: true });
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function postgres(verb: 'start' | 'stop', directory: string): string {
  return execFileSync('bash', ['scripts/postgres.sh', verb, directory], { encoding: 'utf8' }).trim();
}

async function measure(home: BenchHome, databaseMs: () => number): Promise<Costs> {
  const key = home.newKey();
  const server = await home.serve(['--candidate-rate-limit', '1000000', '--log-level', 'error']);
  const send = senderTo(new URL(server.url).origin, key);
  try {
    const costs = { engineMs: {} as Record<Call, number>, databaseMs: {} as Record<Call, number> };
    const { id, qualifications } = await send('POST', '/v1/jobs', {
      ...resolvedListing(0),
      questions: [],
      budgets: [],
      publish: true,
    });
    const meets = qualifications.map((one: { id: string }) => one.id);
    const calls: Record<Call, (n: number) => Promise<unknown>> = {
      create: (n) => send('POST', '/v1/jobs', resolvedListing(n)),
      read: () => send('GET', `/v1/jobs/${id}`),
      list: () => send('GET', '/v1/jobs?limit=50'),
      edit: (n) => send('PATCH', `/v1/jobs/${id}`, { title: `Welder ${n}` }),
      candidateList: () => send('GET', '/candidate/v1/jobs'),
      candidateView: () => send('GET', `/candidate/v1/jobs/${id}`),
      apply: async (n) => {
        const { fileId } = await send('POST', '/candidate/v1/files?name=cv.txt', `Welder since 2012, ${n}.`);
        return send('POST', `/candidate/v1/jobs/${id}/applications`, {
          ...CANDIDATE,
          email: `a.${n}@example.com`,
          resume: fileId,
          meets,
        });
      },
    };
    const bytes: Record<string, number> = {};
    for (const call of ['create', ...CALLS.filter((name) => name !== 'create')] as Call[]) {
      await inTurn(calls[call], 0, WARM_UP);
      const before = {
        engine: treeComputedMs(server.pid),
        database: databaseMs(),
        bytes: bytesIn(home, call),
      };
      await inTurn(calls[call], WARM_UP, CALLS_EACH);
      costs.engineMs[call] = (treeComputedMs(server.pid) - before.engine) / CALLS_EACH;
      costs.databaseMs[call] = (databaseMs() - before.database) / CALLS_EACH;
      bytes[call] = (bytesIn(home, call) - before.bytes) / CALLS_EACH;
    }
    return { ...costs, jobBytes: bytes.create ?? 0, applicationBytes: bytes.apply ?? 0 };
  } finally {
    await server.stop();
  }
}

const CANDIDATE = {
  firstName: 'Grace',
  lastName: 'Hopper',
  phone: '+1 512 555 0100',
  location: 'Austin, TX',
};

function senderTo(origin: string, key: string) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  // biome-ignore lint/suspicious/noExplicitAny: the bench says what it expects to find
  return async (method: string, path: string, body?: object | string): Promise<any> => {
    const sent = typeof body === 'string' ? body : JSON.stringify(body);
    const response = await fetch(origin + path, { method, headers, ...(body && { body: sent }) });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
}

async function inTurn(call: (n: number) => Promise<unknown>, from: number, calls: number): Promise<void> {
  let next = from;
  const work = async () => {
    while (next < from + calls) await call(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

function bytesIn(home: BenchHome, call: Call): number {
  if (call !== 'create' && call !== 'apply') return 0;
  return JSON.parse(home.run(['engine', 'status', '--json']).stdout).databaseBytes;
}

function report(dialect: 'sqlite' | 'postgres', costs: Costs): void {
  console.log(
    `\n${dialect}, node ${process.version}, ${AT_ONCE} at once; CPU ms for one call: engine + database`,
  );
  for (const call of CALLS)
    console.log(
      `  ${call.padEnd(14)} ${costs.engineMs[call].toFixed(2)} + ${costs.databaseMs[call].toFixed(2)}`,
    );
  console.log(
    `  ${costs.jobBytes.toFixed(0)} bytes a job, ${costs.applicationBytes.toFixed(0)} an application without its file\n`,
  );
  const row = (cells: readonly string[]) => console.log(`| ${cells.join(' | ')} |`);
  row(HEADINGS);
  row(HEADINGS.map(() => '---'));
  for (const listings of LISTINGS) row(capacityFor(listings, dialect, costs));
}

function postmasterOf(directory: string): number {
  return Number(readFileSync(join(directory, 'data/postmaster.pid'), 'utf8').split('\n')[0]);
}

/** What a process has computed, and those that it has started: from ticks of 10 ms. */
function treeComputedMs(pid: number): number {
  const stats = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(statOf);
  const ofTree = stats.filter((fields) => Number(fields[0]) === pid || Number(fields[2]) === pid);
  const own = ofTree.reduce((sum, fields) => sum + Number(fields[12]) + Number(fields[13]), 0);
  const ended = ofTree.find((fields) => Number(fields[0]) === pid) ?? [];
  return 10 * (own + Number(ended[14]) + Number(ended[15]));
}

/** Its fields as proc(5) counts them, without the name: a process that has ended meanwhile has none. */
function statOf(pid: string): string[] {
  try {
    const [before = '', after = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/ \(.*\) /s);
    return [before, ...after.split(' ')];
  } catch {
    return [];
  }
}
