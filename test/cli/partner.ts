import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Libsql from 'libsql';
import { runLoaded } from './loaded.ts';

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

export const BINARY = at('bin/run.js');
export const EXAMPLES = at('examples');
export const DIST = at('dist');
const OBSERVER = at('test/cli/observer.cjs');
/** Preloaded into a run: another machine. */
export const OTHER_MACHINE = at('test/cli/other-machine.cjs');
/** Preloaded into a run: a bug in every call. */
export const BUG = at('test/cli/bug.cjs');

export interface Run {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** stdout as one JSON document; fails if it is none. */
  json(): unknown;
}

/** What a run loaded, by the names it asked for, the files it opened, and the most memory that it took. */
export interface Observed {
  readonly loaded: readonly string[];
  readonly opened: readonly string[];
  readonly peakKib: number;
}

/** What follows `partner`; a text is split at its spaces. */
export type CommandLine = string | readonly string[];

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** What is piped in; `open` is a pipe that nobody writes to or closes. Without it stdin is /dev/null. */
  readonly stdin?: string | Uint8Array | 'open';
  readonly cwd?: string;
  /** Runs as a user without rights of its own, where the tests run as root; see `handOver`. */
  readonly asNobody?: boolean;
  /** Where stdout goes instead of being read: a descriptor. */
  readonly stdout?: number;
  /** Starts a new process. */
  readonly alone?: boolean;
}

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Run>;
  /** Done when `stream` has shown `text`; fails where the run ends without it. */
  shown(stream: 'stdout' | 'stderr', text: RegExp): Promise<string>;
}

/** A command that takes this long hangs, also on a busy machine, and is killed so that its test fails. */
export const HANGS_AFTER_MS = 90_000;

/** Every command of the binary, by the name it is called with. */
export function commandNames(): string[] {
  const commands: { id: string }[] = JSON.parse(readFileSync(join(DIST, 'commands.json'), 'utf8'));
  return commands.map(({ id }) => id.replaceAll(':', ' '));
}

/** The directories of one user who has never run the binary, or who has done what a test prepared. */
export class Home {
  readonly data: string;
  readonly config: string;
  readonly database: string;

  constructor(readonly path: string) {
    this.data = join(path, 'data');
    this.config = join(path, 'config');
    this.database = join(this.data, 'engine', 'partner.db');
  }

  /** Runs a command line to its end; never more than two at once. */
  async run(line: CommandLine, options: RunOptions = {}): Promise<Run> {
    const argv = wordsOf(line);
    await takeTurn();
    try {
      return await (needsItsOwn(options) ? this.runAlone(argv, options) : this.runLoaded(argv, options));
    } finally {
      giveTurn();
    }
  }

  /** Runs what must succeed, with `--json`; gives its document. */
  async must<T = unknown>(line: CommandLine, options: RunOptions = {}): Promise<T> {
    const run = await this.run([...wordsOf(line), '--json'], options);
    assert.equal(run.code, 0, `partner ${wordsOf(line).join(' ')}: ${run.stdout}${run.stderr}`);
    return run.json() as T;
  }

  /** Runs a command line while `observer.cjs` looks on. */
  async observe(line: CommandLine, options: RunOptions = {}): Promise<Run & Observed> {
    const file = join(this.path, 'observed.json');
    const env = { ...options.env, NODE_OPTIONS: `--require ${OBSERVER}`, OBSERVED: file };
    const run = await this.run(line, { ...options, env });
    return { ...run, ...(JSON.parse(await readFile(file, 'utf8')) as Observed) };
  }

  /** Starts a command line that runs until it is ended: a server, a wait. */
  start(line: CommandLine, options: RunOptions = {}): Running {
    const { env = {}, stdin, stdout = 'pipe', cwd = this.path, asNobody = false } = options;
    const child = spawn(process.execPath, [BINARY, ...wordsOf(line)], {
      cwd,
      env: { ...this.environment(), ...env },
      stdio: [stdin === undefined ? 'ignore' : 'pipe', stdout, 'pipe'],
      ...(asNobody && IS_ROOT ? { uid: NOBODY, gid: NOBODY } : {}),
    });
    // A command that does not read its input may be gone before all of it is written.
    child.stdin?.on('error', () => {});
    if (stdin !== undefined && stdin !== 'open') child.stdin?.end(stdin);
    return watched(child);
  }

  private async runAlone(argv: readonly string[], options: RunOptions): Promise<Run> {
    const { child, ended } = this.start(argv, options);
    const hangs = setTimeout(() => child.kill('SIGKILL'), HANGS_AFTER_MS);
    return ended.finally(() => clearTimeout(hangs));
  }

  private async runLoaded(argv: readonly string[], options: RunOptions): Promise<Run> {
    const { env: more, stdin = '', cwd = this.path } = options;
    const env = { ...this.environment(), ...more };
    const ended = await runLoaded({ argv, cwd, env, stdin }, HANGS_AFTER_MS);
    return { ...ended, json: () => oneDocument(ended.stdout) };
  }

  /** Nothing of the test run's own environment: no CI, no NO_COLOR, no proxy, no PARTNER_*. */
  environment(): Record<string, string> {
    return {
      PATH: process.env.PATH ?? '',
      HOME: this.path,
      PARTNER_DATA_DIR: this.data,
      PARTNER_CONFIG_DIR: this.config,
    };
  }

  /** Writes a file into the home; gives its path. A value that is no text is written as JSON. */
  async file(name: string, content: unknown): Promise<string> {
    const path = join(this.path, name);
    const isText = typeof content === 'string' || content instanceof Uint8Array;
    await writeFile(path, isText ? content : JSON.stringify(content, null, 2));
    return path;
  }

  /** A copy, for another test. */
  async copy(): Promise<Home> {
    const home = await newHome();
    try {
      // The synchronous copy takes half the time of the other.
      cpSync(this.path, home.path, { recursive: true });
      return home;
    } catch (error) {
      // The log of a closed database disappears when its last statement is collected: by then it is all in the file.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return this.copy();
      throw error;
    }
  }

  /** Gives the files of this home to the user without rights: root may read and write whatever their modes say. */
  async handOver(): Promise<void> {
    if (!IS_ROOT) return;
    await chmod(scratch(), 0o755);
    const below = await readdir(this.path, { recursive: true });
    for (const path of ['', ...below]) await chown(join(this.path, path), NOBODY, NOBODY);
  }

  /** How many jobs the bundled engine has stored, looked up in its database itself. */
  storedJobs(): number {
    if (!existsSync(this.database)) return 0;
    return this.stored<{ jobs: number }>('select count(*) as jobs from jobs')[0]?.jobs ?? 0;
  }

  /** The rows of a query of the bundled engine's database. */
  stored<Row>(query: string): Row[] {
    // Without `immutable`, this reader's own log file would disappear at any moment, also during a copy().
    const isWhole = !existsSync(`${this.database}-wal`);
    const path = isWhole ? `file:${this.database}?immutable=1` : this.database;
    const file = new Libsql(path, { readonly: true });
    try {
      return file.prepare(query).all() as Row[];
    } finally {
      file.close();
    }
  }
}

/** A new home, removed after the last test. */
export async function newHome(): Promise<Home> {
  const home = new Home(await mkdtemp(join(scratch(), 'home-')));
  await mkdir(home.config, { mode: 0o700 });
  return home;
}

const IS_ROOT = process.getuid?.() === 0;
const NOBODY = 65_534;

function wordsOf(line: CommandLine): readonly string[] {
  return typeof line === 'string' ? line.split(' ') : line;
}

function needsItsOwn({ alone, asNobody, env = {}, stdin, stdout }: RunOptions): boolean {
  const isOfProcess = Object.keys(env).some((name) => /^(NODE|HOME|XDG)/.test(name));
  return Boolean(alone || asNobody) || stdin === 'open' || stdout !== undefined || isOfProcess;
}

/** Two cores: more runs at once only make each of them slower. */
let freeTurns = 2;
const waiting: (() => void)[] = [];

async function takeTurn(): Promise<void> {
  if (freeTurns > 0) freeTurns--;
  else await new Promise<void>((resolve) => waiting.push(resolve));
}

function giveTurn(): void {
  const next = waiting.shift();
  if (next === undefined) freeTurns++;
  else next();
}

function watched(child: ChildProcess): Running {
  const seen = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      seen[name] += text;
    });
  underWay.add(child);
  const ended = once(child, 'close').then(([code, signal]): Run => {
    underWay.delete(child);
    return { code, signal, ...seen, json: () => oneDocument(seen.stdout) };
  });
  return {
    child,
    ended,
    async shown(stream, text) {
      while (!text.test(seen[stream])) {
        const from = child[stream];
        assert.ok(from !== null && underWay.has(child), `ended without ${text}: ${seen.stderr}`);
        await Promise.race([once(from, 'data'), ended]);
      }
      return seen[stream];
    },
  };
}

/** Killed at the end: a test that failed may leave one. */
const underWay = new Set<ChildProcess>();

function oneDocument(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new assert.AssertionError({ message: `stdout is not one JSON document: ${JSON.stringify(text)}` });
  }
}

let directory: string | undefined;

/** The directory of all homes of this process, which ends with it: mocha runs the hooks of a shared module only once. */
function scratch(): string {
  if (directory !== undefined) return directory;
  assert.ok(existsSync(DIST), 'the binary is not built: `npm run build` comes first');
  const made = mkdtempSync(join(tmpdir(), 'partner-cli-'));
  directory = made;
  process.once('exit', () => {
    for (const child of underWay) child.kill('SIGKILL');
    // By a process of its own: mocha gives a worker one second to end.
    spawn('rm', ['-rf', made], { detached: true, stdio: 'ignore' }).unref();
  });
  return made;
}
