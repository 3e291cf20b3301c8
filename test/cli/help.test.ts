import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { commandList } from '../../src/cli/help/topics.ts';
import type { JobStatus } from '../../src/contract/values.ts';
import { PACKAGE_ROOT } from '../../src/package.ts';
import { freePort } from '../client/real-server.ts';
import { KEY, type SpecServer, startSpecServer } from '../spec-server/server.ts';
import { times } from '../times.ts';
import { exampleHomes, makeJobs } from './example-homes.ts';
import FORMS from './help-forms.json' with { type: 'json' };
import { receiveApplications } from './homes.ts';
import { EXAMPLES, type Home, newHome } from './partner.ts';
import { isMissing, shellEnvironment } from './shell.ts';
import { makeRepository } from './state-rounds.ts';

const commands = commandList();

describe('every command', () => {
  it('says what it does, and gives an example', () => {
    for (const { id, summary, examples } of commands) {
      assert.match(summary ?? '', /^[A-Z].*[^.]$/, id);
      assert.notEqual(examplesOf(examples).length, 0, id);
    }
  });
});

describe('help', () => {
  it('is on stdout, exit 0, however it is asked for', async () => {
    const home = await newHome();
    for (const [line = '', shows = ''] of FORMS) {
      const { code, stdout, stderr } = await home.run(line.split(' ').filter(Boolean));
      assert.deepEqual([code, stderr], [0, ''], line);
      assert.match(stdout, new RegExp(shows));
    }
  });

  for (const [line, ids] of [
    ['jobs create --help --json', ['jobs:create']],
    ['help budgets --json', ['budgets:set', 'budgets:get', 'budgets:clear', 'budgets:simulate']],
    ['dashboard -h --json', commands.map(({ id }) => id).filter((id) => id.startsWith('dashboard'))],
    ['--json', commands.map(({ id }) => id)],
  ] as const)
    it(`answers \`partner ${line}\` with one JSON document`, async () => {
      const { items } = (await (await newHome()).run(line)).json() as { items: { id: string }[] };
      const shown = items.map(({ id }) => id);
      assert.deepEqual(shown, ids);
    });
});

describe('a guide', () => {
  it('is one JSON document with its Markdown', async () => {
    const guide = await (await newHome()).must<{ topic: string; markdown: string }>('help exit-codes');
    assert.equal(guide.topic, 'exit-codes');
    assert.equal(guide.markdown, readFileSync(join(PACKAGE_ROOT, 'docs/errors.md'), 'utf8'));
  });
});

describe('the examples of the help run as they are written', () => {
  let server: SpecServer;
  let homes: (status?: JobStatus) => Promise<Home>;

  before(async function () {
    if (isMissing('bash')) this.skip();
    server = await startSpecServer();
    homes = exampleHomes(server.url);
  });
  after(() => server?.close());

  for (const { id, examples } of commands)
    it(`of \`partner ${id.replaceAll(':', ' ')}\``, async () => {
      const lines = examplesOf(examples).filter((line) => !isMissing(...neededBy(line)));
      await Promise.all(lines.slice(0, times(1, lines.length)).map((line) => runsAsWritten(id, line)));
    });

  async function runsAsWritten(id: string, line: string): Promise<void> {
    const isOfApplications = id.startsWith('dashboard:applications:');
    const needsJobs = isOfApplications || / 12\b| --publish|monday\.backup/.test(line);
    const home = await homes(needsJobs ? statusFor(id, line) : undefined);
    // Copied, because `apply` writes its state next to the files.
    if (line.includes('examples/') || line.includes(' --plan '))
      await cp(EXAMPLES, join(home.path, 'examples'), { recursive: true });
    if (isOfApplications) await receiveApplications(home, 42);
    if (id.startsWith('state:')) {
      makeRepository(home.path, '.');
      await home.must('jobs apply jobs');
    }
    if (id === 'auth:logout') await home.must('auth switch acme');
    if (line.includes(' --plan plan.json')) await home.must('jobs plan examples/jobs --out plan.json');
    if (id === 'engine:restore') await home.must('engine backup monday.backup');
    const typed = await withNames(line, home, server.url);
    const [shell] = neededBy(line);
    // Without a variable or a pipe into partner, the line doesn't need a shell.
    const isOneRun = /^partner [^|<>$`;&]*(?:> [\w.]+|\| jq .*)?$/.test(line) && !serves(line);
    const { code, stdout, stderr } = await (isOneRun
      ? home.run(wordsOf(typed.replace(/ (?:> [\w.]+|\| jq .*)$/, ''), home))
      : typedInto(shell, typed, home));
    const said = `${line}\n${stdout}${stderr}`;
    if (asks(line))
      assert.match(
        stderr,
        /^error: (?:input is required, but there is no terminal|nothing to|can't create a job)/,
        said,
      );
    else {
      assert.equal(code, line.includes('--exit-code') ? 10 : 0, said);
      const [, filter] = / \| (jq .*)$/.exec(line) ?? [];
      if (filter !== undefined)
        assert.equal(spawnSync('bash', [...INVOKED.bash, filter], { input: stdout }).status, 0, said);
      assert.doesNotMatch(stderr, /error/, said);
    }
  }
});

describe('what a guide shows to be typed runs as it is written', () => {
  const codeOf = (file: string, language: string) =>
    new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(
      readFileSync(join(PACKAGE_ROOT, 'docs', file), 'utf8'),
    )?.[1] ?? '';

  it('the script of `partner help exit-codes`', async function () {
    if (isMissing('bash')) this.skip();
    const home = await newHome();
    const script = codeOf('errors.md', 'sh');
    await makeJobs(home, 'DRAFT');
    assert.equal((await typedInto('bash', script, home)).stdout, 'The job is live\n');
  });

  it('the file of `partner help job-files`, which is a draft', async () => {
    const home = await newHome();
    const file = await home.file('electrician.json', JSON.parse(codeOf('job-files.md', 'json')));
    const { code, stdout, stderr } = await home.run(['jobs', 'validate', file, '--draft']);
    assert.equal(code, 0, stdout + stderr);
  });

  it('the first steps of `partner help`, one after the other', async function () {
    if (isMissing('bash')) this.skip();
    const home = await newHome();
    const { stdout } = await home.run('help');
    const [, shown = ''] = /FIRST STEPS\n((?: +.*\n)+)/.exec(stdout) ?? [];
    const steps = Array.from(shown.matchAll(/^ +(partner .*?) {2,}/gm), ([, line = '']) => line);
    assert.equal(steps.length, 3);
    for (const line of steps) {
      const { code, stderr } = await typedInto('bash', line, home);
      if (line === 'partner auth login') assert.match(stderr, /there is no terminal to prompt on/);
      else assert.equal(code, 0, stderr);
    }
    assert.equal(home.storedJobs(), 1);
  });
});

function examplesOf(examples: (typeof commands)[number]['examples']): string[] {
  return [examples ?? []].flat().map((example) => (typeof example === 'string' ? example : example.command));
}

function statusFor(id: string, line: string): JobStatus {
  if (id === 'jobs:watch') return /EXPIRED|watch 12$/.test(line) ? 'EXPIRED' : 'ACTIVE';
  if (/^(?:dashboard:applications:|jobs:pause|jobs:close|engine:apply)/.test(id)) return 'ACTIVE';
  if (id === 'jobs:resume') return 'PAUSED';
  return id === 'jobs:repost' ? 'CLOSED' : 'DRAFT';
}

/** The terminal tests cover commands that prompt. */
function asks(line: string): boolean {
  const create = /^partner jobs (?:create|edit 12|update 12 --interactive|close 12)$/;
  return create.test(line) || /^partner locations pick|^partner auth login acme --base-url \S+$/.test(line);
}

function neededBy(line: string): [shell: Shell, ...others: string[]] {
  if (line.includes('completion zsh')) return ['zsh'];
  if (line.includes('completion powershell')) return ['pwsh'];
  return line.includes('| jq ') ? ['bash', 'jq'] : ['bash'];
}

function serves(line: string): boolean {
  return /engine serve|^partner dashboard(?: -(?!-at)|$)/.test(line);
}

function wordsOf(line: string, home: Home): string[] {
  // Without quotes or globs, splitting the line doesn't need a shell.
  if (/^[\w ./:=,-]+$/.test(line)) return line.split(' ').slice(1);
  const script = `partner() { printf '%s\\0' "$@"; }; ${line}`;
  const options = { cwd: home.path, encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync('bash', [...INVOKED.bash, script], options);
  assert.equal(status, 0, `${line}\n${stderr}`);
  return stdout.split('\0').slice(0, -1);
}

async function withNames(line: string, home: Home, acmeUrl: string): Promise<string> {
  const names = line
    .replace('https://api.example.com/v1', acmeUrl)
    .replace('--port 4650', `--port ${await freePort()}`);
  if (!line.includes('_ID')) return names;
  const { id, companyId } = await home.must<{ id: string; companyId: string }>('engine keys create');
  return names.replace('COMPANY_ID', companyId).replace('KEY_ID', id);
}

const INVOKED = {
  bash: ['--noprofile', '--norc', '-o', 'pipefail', '-c'],
  zsh: ['-f', '-o', 'pipefail', '-c'],
  pwsh: ['-NoProfile', '-Command'],
} as const;

type Shell = keyof typeof INVOKED;

async function typedInto(shell: Shell, line: string, home: Home) {
  const before = shell === 'zsh' ? 'autoload -Uz compinit; compinit -u; ' : '';
  const child = spawn(shell, [...INVOKED[shell], before + line], {
    cwd: home.path,
    env: { ...(await shellEnvironment(home)), KEY },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    if (serves(line)) child.kill('SIGINT');
  });
  const [code] = await once(child, 'close');
  return { code, stdout, stderr };
}
