import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PARTNER = fileURLToPath(new URL('../bin/run.js', import.meta.url));
const PEAK_MEMORY = new URL('./peak-memory.mjs', import.meta.url).href;

export interface MeasuredRun {
  readonly seconds: number;
  readonly peakMegabytes: number;
  readonly stdout: string;
}

/** A separate home directory with a new database of the bundled engine. Publishing is allowed. */
export interface BenchHome {
  readonly databasePath: string;
  path(name: string): string;
  /** Runs the built CLI and waits for it. Throws if the exit code isn't 0. */
  run(argv: readonly string[], environment?: Readonly<Record<string, string>>): MeasuredRun;
  /** Starts `engine serve` on a free port. `flags` are additional flags. */
  serve(flags?: readonly string[]): Promise<BenchServer>;
  /** Creates a partner key for the default company. */
  newKey(): string;
  remove(): void;
}

export interface BenchServer {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
  /** Stops the server without waiting for its clients. */
  kill(): Promise<void>;
}

/** Creates a home in a new directory under `scratch`. `more` sets additional environment variables. */
export function makeHome(scratch: string, more: Readonly<Record<string, string>> = {}): BenchHome {
  const home = mkdtempSync(join(scratch, 'home-'));
  const path = (name: string) => join(home, name);
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    HOME: home,
    PARTNER_DATA_DIR: path('data'),
    PARTNER_CONFIG_DIR: path('config'),
    ...more,
  };

  const run: BenchHome['run'] = (argv, environment = {}) => {
    const { status, stderr, ...measured } = measuredRun(argv, { ...env, ...environment });
    if (status !== 0) throw new Error(`partner ${argv.join(' ')} exited with code ${status}: ${stderr}`);
    return measured;
  };

  // Servers create only a SQLite database by themselves.
  if (env.PARTNER_ENGINE_DATABASE !== undefined) run(['engine', 'migrate']);
  run(['dashboard', 'accept-terms']);
  run(['dashboard', 'add-card']);
  return {
    databasePath: path('data/engine/partner.db'),
    path,
    run,
    serve: async (flags = []) => {
      const argv = [PARTNER, 'engine', 'serve', '--port', '0', '--json', ...flags];
      return servedBy(spawn(process.execPath, argv, { env, stdio: ['ignore', 'pipe', 'ignore'] }));
    },
    newKey: () => JSON.parse(run(['engine', 'keys', 'create', '--json']).stdout).key,
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}

/** Runs the built CLI and accepts any exit code. `status` is null if the run exceeded `timeout` (in ms). */
export function measuredRun(argv: readonly string[], env: NodeJS.ProcessEnv, timeout?: number) {
  const startedAt = performance.now();
  const { status, output } = spawnSync(process.execPath, ['--import', PEAK_MEMORY, PARTNER, ...argv], {
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    maxBuffer: 1024 ** 3,
    timeout,
  });
  const [, stdout = '', stderr = '', peakKilobytes] = output as [null, string, string, string];
  const seconds = (performance.now() - startedAt) / 1000;
  return { status, seconds, peakMegabytes: Number(peakKilobytes) / 1024, stdout, stderr };
}

async function servedBy(server: ChildProcess): Promise<BenchServer> {
  const ended = once(server, 'exit');
  const [line] = (await Promise.race([
    once(server.stdout ?? server, 'data'),
    ended.then(([code]) => {
      throw new Error(`engine serve exited with code ${code}`);
    }),
  ])) as [Buffer];
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    server.kill(signal);
    await ended;
  };
  return {
    url: JSON.parse(String(line)).url,
    pid: server.pid ?? 0,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  };
}
