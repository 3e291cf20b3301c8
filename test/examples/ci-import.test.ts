import assert from 'node:assert/strict';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXAMPLES } from '../cli/partner.ts';
import { requirePrograms } from '../cli/shell.ts';
import { fixture } from '../fixture.ts';
import { itAtLength } from '../times.ts';
import { CiRepository, type CiServer, ciServer, type Ended, withKey } from './ci-repository.ts';
import { scriptSteps, workflowEnv } from './workflow-steps.ts';

const TEXT = readFileSync(join(EXAMPLES, 'ci', 'import.yml'), 'utf8');
const [STEPS, WORKFLOW_ENV] = [scriptSteps(TEXT), workflowEnv(TEXT)];

describe('examples/ci/import.yml', function () {
  this.slow(5_000);
  let server: CiServer | undefined;

  requirePrograms('git', 'bash');
  const home = fixture('each test', withKey);
  const repository = fixture('each test', () => CiRepository.create(home).installed());
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });

  function run(name: string): Promise<Ended> {
    const step = STEPS.find((each) => each.name === name);
    assert.ok(step !== undefined, name);
    return repository.runStep(step.script, {
      GITHUB_STEP_SUMMARY: join(home.path, 'summary.md'),
      GITHUB_REF_NAME: 'main',
      GITHUB_RUN_ID: '1',
      IMPORT_SOURCE: join(home.path, 'board.json'),
      ...WORKFLOW_ENV,
      ...server?.env,
    });
  }

  async function must(...names: string[]): Promise<string> {
    let log = '';
    for (const name of names) {
      const ended = await run(name);
      assert.equal(ended.code, 0, `${name}: ${ended.log}`);
      log += ended.log;
    }
    return log;
  }

  async function board(...titles: string[]): Promise<void> {
    const jobs = titles.map((title) => ({
      id: title.length,
      title,
      content: '&lt;p&gt;Care.&lt;/p&gt;',
      absolute_url: `https://boards.greenhouse.io/clinic/jobs/${title.length}`,
      location: { name: 'Austin, TX' },
    }));
    await home.file('board.json', { jobs, meta: { total: jobs.length } });
  }

  itAtLength(
    'makes drafts of new postings, brings changes to the server, and keeps files and states',
    async () => {
      server = await ciServer(home);
      await board('Nurse', 'Head cook');
      assert.match(await must('Import', 'Apply', 'Keep'), /^\+title: Nurse$/m);
      assert.deepEqual(await server.titles(), ['Head cook', 'Nurse']);
      for (const file of ['nurse.yaml', '.partner/import.json'])
        assert.ok(repository.pushed().includes(`jobs/${file}`), file);
      assert.deepEqual(repository.pushed('partner-state'), ['state.json', 'state.last-run.json']);
      const head = repository.head();
      await must('Import', 'Keep');
      assert.equal(repository.head(), head, 'nothing changed, nothing is committed');
      await board('Medic');
      await must('Import', 'Apply', 'Keep');
      assert.ok(!repository.pushed().includes('jobs/head-cook.yaml'));
      assert.match(repository.read('jobs/nurse.yaml'), /^title: Medic$/m);
      assert.ok((await server.titles()).includes('Medic'));
    },
  );

  itAtLength('proposes a pull request where somebody is to look first, and one only', async () => {
    const gh = join(repository.path, 'tool/gh');
    writeFileSync(
      gh,
      '#!/bin/sh\necho "gh $*" >> "$HOME/gh.log"\n[ "$2" = list ] && cat "$HOME/open" 2>/dev/null\nexit 0\n',
    );
    chmodSync(gh, 0o755);
    await board('Nurse');
    await must('Import', 'Propose');
    const calls = () => readFileSync(join(home.path, 'gh.log'), 'utf8').match(/^gh pr create/gm)?.length;
    assert.equal(calls(), 1);
    await home.file('open', '1\n');
    await board('Nurse', 'Head cook');
    await must('Import', 'Propose');
    assert.equal(calls(), 1);
    assert.ok(!repository.pushed().includes('jobs/nurse.yaml'), 'the main branch stays as it is');
  });

  it('stops where the source cannot be read, and changes nothing', async () => {
    await home.file('board.json', '<p>Maintenance</p>');
    const { code, log } = await run('Import');
    assert.equal(code, 3, log);
    const pushedJobs = repository.pushed().filter((name) => name.startsWith('jobs/'));
    assert.deepEqual(pushedJobs, []);
  });
});
