import assert from 'node:assert/strict';
import { type RealServer, realServers } from '../client/real-server.ts';
import { COMPLETE_LISTING } from '../contract/complete-listing.ts';
import { fixture } from '../fixture.ts';
import { withCard, withLiveJob } from './homes.ts';
import { newHome, type Run } from './partner.ts';
import { callsTo } from './servers.ts';

interface Refusal {
  readonly error: {
    readonly code: string;
    readonly fields: Readonly<Record<string, string>>;
    readonly hint: string;
  };
}

const GAPS = ['bidPerQualifiedApplicantCents', 'jobLevel'];
const DRAFT = { ...COMPLETE_LISTING, status: 'DRAFT', bidPerQualifiedApplicantCents: 0, jobLevel: null };
const LIVE = { ...COMPLETE_LISTING, status: 'ACTIVE' };

describe('the completeness gate before a call', () => {
  const servers = realServers('all tests');
  const home = fixture('all tests', newHome);

  async function serving(jobs: Readonly<Record<number, object>>): Promise<RealServer> {
    return servers.listen(({ method, url = '', body }, _, response) => {
      const id = Number(/\/jobs\/(\d+)/.exec(url)?.[1] ?? 9);
      const { publish = url.endsWith('/publish'), ...sent } = JSON.parse(body || '{}');
      const status = publish ? 'ACTIVE' : (jobs[id] as { status?: string })?.status;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ id, ...jobs[id], ...sent, ...(method !== 'GET' && { status }) }));
    });
  }

  const run = (server: RealServer, line: string) => home.run(`${line} --json`, { env: callsTo(server) });

  const calls = ({ requests }: RealServer): string[] => requests.map(({ method, url }) => `${method} ${url}`);

  function assertRefused({ code, json }: Run, fields: readonly string[]): void {
    const { error } = json() as Refusal;
    assert.deepEqual([code, error.code, Object.keys(error.fields).sort()], [3, 'VALIDATION_FAILED', fields]);
    assert.match(error.hint, /--no-check/);
  }

  it('names every gap of a draft, and publishes nothing', async () => {
    const server = await serving({ 7: DRAFT });
    assertRefused(await run(server, 'jobs publish 7'), GAPS);
    assert.deepEqual(calls(server), ['GET /v1/jobs/7']);
  });

  it('names every gap of a job that is reposted to go live, and creates nothing', async () => {
    const server = await serving({ 7: { ...DRAFT, status: 'CLOSED' } });
    assertRefused(await run(server, 'jobs repost 7 --publish'), GAPS);
    assert.deepEqual(calls(server), ['GET /v1/jobs/7']);
    assert.equal((await run(server, 'jobs repost 7 --publish --no-check')).code, 0);
    assert.equal((await run(server, 'jobs repost 7')).code, 0);
  });

  it('refuses an update that leaves a live job incomplete, read once', async () => {
    for (const status of ['ACTIVE', 'PAUSED']) {
      const server = await serving({ 7: { ...LIVE, status } });
      const update = 'jobs update 7 --clear jobLevel --bid-cents 0 --budget DAILY=5000 --desired French';
      assertRefused(await run(server, update), [...GAPS, 'qualifications']);
      assert.deepEqual(calls(server), ['GET /v1/jobs/7']);
    }
  });

  it('is skipped by --no-check, and no job is read for it', async () => {
    const server = await serving({ 7: DRAFT, 8: LIVE });
    assert.equal((await run(server, 'jobs publish 7 --no-check')).code, 0);
    assert.equal((await run(server, 'jobs update 8 --clear jobLevel --no-check')).code, 0);
    assert.equal((await run(server, 'jobs create --title Nurse --publish --no-check')).code, 0);
    assert.deepEqual(calls(server), ['POST /v1/jobs/7/publish', 'PATCH /v1/jobs/8', 'POST /v1/jobs']);
  });

  it('refuses what the bundled engine would refuse, which --no-check asks itself', async () => {
    const [drafts, live] = await Promise.all([withCard(), withLiveJob()]);
    for (const flags of [[], ['--no-check']]) {
      const publish = await drafts.run(['jobs', 'publish', '2', '--json', ...flags]);
      const update = await live.run(['jobs', 'update', '1', '--clear', 'salaryMin', '--json', ...flags]);
      assert.deepEqual([publish.code, update.code], [3, 3]);
      assert.deepEqual(Object.keys((update.json() as Refusal).error.fields), ['salaryMin']);
      assert.equal(Object.keys((publish.json() as Refusal).error.fields).length, 9);
    }
    const set = await drafts.file('set.json', { title: 'Day nurse', publish: true });
    const [checked, sent] = [
      await drafts.run(['jobs', 'apply', set, '--json']),
      await drafts.run(['jobs', 'apply', set, '--json', '--no-check']),
    ];
    assert.deepEqual([checked.code, sent.code], [3, 11]);
  });
});
