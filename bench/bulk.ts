import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Libsql from 'libsql';
import { median, tell } from './figures.ts';
import { type BenchHome, type MeasuredRun, makeHome } from './home.ts';
import { generatedListing, resolvedListing } from './listings.ts';
import { rawInsertSeconds } from './raw-inserts.ts';

const LISTINGS = 10_000;
const FEWER_LISTINGS = 2_500;
const CURL_LISTINGS = 1_000;
const DISTANT_LISTINGS = 1_600;
const ROUNDS = 3;
const CONCURRENCY = 8;
/** Higher than for a server, so that more creates share a commit and a sync of the journal. */
const EMBEDDED_CONCURRENCY = 64;
const LATENCY_MS = 50;

const RAW_SHARE_LEAST = 0.35;
const CURL_TIMES_LEAST = 8;
const DISTANT_SHARE_LEAST = 0.9;
const MEGABYTES_MOST = 230;

/** Compares `jobs apply` with its limits (the disk and the server's latency) and with a script that uses curl. */
export async function bench(): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'partner-bench-'));
  const many = writeListings(join(scratch, 'many'), LISTINGS);
  const fewer = writeListings(join(scratch, 'fewer'), FEWER_LISTINGS);
  const distant = writeListings(join(scratch, 'distant'), DISTANT_LISTINGS);
  const bodies = writeBodies(join(scratch, 'bodies'), CURL_LISTINGS);
  console.log(`Node ${process.version}, medians of ${ROUNDS} rounds`);
  try {
    await benchEmbedded(scratch, many, bodies);
    benchMemory(scratch, fewer);
    await benchDistant(scratch, distant);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Runs `apply` with the bundled engine in the same process. Each round uses a new database. */
async function benchEmbedded(scratch: string, many: string, bodies: string): Promise<void> {
  const perSecond: number[] = [];
  const rawShares: number[] = [];
  const curlTimes: number[] = [];
  const megabytes: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const home = makeHome(scratch);
    const { seconds, peakMegabytes } = apply(home, many);
    assertCount(home, LISTINGS);
    perSecond.push(LISTINGS / seconds);
    megabytes.push(peakMegabytes);
    rawShares.push(rawInsertSeconds(home.databasePath, home.path('raw.db')) / seconds);
    curlTimes.push(LISTINGS / seconds / (await curlPerSecond(scratch, bodies)));
    if (round === 0) tellSecondRun(home, many);
    home.remove();
  }
  tell(
    `apply of ${LISTINGS} listings with --concurrency ${EMBEDDED_CONCURRENCY}`,
    median(rawShares),
    'of the rate of raw inserts',
    RAW_SHARE_LEAST,
  );
  tell(
    '  compared with curl',
    median(curlTimes),
    `times the rate of xargs -P ${CONCURRENCY} curl`,
    CURL_TIMES_LEAST,
  );
  console.log(`  ${median(perSecond).toFixed(0)} listings/s`);
  const peak = median(megabytes);
  const verdict = peak < MEGABYTES_MOST ? '' : '  MISSED';
  console.log(`  ${peak.toFixed(0)} MB peak memory (target: below ${MEGABYTES_MOST} MB)${verdict}`);
}

/** Prints the memory for fewer listings, to show how it grows with their number. */
function benchMemory(scratch: string, fewer: string): void {
  const home = makeHome(scratch);
  const { peakMegabytes } = apply(home, fewer);
  console.log(`  ${peakMegabytes.toFixed(0)} MB peak memory for ${FEWER_LISTINGS} listings`);
  home.remove();
}

/** Applies the same files again, and verifies that the database stays unchanged. */
function tellSecondRun(home: BenchHome, directory: string): void {
  const before = contentDigest(home);
  const { seconds } = apply(home, directory);
  const verdict = contentDigest(home) === before ? 'nothing created or updated' : 'CHANGED JOBS';
  console.log(`second apply of the same files: ${verdict}, ${(LISTINGS / seconds).toFixed(0)} listings/s`);
}

/** Sends the listings with a shell script. Their places are already resolved, which `apply` has to do itself. */
async function curlPerSecond(scratch: string, bodies: string): Promise<number> {
  const home = makeHome(scratch);
  const key = home.newKey();
  const server = await home.serve();
  const command =
    `find ${bodies} -name '*.json' | xargs -P ${CONCURRENCY} -I{} curl -s -f -o /dev/null ` +
    `-H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' --data-binary @{} ${server.url}/jobs`;
  const startedAt = performance.now();
  const { status, stderr } = spawnSync('sh', ['-c', command], {
    env: { ...process.env, KEY: key },
    encoding: 'utf8',
  });
  const seconds = (performance.now() - startedAt) / 1000;
  if (status !== 0) throw new Error(`xargs exited with code ${status}: ${stderr}`);
  await server.stop();
  assertCount(home, CURL_LISTINGS);
  home.remove();
  return CURL_LISTINGS / seconds;
}

/**
 * Measures creates on a server with latency, from the server's time of the first create to that of the last one. Doesn't
 * count the first CONCURRENCY creates, because they start before that time.
 */
async function benchDistant(scratch: string, directory: string): Promise<void> {
  const shares: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const home = makeHome(scratch);
    const key = home.newKey();
    const server = await home.serve(['--latency', `${LATENCY_MS}ms`]);
    apply(home, directory, { PARTNER_BASE_URL: server.url, PARTNER_API_KEY: key });
    await server.stop();
    assertCount(home, DISTANT_LISTINGS);
    const perSecond = (DISTANT_LISTINGS - CONCURRENCY) / creationSeconds(home);
    shares.push(perSecond / (CONCURRENCY / (LATENCY_MS / 1000)));
    home.remove();
  }
  const what = `creates of ${DISTANT_LISTINGS} listings with ${LATENCY_MS} ms latency`;
  tell(what, median(shares), `of the maximum rate with --concurrency ${CONCURRENCY}`, DISTANT_SHARE_LEAST);
}

function apply(home: BenchHome, directory: string, server?: Record<string, string>): MeasuredRun {
  const concurrency = server === undefined ? EMBEDDED_CONCURRENCY : CONCURRENCY;
  const argv = ['jobs', 'apply', directory, '--publish', '--state', home.path('state.json')];
  return home.run([...argv, '--concurrency', String(concurrency), '--json'], server);
}

function writeListings(directory: string, count: number): string {
  return writeFiles(directory, count, (index) => JSON.stringify(generatedListing(index), null, 2));
}

function writeBodies(directory: string, count: number): string {
  return writeFiles(directory, count, (index) =>
    JSON.stringify({ ...resolvedListing(index), publish: true }),
  );
}

function writeFiles(directory: string, count: number, textOf: (index: number) => string): string {
  mkdirSync(directory);
  for (let index = 0; index < count; index++) {
    writeFileSync(join(directory, `${String(index).padStart(5, '0')}.json`), textOf(index));
  }
  return directory;
}

function query<Row>(home: BenchHome, sql: string): Row[] {
  const database = new Libsql(home.databasePath, { readonly: true });
  const rows = database.prepare(sql).all() as Row[];
  database.close();
  return rows;
}

/** Throws if a listing didn't become a live job, because the measured rate would be wrong. */
function assertCount(home: BenchHome, wanted: number): void {
  const [{ live, jobs } = { live: 0, jobs: 0 }] = query<{ live: number; jobs: number }>(
    home,
    "select count(*) as jobs, sum(status = 'ACTIVE') as live from jobs",
  );
  if (live !== wanted || jobs !== wanted)
    throw new Error(`${live} of ${jobs} jobs are live, expected ${wanted}`);
}

function contentDigest(home: BenchHome): string {
  const content = [query(home, 'select * from jobs order by id'), query(home, 'select key from idempotency')];
  const withoutTimings = JSON.stringify(content, (name, value) => (name === '_metadata' ? undefined : value));
  return createHash('sha256').update(withoutTimings).digest('hex');
}

function creationSeconds(home: BenchHome): number {
  const [span] = query<{ first: string; last: string }>(
    home,
    'select min(created_at) as first, max(created_at) as last from jobs',
  );
  return (Date.parse(span?.last ?? '') - Date.parse(span?.first ?? '')) / 1000;
}
