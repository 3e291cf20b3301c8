import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ERRORS, EXIT } from '../../src/contract/errors.ts';
import { newHome } from '../cli/partner.ts';
import { leakIn } from '../commands/hostile-text.ts';
import { FILES, FILES_BEFORE, KEY, type Line } from './commands.ts';
import { MODES } from './modes.ts';
import { type HostileServer, startHostileServer } from './server.ts';

export interface Case {
  readonly mode: string;
  readonly line: Line;
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Tally {
  /** Forbidden outcomes, each with its mode and command line. */
  readonly failures: readonly string[];
  /** In the order of the cases; null if the run was stopped because it hung. */
  readonly exits: readonly (number | null)[];
}

const AT_ONCE = 16;
const TIMEOUT = ['--timeout', '300ms'];
/** Far longer than any timeout of these runs. */
const HANGS_AFTER_MS = 30_000;

const EXITS: readonly number[] = [...Object.values(ERRORS).map(({ exit }) => exit), ...Object.values(EXIT)];

const WRONG = /bug in partner|^\s+at .+:\d+/m;

export async function runCases(cases: readonly Case[], processes = 1): Promise<Tally> {
  const { path } = await newHome();
  const server = await startHostileServer(MODES);
  const runners = Array.from({ length: processes }, () => new Runner(path));
  const failures: string[] = [];
  const exits: (number | null)[] = [];
  try {
    const state = await appliedState(path, server, runners[0] as Runner);
    const left = cases.entries();
    const work = async (runner: Runner): Promise<void> => {
      for (const [index, { mode, line }] of left) {
        const url = server.url(mode, line.only);
        const stateFile = join(path, `${index}.json`);
        await writeFile(stateFile, state.replaceAll(GOOD_URL, url));
        const argv = line.argv.map((word) => (word === 'STATE' ? stateFile : word === 'URL' ? url : word));
        const ended = await runner.run(
          [...argv.map((word) => (word === 'fresh.json' ? `${stateFile}.fresh` : word)), ...TIMEOUT],
          { path, index, url, stdin: line.stdin },
        );
        const wrong = wrongIn(ended);
        if (wrong !== undefined) failures.push(`${mode}: partner ${line.argv.join(' ')}: ${wrong}`);
        exits[index] = ended.code;
      }
    };
    await Promise.all(runners.flatMap((runner) => Array.from({ length: AT_ONCE }, () => work(runner))));
    for (const runner of runners) failures.push(...runner.escaped.map((stack) => `escaped: ${stack}`));
    for (const head of server.strayed) failures.push(`sent to another origin: ${head}`);
  } finally {
    for (const runner of runners) runner.end();
    await server.close();
    await rm(path, { recursive: true, force: true });
  }
  return { failures, exits };
}

function wrongIn({ code, stdout, stderr }: Ended): string | undefined {
  const shown = stdout + stderr;
  if (code === null) return `no end within ${HANGS_AFTER_MS / 1000} s`;
  if (!EXITS.includes(code)) return `exit ${code}`;
  const [wrong] = WRONG.exec(shown) ?? [];
  if (wrong !== undefined) return shown.slice(0, 600);
  if (shown.includes(KEY)) return 'the key is shown';
  const leak = leakIn(shown.replaceAll('\r\n', '\n'));
  return leak && `shows ${leak}`;
}

const GOOD_URL = 'http://GOOD';

/** Applies the set to a good server and returns the state file. */
async function appliedState(path: string, server: HostileServer, runner: Runner): Promise<string> {
  const write = (files: Readonly<Record<string, unknown>>) =>
    Promise.all(
      Object.entries(files).map(async ([name, content]) => {
        await mkdir(dirname(join(path, name)), { recursive: true });
        await writeFile(join(path, name), JSON.stringify(content));
      }),
    );
  await write(FILES_BEFORE);
  const url = server.url('none');
  const state = join(path, 'good.json');
  const argv = ['jobs', 'apply', 'set', '--state', state, '--create-anyway', '--publish'];
  const { code, stderr } = await runner.run(argv, { path, index: -1, url, stdin: undefined });
  assert.equal(code, 0, stderr);
  await rm(join(path, 'set'), { recursive: true });
  await write(FILES);
  return (await readFile(state, 'utf8')).replaceAll(url, GOOD_URL);
}

interface Place {
  readonly path: string;
  readonly index: number;
  readonly url: string;
  readonly stdin: string | undefined;
}

class Runner {
  readonly escaped: string[] = [];
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (ended: Ended) => void>();
  #lines = 0;

  constructor(cwd: string) {
    const program = fileURLToPath(new URL('runner.mjs', import.meta.url));
    this.#child = fork(program, {
      cwd,
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.#child.on('message', (message: Ended & { id: number; escaped?: string }) => {
      if (message.escaped !== undefined) this.escaped.push(message.escaped);
      else this.#waiting.get(message.id)?.(message);
    });
    this.#child.on('exit', (code, signal) => {
      for (const end of this.#waiting.values())
        end({ code: 134, stdout: '', stderr: `\n at process:${code ?? signal}` });
    });
  }

  run(argv: readonly string[], { path, index, url, stdin = '' }: Place): Promise<Ended> {
    const id = this.#lines++;
    const env = {
      PARTNER_DATA_DIR: join(path, `data-${index}`),
      PARTNER_CONFIG_DIR: join(path, `config-${index}`),
      PARTNER_BASE_URL: url,
      PARTNER_API_KEY: KEY,
    };
    return new Promise((resolve) => {
      const hangs = setTimeout(() => end({ code: null, stdout: '', stderr: '' }), HANGS_AFTER_MS);
      const end = (ended: Ended): void => {
        clearTimeout(hangs);
        this.#waiting.delete(id);
        resolve(ended);
      };
      this.#waiting.set(id, end);
      this.#child.send({ id, argv, env, stdin });
    });
  }

  end(): void {
    this.#child.kill();
  }
}
