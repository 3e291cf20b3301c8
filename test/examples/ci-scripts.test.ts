import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, readFileSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXAMPLES, newHome } from '../cli/partner.ts';
import { requirePrograms } from '../cli/shell.ts';
import { fixture } from '../fixture.ts';
import { itAtLength } from '../times.ts';
import { CiRepository, type CiServer, ciServer, type Ended, storedTitles, withKey } from './ci-repository.ts';
import { scriptSteps, workflowEnv } from './workflow-steps.ts';

const textOf = (name: string): string => readFileSync(join(EXAMPLES, 'ci', name), 'utf8');
const SCRIPT = join(EXAMPLES, 'ci', 'apply.sh');
const STEPS = scriptSteps(textOf('github-actions.yml'));
const WORKFLOW_ENV = workflowEnv(textOf('github-actions.yml'));

const LISTINGS = ['electrician-austin', 'icu-nurse-boston', 'line-cook-vancouver', 'welder-monterrey'];
const TITLES = LISTINGS.map(
  (name) => JSON.parse(readFileSync(join(EXAMPLES, 'jobs', `${name}.json`), 'utf8')).title,
).sort();

describe('examples/ci', function () {
  // Each of them runs partner several times.
  this.slow(5_000);
  let server: CiServer | undefined;

  requirePrograms('git', 'bash', 'npm');
  const home = fixture('each test', withKey);
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });

  describe('apply.sh', () => {
    const run = (repository: CiRepository, env: Readonly<Record<string, string>> = {}) =>
      repository.start(['sh', SCRIPT], env).ended;

    it('makes every job and commits the state; run again, it finds nothing to do', async () => {
      const repository = CiRepository.create(home, ...LISTINGS);
      const first = await run(repository, { STATE_BRANCH: 'main' });
      assert.equal(first.code, 0, first.log);
      assert.match(first.log, /Every job matches its file/);
      assert.ok(repository.pushed().includes('jobs/.partner/state.json'));
      const again = await run(repository.clone('another-machine'), { STATE_BRANCH: 'main' });
      assert.equal(again.code, 0, again.log);
      assert.doesNotMatch(again.log, /applying/);
      assert.deepEqual(await storedTitles(home), TITLES);
    });

    it('with one bad file stops before anything is sent', async () => {
      const repository = CiRepository.create(home, ...LISTINGS);
      repository.write('jobs/bad.json', '{ "titel": "Night nurse" }');
      const { code, log } = await run(repository);
      assert.equal(code, 3, log);
      assert.match(log, /jobs\/bad\.json/);
      assert.match(log, /did you mean title\?/);
      assert.match(log, /invalid or incomplete\. Nothing was sent/);
      assert.equal(home.storedJobs(), 0);
    });

    itAtLength('says what to do where terms or card are missing', async () => {
      const { code, log } = await run(CiRepository.create(await newHome(), ...LISTINGS));
      assert.equal(code, 11, log);
      assert.match(
        log,
        /4 not live[\s\S]*no listing is live\. Fix the problems listed above, then run this again/,
      );
    });

    itAtLength('told to end while it applies, passes that on and keeps what was done', async () => {
      server = await ciServer(home, '--latency', '50ms');
      const repository = CiRepository.create(home, ...LISTINGS);
      const state = join(home.path, 'state');
      mkdirSync(state);
      const changes = watch(state);
      const { child, ended } = repository.start(['sh', SCRIPT], { ...server.env, STATE_DIR: state });
      await Promise.race([once(changes, 'change'), ended]);
      changes.close();
      child.kill('SIGTERM');
      const { code, log } = await ended;
      assert.equal(code, 130, log);
      assert.match(log, /Interrupted\. Completed changes are recorded/);
      const rest = ['jobs', 'apply', 'jobs', '--publish', '--state', join(state, 'state.json')];
      await home.must(rest, { cwd: repository.path, env: server.env });
      assert.deepEqual(await server.titles(), TITLES);
    });
  });

  describe('github-actions.yml', () => {
    let summary: string;
    const repository = fixture('each test', () => CiRepository.create(home, ...LISTINGS));
    beforeEach(() => {
      summary = join(home.path, 'summary.md');
      writeFileSync(summary, '# Other steps\n');
    });

    function run(job: string, name: string, on: CiRepository, env = {}): Promise<Ended> {
      const step = STEPS.find((each) => each.job === job && each.name === name);
      assert.ok(step !== undefined, `${job}: ${name}`);
      return on.runStep(step.script, {
        GITHUB_STEP_SUMMARY: summary,
        GITHUB_REF_NAME: 'main',
        GITHUB_RUN_ID: '1',
        GITHUB_ACTIONS: 'true',
        RUNNER_TEMP: home.path,
        ...WORKFLOW_ENV,
        ...server?.env,
        ...env,
      });
    }

    it('on a pull request checks and plans, and changes nothing', async () => {
      server = await ciServer(home);
      assert.equal((await run('validate', 'Install', repository)).code, 0);
      const valid = await run('validate', 'Validate', repository);
      assert.deepEqual([valid.code, valid.log], [0, '4 listings in 4 files: no problems found\n']);
      const plan = await run('plan', 'Plan', repository);
      assert.equal(plan.code, 0, plan.log);
      assert.match(plan.log, /^Plan: 4 to create/);
      assert.match(plan.log, /Merging this does what the summary shows/);
      assert.match(readFileSync(summary, 'utf8'), /^# Other steps\n\n## partner jobs plan\n\n.*4 to create/);
      assert.deepEqual(await server.titles(), []);
    });

    itAtLength(
      'on main applies and pushes the state to its branch only; a pull request plans with it, and the next machine finds nothing to do',
      async () => {
        server = await ciServer(home);
        repository.installed();
        const main = repository.head();
        const apply = await run('apply', 'Apply', repository);
        assert.equal(apply.code, 0, apply.log);
        assert.match(readFileSync(join(home.path, 'jobs-apply.xml'), 'utf8'), /<testsuite /);
        assert.match(readFileSync(summary, 'utf8'), /4 created/);
        assert.deepEqual(repository.pushed('partner-state'), ['state.json', 'state.last-run.json']);
        const state = repository.head('partner-state');
        const next = repository.clone('next-machine').installed();
        const plan = await run('plan', 'Plan', next);
        assert.match(plan.log, /Merging this changes no job/);
        const again = await run('apply', 'Apply', next);
        assert.match(again.log, /Apply: nothing to do, 4 unchanged/);
        assert.equal((await run('apply', 'Drift', next)).code, 0);
        await home.must(['jobs', 'update', '1', '--bid-cents', '9900']);
        assert.equal((await run('apply', 'Drift', next)).code, 10);
        assert.deepEqual([next.head(), next.head('partner-state')], [main, state]);
        assert.deepEqual(await server.titles(), TITLES);
      },
    );

    it('with one bad file stops: annotated at its line, nothing sent', async () => {
      server = await ciServer(home);
      repository.installed();
      repository.write('jobs/bad.json', '{\n  "titel": "Night nurse"\n}\n');
      for (const [job, name] of [
        ['validate', 'Validate'],
        ['apply', 'Apply'],
      ] as const) {
        const { code, log } = await run(job, name, repository);
        assert.equal(code, 3, log);
        assert.match(log, /^::error file=jobs\/bad\.json,line=2,/m, name);
      }
      assert.deepEqual(await server.titles(), []);
    });

    itAtLength('finishes on the next machine what a run that was cut off has left', async () => {
      server = await ciServer(home, '--latency', '2s');
      repository.installed();
      const step = STEPS.find(({ job, name }) => job === 'apply' && name === 'Apply');
      const env = { ...WORKFLOW_ENV, ...server.env, PARTNER_STATE_LEASE: '1500ms' };
      const given = { ...env, RUNNER_TEMP: home.path, GITHUB_STEP_SUMMARY: summary };
      const { child, ended } = repository.start(['bash', '-ec', step?.script ?? ''], given);
      // Reads the database directly, because the server's responses are delayed until the run is almost over.
      while ((await storedTitles(home)).length === 0);
      child.kill('SIGKILL');
      await ended;
      assert.ok(repository.pushed('partner-state').includes('state.journal.ndjson'));
      const next = repository.clone('next-machine').installed();
      let apply: Ended;
      // Until the lease of the killed run is over.
      do apply = await run('apply', 'Apply', next, { PARTNER_STATE_LEASE: '1500ms' });
      while (apply.code === 6);
      assert.equal(apply.code, 0, apply.log);
      assert.deepEqual(await server.titles(), TITLES);
      assert.deepEqual(next.pushed('partner-state'), ['state.json', 'state.last-run.json']);
    });
  });
});
