import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepared } from '../cli/homes.ts';
import { BINARY, EXAMPLES, type Home, newHome, type Running } from '../cli/partner.ts';

/** How a script ended. */
export interface Ended {
  readonly code: number | null;
  /** stdout and stderr: GitHub reads both as one. */
  readonly log: string;
}

type Environment = Readonly<Record<string, string>>;

const KEY_FILE = 'key.json';

/** A server that a CI job goes to, for as long as a test takes. */
export interface CiServer {
  readonly env: Environment;
  titles(): Promise<string[]>;
  close(): Promise<void>;
}

/** Terms and card are settled, and there is a key: what is complete can go live, also over HTTP. */
export const withKey = prepared(newHome, async (home) => {
  await home.must(['dashboard', 'accept-terms']);
  await home.must(['dashboard', 'add-card']);
  await home.file(KEY_FILE, await home.must(['engine', 'keys', 'create']));
});

/** The bundled engine of a home `withKey` behind a port. */
export async function ciServer(home: Home, ...flags: string[]): Promise<CiServer> {
  const { key } = JSON.parse(readFileSync(join(home.path, KEY_FILE), 'utf8'));
  const running: Running = home.start(['engine', 'serve', '--port', '0', '--json', ...flags]);
  const { url } = JSON.parse(await running.shown('stdout', /\n/)) as { url: string };
  return {
    env: { PARTNER_BASE_URL: url, PARTNER_API_KEY: key },
    async titles() {
      const answer = await fetch(`${url}/jobs?limit=100`, { headers: { authorization: `Bearer ${key}` } });
      return sortedTitles(await answer.json());
    },
    async close() {
      running.child.kill('SIGINT');
      await running.ended;
    },
  };
}

/** The titles of all jobs that the engine of a home has, sorted: whatever the network in between makes of calls. */
export async function storedTitles(home: Home): Promise<string[]> {
  return sortedTitles(await home.must(['jobs', 'list', '--limit', '100']));
}

function sortedTitles({ items }: { items: { title: string }[] }): string[] {
  return items.map(({ title }) => title).sort();
}

/** A checkout of a repository with listings, on the main branch, with an `origin` to push to. */
export class CiRepository {
  constructor(
    private readonly home: Home,
    readonly path: string,
    readonly origin: string,
  ) {}

  /** A new one, with these of the example listings in `jobs/`. */
  static create(home: Home, ...listings: string[]): CiRepository {
    const repository = new CiRepository(home, join(home.path, 'repository'), join(home.path, 'origin.git'));
    const { path, origin } = repository;
    repository.git(home.path, 'init', '--quiet', '--bare', '--initial-branch', 'main', origin);
    repository.git(home.path, 'clone', '--quiet', origin, path);
    repository.git(path, 'checkout', '--quiet', '-B', 'main');
    for (const name of listings)
      cpSync(join(EXAMPLES, 'jobs', `${name}.json`), join(path, 'jobs', `${name}.json`));
    installable(path);
    repository.commit('Listings');
    return repository;
  }

  /** The same repository on a machine that has never seen it. */
  clone(name: string): CiRepository {
    const path = join(this.home.path, name);
    this.git(this.home.path, 'clone', '--quiet', this.origin, path);
    return new CiRepository(this.home, path, this.origin);
  }

  write(name: string, text: string): void {
    mkdirSync(join(this.path, name, '..'), { recursive: true });
    writeFileSync(join(this.path, name), text);
  }

  read(name: string): string {
    return readFileSync(join(this.path, name), 'utf8');
  }

  commit(message: string): void {
    this.git(this.path, 'add', '.');
    this.git(this.path, 'commit', '--quiet', '--message', message);
    this.git(this.path, 'push', '--quiet', 'origin', 'HEAD:main');
  }

  /** What a branch of `origin` holds. */
  pushed(branch = 'main'): string[] {
    return this.git(this.origin, 'ls-tree', '-r', '--name-only', branch).trim().split('\n');
  }

  head(branch = 'main'): string {
    return this.git(this.origin, 'rev-parse', branch).trim();
  }

  /** Starts a script of bash or sh in it, as a CI does; `log` is whole once it has ended. */
  start(shell: readonly string[], env: Environment): { child: ChildProcess; ended: Promise<Ended> } {
    const [program = '', ...argv] = shell;
    const child = spawn(program, argv, {
      cwd: this.path,
      env: { ...this.environment(), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let log = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        log += text;
      });
    return { child, ended: once(child, 'close').then(([code]) => ({ code, log })) };
  }

  /** Runs a step as GitHub does where `shell: bash` is the default. */
  runStep(script: string, env: Environment): Promise<Ended> {
    const file = join(this.home.path, 'step.sh');
    writeFileSync(file, script);
    return this.start(['bash', '--noprofile', '--norc', '-eo', 'pipefail', file], env).ended;
  }

  /** Puts in place what `npm ci` does, which takes longer than all the rest. */
  installed(): this {
    mkdirSync(join(this.path, 'node_modules/.bin'), { recursive: true });
    symlinkSync('../../tool/partner', join(this.path, 'node_modules/.bin/partner'));
    return this;
  }

  isInstalled(): boolean {
    return existsSync(join(this.path, 'node_modules/.bin/partner'));
  }

  private environment(): Environment {
    const { PATH = '', ...environment } = this.home.environment();
    const tools = join(this.path, 'tool');
    return { ...environment, ...AUTHOR, PATH: `${tools}:${PATH}`, CI: 'true' };
  }

  private git(cwd: string, ...argv: string[]): string {
    const env = { ...this.home.environment(), ...AUTHOR };
    const { status, stdout, stderr } = spawnSync('git', argv, { cwd, env, encoding: 'utf8' });
    assert.equal(status, 0, `git ${argv.join(' ')}: ${stderr}`);
    return stdout;
  }
}

const AUTHOR = {
  GIT_AUTHOR_NAME: 'A recruiter',
  GIT_AUTHOR_EMAIL: 'recruiter@example.com',
  GIT_COMMITTER_NAME: 'A recruiter',
  GIT_COMMITTER_EMAIL: 'recruiter@example.com',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
};

/** Lets `npm ci` install the built binary, without a registry: a package of the repository that stands for it. */
function installable(path: string): void {
  const name = 'partner-jobs-cli';
  const tool = { name, version: '0.0.0', bin: { partner: 'partner' } };
  const root = { name: 'listings', version: '0.0.0', dependencies: { [name]: 'file:tool' } };
  const lock = {
    name: root.name,
    version: root.version,
    lockfileVersion: 3,
    requires: true,
    packages: { '': root, [`node_modules/${name}`]: { resolved: 'tool', link: true }, tool },
  };
  mkdirSync(join(path, 'tool'));
  for (const [file, value] of [
    ['package.json', root],
    ['package-lock.json', lock],
    ['tool/package.json', tool],
  ] as const)
    writeFileSync(join(path, file), JSON.stringify(value));
  writeFileSync(join(path, '.gitignore'), 'node_modules/\n');
  writeFileSync(join(path, 'tool/partner'), `#!/bin/sh\nexec '${process.execPath}' '${BINARY}' "$@"\n`);
  chmodSync(join(path, 'tool/partner'), 0o755);
}
