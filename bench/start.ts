import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from './figures.ts';

const ROUNDS = 40;
const partner = fileURLToPath(new URL('../bin/run.js', import.meta.url));
const listing = fileURLToPath(new URL('../examples/jobs/electrician-austin.json', import.meta.url));

/** `most` is the maximum ratio of the command's time to the time of `node -e 0`. */
const CASES: readonly { readonly shown: string; readonly argv: readonly string[]; readonly most: number }[] =
  [
    { shown: 'partner --version', argv: ['--version'], most: 1.1 },
    { shown: 'partner jobs validate FILE', argv: ['jobs', 'validate', listing], most: 1.9 },
    {
      shown: 'partner locations search bost --json',
      argv: ['locations', 'search', 'bost', '--json'],
      most: 2.2,
    },
    { shown: 'partner jobs create FILE --json', argv: ['jobs', 'create', listing, '--json'], most: 2.4 },
    // The command before has created the job.
    { shown: 'partner jobs get ID --json', argv: ['jobs', 'get', '1', '--json'], most: 2 },
  ];

/** Compares commands with `node -e 0` in the same round, so that the load of the machine affects both. */
export async function bench(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'partner-bench-'));
  const env = {
    ...process.env,
    HOME: home,
    PARTNER_DATA_DIR: join(home, 'data'),
    PARTNER_CONFIG_DIR: join(home, 'config'),
  };
  const timed = (argv: readonly string[]): number => {
    const startedAt = performance.now();
    const { status, stderr } = spawnSync(process.execPath, argv, { env, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${argv.join(' ')} exited ${status}: ${stderr}`);
    return performance.now() - startedAt;
  };
  // Not measured, because the first run of a command creates the database and fills the disk cache.
  for (const { argv } of CASES) timed([partner, ...argv]);

  const bareMs: number[] = [];
  const ratios = CASES.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round++) {
    const bare = timed(['-e', '0']);
    bareMs.push(bare);
    for (const [index, { argv }] of CASES.entries()) ratios[index]?.push(timed([partner, ...argv]) / bare);
  }
  rmSync(home, { recursive: true, force: true });

  console.log(
    `Node ${process.version}. node -e 0: ${median(bareMs).toFixed(0)} ms (median of ${ROUNDS} rounds)`,
  );
  for (const [index, { shown, most }] of CASES.entries()) {
    const ratio = median(ratios[index] ?? []);
    console.log(
      `${shown.padEnd(38)} ${ratio.toFixed(2)} times node -e 0 (target: at most ${most.toFixed(1)})`,
    );
  }
}
