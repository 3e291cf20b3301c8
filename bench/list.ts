import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Libsql from 'libsql';
import { type BenchHome, makeHome } from './home.ts';
import { generatedListing } from './listings.ts';

const JOBS = 25_000;
const FEWER_JOBS = 2_500;
const DISTINCT = 250;
const MEGABYTES_MOST = 150;

/** Measures the peak memory of `jobs list` with the bundled engine, for few jobs and for many. */
export async function bench(): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'partner-bench-'));
  try {
    const home = makeHome(scratch);
    console.log(`Node ${process.version}`);
    for (const jobs of [FEWER_JOBS, JOBS]) {
      storeJobs(home, jobs);
      for (const flags of [
        ['--json'],
        ['--csv'],
        [],
        ['--json', '--sort', 'bid'],
        ['--csv', '--sort', 'bid'],
      ])
        tellList(home, jobs, flags);
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function tellList(home: BenchHome, jobs: number, flags: readonly string[]): void {
  const { stdout, peakMegabytes, seconds } = home.run(['jobs', 'list', '--limit', String(jobs), ...flags]);
  if (flags.includes('--json') && JSON.parse(stdout).items.length !== jobs)
    throw new Error('the list is incomplete');
  const verdict = flags.includes('--sort') || peakMegabytes < MEGABYTES_MOST ? '' : '  MISSED';
  const form = ['jobs list', ...flags].join(' ');
  console.log(
    `${form}, ${jobs} jobs: ${peakMegabytes.toFixed(0)} MB (target: below ${MEGABYTES_MOST} MB), ${seconds.toFixed(1)} s${verdict}`,
  );
}

/** Fills the database with `count` jobs. The CLI creates the first ones, and SQL copies them to save time. */
export function storeJobs(home: BenchHome, count: number): void {
  const file = home.path('listings.ndjson');
  writeFileSync(
    file,
    Array.from({ length: DISTINCT }, (_, at) => JSON.stringify(generatedListing(at))).join('\n'),
  );
  home.run(['jobs', 'apply', file, '--publish', '--state', home.path('state.json')]);
  const database = new Libsql(home.databasePath);
  const columns = database.prepare(
    "select group_concat(name) as names from pragma_table_info('jobs') where name <> 'id'",
  );
  const { names } = columns.get() as { names: string };
  const copies = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count / DISTINCT})`;
  const missing =
    count - (database.prepare('select count(*) as jobs from jobs').get() as { jobs: number }).jobs;
  database.exec(
    `insert into jobs (${names}) ${copies} select ${names} from jobs, n where id <= ${DISTINCT} limit ${missing}`,
  );
  database.close();
}
