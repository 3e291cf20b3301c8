import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, stringify } from 'yaml';
import { median, tell } from './figures.ts';
import { type BenchHome, makeHome } from './home.ts';

const POSTINGS = 1_000;
const ROUNDS = 3;
const SECONDS_MOST = 3;
const MEGABYTES_MOST = 250;

const PLAIN_SHARE_LEAST = 0.1;

const FEED = fileURLToPath(new URL('../test/fixtures/import/greenhouse.json', import.meta.url));

/** Imports a board twice, and compares the first import with only parsing and writing the same files. */
export async function bench(): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'partner-bench-'));
  const home = makeHome(scratch);
  const board = home.path('board.json');
  writeFileSync(board, JSON.stringify({ jobs: Array.from({ length: POSTINGS }, (_, at) => posting(at)) }));
  try {
    const runs = Array.from({ length: ROUNDS }, (_, round) =>
      measured(home, board, home.path(`jobs-${round}`)),
    );
    const what = `import of ${POSTINGS} postings`;
    tell(
      what,
      median(runs.map(({ share }) => share)),
      'of the rate of parsing and writing the YAML',
      PLAIN_SHARE_LEAST,
    );
    for (const [name, most] of [
      ['seconds', SECONDS_MOST],
      ['seconds for the second import', SECONDS_MOST],
      ['MB peak memory', MEGABYTES_MOST],
    ] as const) {
      const figure = median(runs.map((run) => run[name]));
      console.log(`  ${figure.toFixed(1)} ${name} (target: below ${most})${figure < most ? '' : '  MISSED'}`);
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function measured(home: BenchHome, board: string, directory: string) {
  const argv = ['jobs', 'import', board, '--out', directory, '--quiet'];
  const first = home.run(argv);
  const again = home.run(argv);
  const names = readdirSync(directory).filter((name) => name.endsWith('.yaml'));
  if (names.length !== POSTINGS)
    throw new Error(`the import created ${names.length} files, expected ${POSTINGS}`);
  const copies = `${directory}-plain`;
  mkdirSync(copies);
  const startedAt = performance.now();
  for (const name of names)
    writeFileSync(join(copies, name), stringify(parse(readFileSync(join(directory, name), 'utf8'))));
  const plainSeconds = (performance.now() - startedAt) / 1000;
  return {
    share: plainSeconds / first.seconds,
    seconds: first.seconds,
    'seconds for the second import': again.seconds,
    'MB peak memory': Math.max(first.peakMegabytes, again.peakMegabytes),
  };
}

const { jobs: SAMPLES } = JSON.parse(readFileSync(FEED, 'utf8'));

/** Returns a posting with about 3 KB of HTML, a usual size on boards. */
function posting(index: number): object {
  const sample = SAMPLES[index % SAMPLES.length];
  const more = '&lt;p&gt;We work with care, and on things that matter to people.&lt;/p&gt;'.repeat(40);
  return {
    ...sample,
    id: index + 1,
    requisition_id: `R-${index}`,
    absolute_url: `https://boards.greenhouse.io/bench/jobs/${index + 1}`,
    title: `${sample.title} ${index % 300}`,
    content: `${sample.content}${more}${index}`,
  };
}
