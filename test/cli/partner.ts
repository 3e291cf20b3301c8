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
// Preload scripts that simulate another machine, and a bug in every API call.
export const OTHER_MACHINE = at('test/cli/other-machine.cjs');
export const BUG = at('test/cli/bug.cjs');

export interface Run {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Fails if stdout isn't one JSON document. */
  json(): unknown;
}

export interface Observed {
  readonly loaded: readonly string[];
  readonly opened: readonly string[];
  readonly peakKib: number;
}

/** Arguments of `partner`; a string is split at spaces. */
export type CommandLine = string | readonly string[];

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** `open` is a pipe that is never written to or closed; the default is /dev/null. */
  readonly stdin?: string | Uint8Array | 'open';
  readonly cwd?: string;
  /** Makes stdout and stderr a terminal of this width; only for a loaded process. */
  readonly columns?: number;
  /** Runs as an unprivileged user if the tests run as root (see `handOver`). */
  readonly asNobody?: boolean;
  /** File descriptor that receives stdout. */
  readonly stdout?: number;
  /** Starts a new process instead of reusing a loaded one. */
  readonly alone?: boolean;
}

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Run>;
  shown(stream: 'stdout' | 'stderr', text: RegExp): Promise<string>;
}

/** Even on a busy machine, a command that takes this long hangs, so it is killed and its test fails. */
export const HANGS_AFTER_MS = 540_000;

export function commandNames(): string[] {
  const commands: { id: string }[] = JSON.parse(readFileSync(join(DIST, 'commands.json'), 'utf8'));
  return commands.map(({ id }) => id.replaceAll(':', ' '));
}

export class Home {
  readonly data: string;
  readonly config: string;
  readonly database: string;

  constructor(readonly path: string) {
    this.data = join(path, 'data');
    this.config = join(path, 'config');
    this.database = join(this.data, 'engine', 'partner.db');
  }

  async run(line: CommandLine, options: RunOptions = {}): Promise<Run> {
    const argv = wordsOf(line);
    await takeTurn();
    try {
      return await (needsItsOwn(options) ? this.runAlone(argv, options) : this.runLoaded(argv, options));
    } finally {
      giveTurn();
    }
  }

  async must<T = unknown>(line: CommandLine, options: RunOptions = {}): Promise<T> {
    const run = await this.run([...wordsOf(line), '--json'], options);
    assert.equal(run.code, 0, `partner ${wordsOf(line).join(' ')}: ${run.stdout}${run.stderr}`);
    return run.json() as T;
  }

  async observe(line: CommandLine, options: RunOptions = {}): Promise<Run & Observed> {
    const file = join(this.path, 'observed.json');
    const env = { ...options.env, NODE_OPTIONS: `--require ${OBSERVER}`, OBSERVED: file };
    const run = await this.run(line, { ...options, env });
    return { ...run, ...(JSON.parse(await readFile(file, 'utf8')) as Observed) };
  }

  start(line: CommandLine, options: RunOptions = {}): Running {
    const { env = {}, stdin, stdout = 'pipe', cwd = this.path, asNobody = false } = options;
    const child = spawn(process.execPath, [BINARY, ...wordsOf(line)], {
      cwd,
      env: { ...this.environment(), ...env },
      stdio: [stdin === undefined ? 'ignore' : 'pipe', stdout, 'pipe'],
      ...(asNobody && IS_ROOT ? { uid: NOBODY, gid: NOBODY } : {}),
    });
    // A command that doesn't read its input may exit before all of it is written.
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
    const { env: more, stdin = '', cwd = this.path, columns } = options;
    const env = { ...this.environment(), ...more };
    const ended = await runLoaded({ argv, cwd, env, stdin, columns }, HANGS_AFTER_MS);
    return { ...ended, json: () => oneDocument(ended.stdout) };
  }

  /** Excludes the test run's own environment: CI, NO_COLOR, proxies and PARTNER_*. */
  environment(): Record<string, string> {
    return {
      PATH: process.env.PATH ?? '',
      HOME: this.path,
      PARTNER_DATA_DIR: this.data,
      PARTNER_CONFIG_DIR: this.config,
    };
  }

  async file(name: string, content: unknown): Promise<string> {
    const path = join(this.path, name);
    const isText = typeof content === 'string' || content instanceof Uint8Array;
    await writeFile(path, isText ? content : JSON.stringify(content, null, 2));
    return path;
  }

  async copy(): Promise<Home> {
    const home = await newHome();
    try {
      // The synchronous copy takes half the time of the asynchronous one.
      cpSync(this.path, home.path, { recursive: true });
      return home;
    } catch (error) {
      // SQLite deletes a closed database's log late, but by then its content is in the database file.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return this.copy();
      throw error;
    }
  }

  /** Root ignores file modes, so a run without rights needs another user as the owner. */
  async handOver(): Promise<void> {
    if (!IS_ROOT) return;
    await chmod(scratch(), 0o755);
    const below = await readdir(this.path, { recursive: true });
    for (const path of ['', ...below]) await chown(join(this.path, path), NOBODY, NOBODY);
  }

  storedJobs(): number {
    if (!existsSync(this.database)) return 0;
    return this.stored<{ jobs: number }>('select count(*) as jobs from jobs')[0]?.jobs ?? 0;
  }

  stored<Row>(query: string): Row[] {
    // Without `immutable`, this connection's own log file could disappear at any time, also during a copy().
    const isWhole = !existsSync(`${this.database}-wal`);
    const path = isWhole ? `file:${this.database}?immutable=1` : this.database;
    const file = new Libsql(path, { readonly: true });
    try {
      return file.prepare(query).all() as Row[];
    } finally {
      file.close();
    }
  }

  changeStored(statement: string, ...values: unknown[]): void {
    const file = new Libsql(this.database);
    try {
      file.prepare(statement).run(...values);
    } finally {
      file.close();
    }
  }
}

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

function needsItsOwn({ alone, asNobody, env = {}, stdout }: RunOptions): boolean {
  const isOfProcess = Object.keys(env).some((name) => /^(NODE|HOME|XDG)/.test(name));
  return Boolean(alone || asNobody) || stdout !== undefined || isOfProcess;
}

/** On two cores, more runs at once only slow each other down. */
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

/** A failed test may leave processes, which are killed at the end. */
const underWay = new Set<ChildProcess>();

function oneDocument(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new assert.AssertionError({ message: `stdout is not one JSON document: ${JSON.stringify(text)}` });
  }
}

let directory: string | undefined;

/** Removed when the process exits, because mocha runs the hooks of a shared module only once. */
function scratch(): string {
  if (directory !== undefined) return directory;
  assert.ok(existsSync(DIST), 'the binary is not built: `npm run build` comes first');
  const made = mkdtempSync(join(tmpdir(), 'partner-cli-'));
  directory = made;
  process.once('exit', () => {
    for (const child of underWay) child.kill('SIGKILL');
    // Uses a separate process, because mocha gives a worker one second to exit.
    spawn('rm', ['-rf', made], { detached: true, stdio: 'ignore' }).unref();
  });
  return made;
}
