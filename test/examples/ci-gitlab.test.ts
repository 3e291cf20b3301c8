import assert from 'node:assert/strict';
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { EXAMPLES } from '../cli/partner.ts';
import { requirePrograms } from '../cli/shell.ts';
import { fixture } from '../fixture.ts';
import { itAtLength } from '../times.ts';
import { CiRepository, ciServer, withKey } from './ci-repository.ts';

type Job = { readonly extends?: string } & Readonly<Partial<Record<'before_script' | 'script', string[]>>>;

const TEXT = readFileSync(join(EXAMPLES, 'ci/gitlab-jobs.yml'), 'utf8');
const TAGS = { customTags: [{ tag: '!reference', collection: 'seq' as const }] };
const JOBS: Readonly<Record<string, Job>> = parse(TEXT, TAGS);

/** A job with what it extends, as GitLab runs it. */
function scriptOf(name: string): string {
  const job = JOBS[name] ?? {};
  const before = (of: Job): readonly string[] => of.before_script ?? before(JOBS[of.extends ?? ''] ?? {});
  return [...before(job), ...(job.script ?? [])].join('\n');
}

describe('examples/ci/gitlab-jobs.yml', function () {
  this.slow(8_000);

  requirePrograms('git', 'bash');
  const home = fixture('each test', withKey);
  const server = fixture('each test', () => ciServer(home));
  const repository = fixture('each test', () => CiRepository.create(home, 'welder-monterrey').installed());

  async function run(name: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
    // Stands for `npm ci`, which takes longer than all the rest.
    repository.write('tool/npm', '#!/bin/sh\n');
    chmodSync(join(repository.path, 'tool/npm'), 0o755);
    const gitlab = { CI_DEFAULT_BRANCH: 'main', PARTNER_STATE: 'git:partner-state', ...server.env, ...env };
    const { code, log } = await repository.runStep(scriptOf(name), gitlab);
    assert.equal(code, 0, `${name}: ${log}`);
    return log;
  }

  itAtLength(
    'plans a request, applies the main branch, and fails the nightly run for an edit on the server',
    async () => {
      await run('partner-validate');
      assert.match(await run('partner-plan'), /1 to create[\s\S]*Merging this makes the changes above/);
      assert.deepEqual(await server.titles(), []);
      assert.match(await run('partner-apply', { CI_PIPELINE_SOURCE: 'push' }), /1 created/);
      await run('partner-apply', { CI_PIPELINE_SOURCE: 'schedule' });
      assert.ok(repository.pushed('partner-state').includes('state.json'));
      await home.must(['jobs', 'update', '1', '--salary-max', '250000']);
      await assert.rejects(run('partner-apply', { CI_PIPELINE_SOURCE: 'schedule' }), /salaryMax/);
    },
  );

  itAtLength('imports a board every night as drafts, and pushes the listings', async () => {
    const log = await run('partner-import', { IMPORT_SOURCE: join(EXAMPLES, 'import/greenhouse.json') });
    assert.match(log, /4 created/);
    assert.ok(repository.pushed().includes('jobs/head-roaster.yaml'));
    assert.equal((await server.titles()).length, 4);
  });
});
