import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { COMMANDS } from '../../src/commands/index.ts';
import { Shapes, shapeText } from './shape.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const nurse = join(root, 'examples/jobs/icu-nurse-boston.json');
const applicant = join(root, 'examples/applicants/icu-nurse.json');
const feed = join(root, 'examples/import/greenhouse.json');
const wrong = join(root, 'examples/wrong/typos-and-gaps.json');

type Main = (process: NodeJS.Process) => Promise<number>;

/** A command line and its result. */
interface Step {
  readonly argv: readonly string[];
  readonly exit: number;
  readonly document: unknown;
}

/**
 * Runs every command with `--json` on the built bundle and a new engine. Returns the shape of each document. Throws if
 * no step covers a command.
 */
export async function jsonShapes(): Promise<string> {
  const scratch = await mkdtemp(join(tmpdir(), 'partner-snapshots-'));
  const config = join(scratch, 'config');
  await mkdir(config, { mode: 0o700 });
  const journey = new Journey(await bundledMain(), {
    HOME: scratch,
    PARTNER_DATA_DIR: join(scratch, 'data'),
    PARTNER_CONFIG_DIR: config,
    // The log would be written to this process's stderr.
    PARTNER_ENGINE_LOG_LEVEL: 'silent',
  });
  try {
    await travel(journey);
    await applyTwice(journey, scratch);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  assertEveryCommand(journey.steps);
  const shapes = new Shapes({ Job: 'applicationCounts', Flag: 'helpGroup' });
  const steps = journey.steps.map((step) => stepText(step, shapes));
  const named = Array.from(shapes.named, ([name, shape]) => `${name} = ${shapeText(shape)}\n`);
  return [...named, ...steps].join('\n');
}

async function travel(journey: Journey): Promise<void> {
  const run = journey.run.bind(journey);
  await run('version');
  await run('skill');
  await run('help', 'version');
  await run('schema', 'budget');
  await run('engine', 'openapi');
  await run('completion', 'fish');
  await run('doctor');
  await run('auth', 'status');

  await run('jobs', 'validate', nurse);
  await run('jobs', 'validate', wrong);
  await run('jobs', 'create', wrong);
  await run('jobs', 'map', join(root, 'examples/tables/stellen.csv'), '--dry-run');
  await run('locations', 'search', 'bost');
  await run('locations', 'pick', 'bost');
  await run('locations', 'resolve', join(root, 'examples/jobs/electrician-austin.json'));
  await run('jobs', 'create', nurse);
  await run('jobs', 'create', '--title', 'Night nurse');
  await run('jobs', 'update', '2', '--location', 'Austin, TX', '--budget', 'DAILY=5000');
  await run('jobs', 'publish', '1');
  await run('dashboard', 'status');
  await run('dashboard', 'accept-terms');
  await run('dashboard', 'add-card');
  await run('dashboard', 'remove-card');
  await run('dashboard', 'add-card');
  await run('dashboard', 'set-budget', '--monthly-cents', '400000');
  await run('jobs', 'publish', '1');
  await run('jobs', 'publish', '2');
  await run('jobs', 'get', '1');
  await run('jobs', 'list');
  await run('jobs', 'watch', '1', '--until', 'ACTIVE');
  await run('jobs', 'pause', '1', '2');
  await run('jobs', 'resume', '1');
  await run('jobs', 'export', '1');
  await run('jobs', 'edit', '1');
  await run('engine', 'apply', '1', '--count', '3', '--seed', '7');
  await run('engine', 'apply', '1', applicant);
  await run('status');
  await run('jobs', 'list', '--sort', 'spent:desc');
  await run('budgets', 'get', '1');
  await run('budgets', 'set', '1', '--weekly-cents', '90000', '--notes', 'Q3');
  await run('budgets', 'clear', '1');
  await run('budgets', 'simulate', '--job', '1', '--start', '2026-12-01', '--daily-cents', '3000');
  await run('jobs', 'close', '1', '--yes');
  await run('jobs', 'repost', '1');
  await run('jobs', 'get', '999');
  await run('jobs', 'crate');

  await run('engine', 'status');
  await run('engine', 'companies', 'list');
  await run('dashboard', 'applications', 'list');
  await run('dashboard', 'applications', 'show', '1');
  await run('dashboard', 'applications', 'accept', '1');
  await run('dashboard', 'applications', 'reject', '1', '2');
  await run('engine', 'invoice');
  await run('engine', 'invoice', '--free');
  await run('engine', 'terms', 'show');
  await run('engine', 'terms', 'issue', '2026-07');
  await run('engine', 'clock', 'show');
  await run('engine', 'clock', 'advance', '30d');
  await run('engine', 'clock', 'set', '2030-01-01');
  await run('engine', 'clock', 'reset');
  await run('engine', 'keys', 'list');
  const issued = (await run('engine', 'keys', 'create')) as { id: string; key: string };
  await journey.serving(async (url) => {
    await journey.run('auth', 'login', 'acme', '--base-url', url, '--with-key', { stdin: issued.key });
    await run('auth', 'status');
    await run('jobs', 'list', '--limit', '1');
  });
  await run('auth', 'list');
  await run('auth', 'switch', 'bundled');
  await run('auth', 'logout', 'acme');
  await run('engine', 'keys', 'revoke', issued.id);
  await run('engine', 'companies', 'create', 'Acme Staffing');
  await run('engine', 'reset', '--yes');
}

/** Covers a directory of files, from its first plan to an outdated saved plan. */
async function applyTwice(journey: Journey, scratch: string): Promise<void> {
  const run = journey.run.bind(journey);
  const jobs = join(scratch, 'jobs');
  const plan = join(scratch, 'plan.json');
  await cp(nurse, join(jobs, 'nurse.json'));
  await writeFile(join(jobs, 'welder.json'), '{"title": "Welder", "locations": ["Austin, TX"]}');
  await run('jobs', 'import', feed, '--out', join(scratch, 'imported'));
  const here = process.cwd();
  await mkdir(join(scratch, 'repository'));
  // `init` writes to the working directory.
  process.chdir(join(scratch, 'repository'));
  await run('init', '--from', 'none', '--ci', 'github');
  process.chdir(here);
  await run('jobs', 'plan', jobs, '--exit-code', '--out', plan);
  await run('jobs', 'apply', jobs);
  await run('jobs', 'apply', jobs);
  await run('jobs', 'apply', '--plan', plan);
  await run('jobs', 'apply', join(jobs, 'nurse.json'), '--publish');
  await writeFile(join(jobs, 'welder.json'), '{"title": "Night welder", "locations": ["Austin, TX"]}');
  await rm(join(jobs, 'nurse.json'));
  await run('jobs', 'plan', jobs);
  await run('jobs', 'apply', jobs, '--prune');
  await run('jobs', 'apply', jobs, '--prune', '--yes');
  await run('jobs', 'apply', jobs, '--publish');
  await run('state', 'list', jobs);
  await run('state', 'show', jobs);
  await run('state', 'unlock', jobs);
  await run('state', 'move', 'gti:main', jobs);
  await run('state', 'move', join(jobs, '.partner/state.json'), jobs);
  const moved = join(scratch, 'moved/.partner/state.json');
  await run('state', 'move', moved, jobs);
  await run('state', 'move', join(jobs, '.partner/state.json'), '--state', moved);
  await run('engine', 'migrate', '--dry-run');
  await run('engine', 'backup', join(scratch, 'now.backup'));
  await run('engine', 'restore', join(scratch, 'now.backup'), '--replace', '--yes');
  await run('engine', 'reset', '--yes');
  await run('jobs', 'apply', jobs);
}

class Journey {
  readonly steps: Step[] = [];

  constructor(
    private readonly main: Main,
    private readonly env: NodeJS.ProcessEnv,
  ) {}

  /** Runs a command line and returns the document that it printed. */
  async run(...line: readonly (string | { readonly stdin: string })[]): Promise<unknown> {
    const argv = line.filter((word) => typeof word === 'string');
    const [given] = line.flatMap((word) => (typeof word === 'string' ? [] : [word.stdin]));
    const process = this.process(argv, given);
    const [exit, printed] = await Promise.all([this.ended(process), text(process.stdout)]);
    return this.reached(argv, exit, printed);
  }

  /** Serves the engine while `visit` runs with its URL. */
  async serving(visit: (url: string) => Promise<void>): Promise<void> {
    const argv = ['engine', 'serve', '--port', '0'];
    const process = this.process(argv);
    const ended = this.ended(process);
    let printed = '';
    for await (const chunk of process.stdout) {
      printed += chunk;
      if (!printed.endsWith('\n')) continue;
      await visit((JSON.parse(printed) as { url: string }).url);
      process.interrupt();
      break;
    }
    this.reached(argv, await ended, printed);
  }

  private async ended(process: FakeProcess): Promise<number> {
    try {
      return await this.main(process as unknown as NodeJS.Process);
    } finally {
      process.stdout.end();
    }
  }

  private reached(argv: readonly string[], exit: number, printed: string): unknown {
    const document: unknown = JSON.parse(printed);
    this.steps.push({ argv, exit, document });
    return document;
  }

  private process(argv: readonly string[], stdin = ''): FakeProcess {
    return new FakeProcess([...argv, '--json'], this.env, Readable.from([stdin]));
  }
}

/** The parts of a process that `main` uses. */
class FakeProcess {
  readonly argv: readonly string[];
  readonly stdout = new PassThrough();
  readonly stderr = new PassThrough().resume();
  readonly version = process.version;
  readonly versions = process.versions;
  readonly platform = process.platform;
  readonly arch = process.arch;
  private readonly onInterrupt: (() => void)[] = [];

  constructor(
    argv: readonly string[],
    readonly env: NodeJS.ProcessEnv,
    readonly stdin: Readable,
  ) {
    this.argv = [process.execPath, 'partner', ...argv];
  }

  on(event: string, listener: () => void): void {
    if (event === 'SIGINT') this.onInterrupt.push(listener);
  }

  off(): void {}

  /** Simulates Ctrl-C. */
  interrupt(): void {
    for (const listener of this.onInterrupt) listener();
  }
}

async function bundledMain(): Promise<Main> {
  const { href } = new URL('../../bin/load.js', import.meta.url);
  const { loadBundle } = (await import(href)) as { loadBundle: () => { main: Main } };
  return loadBundle().main;
}

function assertEveryCommand(steps: readonly Step[]): void {
  const lines = steps.map(({ argv }) => argv.join(' '));
  const missing = Object.keys(COMMANDS).filter((name) => !lines.some((line) => line.startsWith(name)));
  if (missing.length > 0) {
    throw new Error(`scripts/snapshots/journey.ts has no step for: ${missing.join(', ')}`);
  }
}

/** Replaces IDs and URLs, so that every run returns the same text. */
function stepText({ argv, exit, document }: Step, shapes: Shapes): string {
  const line = argv
    .join(' ')
    .replaceAll(root, '')
    .replace(/http:\S+/, 'URL')
    .replace(/\bkey_\S+/, 'KEY_ID');
  const text = `$ partner ${line} --json\nexit ${exit}\n${shapeText(shapes.of(document))}\n`;
  return text.replace(/\/\S*partner-snapshots-\w+\//g, '');
}
