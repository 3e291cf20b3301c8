import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { EXAMPLES } from '../cli/partner.ts';
import { requirePrograms } from '../cli/shell.ts';
import { parseXml } from '../cli/xml.ts';
import { fixture } from '../fixture.ts';
import { itAtLength } from '../times.ts';
import { CiRepository, ciServer, type Ended, withKey } from './ci-repository.ts';
import { scriptSteps } from './workflow-steps.ts';

const TEXT = readFileSync(join(EXAMPLES, 'ci/action.yml'), 'utf8');
const ACTION: Record<'inputs' | 'outputs', Record<string, Record<string, string>>> = parse(TEXT);
const STEPS = scriptSteps(TEXT);
const ALWAYS = ['Result'];

/** What an input is where nobody gives it. */
const DEFAULTS = Object.fromEntries(
  Object.entries(ACTION.inputs).map(([name, { default: given = '' }]) => [name, given]),
) as Readonly<Record<string, string>>;

describe('examples/ci/action.yml', function () {
  // Each installs and runs partner.
  this.slow(8_000);

  requirePrograms('git', 'bash', 'npm');
  const home = fixture('each test', withKey);
  const server = fixture('each test', () => ciServer(home));
  const repository = fixture('each test', () => {
    writeFileSync(join(home.path, 'summary.md'), '# Other steps\n');
    return CiRepository.create(home, 'icu-nurse-boston', 'welder-monterrey');
  });

  /** Runs its steps as GitHub does: the next one only where none has failed, unless it is for every end. */
  async function use(given: Readonly<Record<string, string>>): Promise<Ended & { outputs: object }> {
    const output = join(home.path, 'output');
    writeFileSync(output, '');
    const { PARTNER_BASE_URL = '', PARTNER_API_KEY = '' } = server.env;
    const remote = { 'base-url': PARTNER_BASE_URL, 'api-key': PARTNER_API_KEY };
    const inputs: Record<string, string> = { ...DEFAULTS, ...remote, ...given };
    let [code, log]: [number | null, string] = [0, ''];
    for (const { name, script, env } of STEPS) {
      if (code !== 0 && !ALWAYS.includes(name)) continue;
      // npm takes longer than all the rest.
      if (name === 'Install' && repository.isInstalled()) continue;
      const values = Object.entries(env).map(([key, value]) => [
        key,
        value.replace(/\$\{\{ inputs\.([\w-]+) \}\}/, (_, input: string) => inputs[input] ?? ''),
      ]);
      const ended = await repository.runStep(script, {
        ...Object.fromEntries(values),
        GITHUB_ACTIONS: 'true',
        GITHUB_OUTPUT: output,
        GITHUB_STEP_SUMMARY: join(home.path, 'summary.md'),
        RUNNER_TEMP: home.path,
      });
      if (code === 0) code = ended.code;
      log += ended.log;
    }
    const lines = readFileSync(output, 'utf8').trimEnd().split('\n');
    return { code, log, outputs: Object.fromEntries(lines.map((line) => line.split(/=(.*)/s))) };
  }

  const summary = (): string => readFileSync(join(home.path, 'summary.md'), 'utf8');

  itAtLength('installs what its package names, plans, and says how much changes', async () => {
    const plan = await use({ package: './tool' });
    assert.equal(plan.code, 0, plan.log);
    assert.match(plan.log, /^Plan: 2 to create/m);
    assert.doesNotMatch(plan.log, /^::(?:notice|warning|error)/m);
    assert.match(summary(), /^# Other steps\n\n## partner jobs plan\n\nPlan: 2 to create/);
    const report = join(home.path, 'partner-jobs.json');
    const junit = join(home.path, 'partner-jobs.xml');
    assert.deepEqual(plan.outputs, { changes: '2', error: '', report, junit });
    assert.equal(JSON.parse(readFileSync(report, 'utf8')).command, 'plan');
    assert.equal(parseXml(readFileSync(junit, 'utf8'))[0]?.attributes.tests, '2');
    assert.deepEqual(await server.titles(), []);
  });

  itAtLength(
    'applies with what npm ci installs; the next plan finds nothing to do, and with --fail-on-drift an edit',
    async () => {
      const apply = await use({
        command: 'apply',
        paths: 'jobs/icu-nurse-boston.json\njobs/welder-monterrey.json',
      });
      assert.equal(apply.code, 0, apply.log);
      assert.match(apply.log, /Apply: 2 created.*\(2 went live\)/);
      const again = await use({ flags: '--fail-on-drift' });
      assert.deepEqual([again.code, (again.outputs as { changes: string }).changes], [0, '0'], again.log);
      await home.must(['jobs', 'update', '1', '--salary-max', '250000']);
      const drifted = await use({ flags: '--fail-on-drift' });
      assert.equal(drifted.code, 10, drifted.log);
      assert.match(summary(), /EDITED/);
    },
  );

  it('a run that cannot begin has its summary, its reports, and the code of the error as an output', async () => {
    repository.installed();
    const refused = await use({ command: 'apply', 'api-key': 'sk_ext_4c1d9f3c2ab7e8d6' });
    assert.equal(refused.code, 4, refused.log);
    assert.match(refused.log, /^::error title=INVALID_SERVICE_KEY::/m);
    assert.match(summary(), /\*\*INVALID\\_SERVICE\\_KEY\*\*/);
    const { changes, error } = refused.outputs as Record<string, string>;
    assert.deepEqual([changes, error], ['', 'INVALID_SERVICE_KEY']);

    const unset = await use({ 'base-url': '' });
    assert.equal(unset.code, 2, unset.log);
    assert.match(summary(), /PARTNER\\_BASE\\_URL is set but empty/);
  });

  it('takes an input for a value and never for a script', async () => {
    const evil = '$(touch pwned); `touch pwned`';
    repository.installed();
    const run = await use({ paths: evil, flags: `--report\njson=${evil}` });
    assert.notEqual(run.code, 0);
    assert.equal((await use({ command: `plan; touch pwned` })).code, 2);
    assert.throws(() => repository.read('pwned'), { code: 'ENOENT' });
    for (const { script } of STEPS) assert.doesNotMatch(script, /\$\{\{/);
  });
});

describe('the text of examples/ci/action.yml', () => {
  it('declares every input and output that it uses, and uses every one that it declares', () => {
    const used = new Set([...TEXT.matchAll(/\$\{\{ inputs\.([\w-]+) \}\}/g)].map(([, name]) => name));
    assert.deepEqual([...used].sort(), Object.keys(DEFAULTS).sort());
    const result = STEPS.find(({ name }) => name === 'Result')?.script ?? '';
    for (const { value = '' } of Object.values(ACTION.outputs)) {
      const [, name] = /steps\.result\.outputs\.(\w+) /.exec(value) ?? [];
      assert.match(result, new RegExp(`${name}=\\$\\{`));
    }
  });

  it('has each `run` found by these tests, each is bash, and no action that can change under its name', () => {
    assert.equal(STEPS.length, TEXT.match(/^ +run: /gm)?.length);
    assert.equal(STEPS.length, TEXT.match(/^ +shell: bash$/gm)?.length);
    for (const used of TEXT.match(/uses: .*/g) ?? [])
      assert.match(used, /^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });
});
