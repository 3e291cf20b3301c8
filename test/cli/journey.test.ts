import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Job, JobInput } from '../../src/contract/job.ts';
import { LISTING_MS } from '../../src/contract/values.ts';
import { type CommandLine, EXAMPLES, type Home, newHome } from './partner.ts';
import type { Refused } from './refusal.ts';
import { type ServedEngine, serveEngine } from './servers.ts';

const ELECTRICIAN = join(EXAMPLES, 'jobs/electrician-austin.json');

class Recruiter {
  live: Job | undefined;

  constructor(
    readonly home: Home,
    readonly env: Readonly<Record<string, string>>,
  ) {}

  done<T = Job>(line: CommandLine): Promise<T> {
    return this.home.must<T>(line, { env: this.env });
  }

  async refused(exit: number, line: string): Promise<Refused> {
    const run = await this.home.run(`${line} --json`, { env: this.env });
    assert.equal(run.code, exit, run.stdout + run.stderr);
    return (run.json() as { error: Refused }).error;
  }
}

describe("a recruiter's way from a file to a live listing and on, in this process and over HTTP", () => {
  let recruiters: readonly Recruiter[];
  let server: ServedEngine;

  before(async () => {
    const [here, served] = [await newHome(), await newHome()];
    server = await serveEngine(served);
    recruiters = [new Recruiter(here, {}), new Recruiter(served, server.env)];
  });
  after(() => server.stop());

  const itCan = (what: string, work: (recruiter: Recruiter) => Promise<void>): void => {
    it(what, () => Promise.all(recruiters.map(work)).then(() => {}));
  };

  itCan('checks the file, and creates a draft with its place resolved', async (recruiter) => {
    const report = await recruiter.done<{ errors: number }>(`jobs validate ${ELECTRICIAN}`);
    assert.equal(report.errors, 0);
    const job = await recruiter.done(`jobs create ${ELECTRICIAN}`);
    assert.deepEqual([job.id, job.status, job.publishedAt], [1, 'DRAFT', null]);
    const places = job.locations.map(({ locationId, displayName }) => [locationId, displayName]);
    assert.deepEqual(places, [[4671654, 'Austin, Texas, United States']]);
    assert.deepEqual(await recruiter.done('jobs get 1'), job);
  });

  itCan('is refused publishing until the terms are accepted and a card is on file', async (recruiter) => {
    assert.equal((await recruiter.refused(5, 'jobs publish 1')).code, 'AGREEMENT_OUTDATED');
    const atOnce = await recruiter.refused(5, `jobs create ${ELECTRICIAN} --publish`);
    assert.equal(atOnce.code, 'AGREEMENT_OUTDATED');
    await recruiter.done('dashboard accept-terms --local');
    assert.equal((await recruiter.refused(5, 'jobs publish 1')).code, 'PAYMENT_METHOD_REQUIRED');
    await recruiter.done('dashboard add-card --local');
    assert.equal((await recruiter.done('jobs get 1')).status, 'DRAFT');
    assert.equal(recruiter.home.storedJobs(), 1, 'create and publish at once left nothing behind');
  });

  itCan('publishes for 30 days', async (recruiter) => {
    const live = await recruiter.done('jobs publish 1');
    assert.equal(live.status, 'ACTIVE');
    assert.equal(Date.parse(live.expiresAt ?? '') - Date.parse(live.publishedAt ?? ''), LISTING_MS);
    assert.equal((await recruiter.refused(6, 'jobs publish 1')).code, 'INVALID_TRANSITION');
    assert.deepEqual(await recruiter.done('jobs publish 1 --ensure'), live);
    recruiter.live = live;
  });

  itCan('edits the live listing: what is given changes, and nothing else', async (recruiter) => {
    const update = ['jobs', 'update', '1', '--title', 'Master electrician', '--bid-cents', '2000'];
    const edited = await recruiter.done(update);
    const changes = { title: 'Master electrician', bidPerQualifiedApplicantCents: 2000 };
    assert.deepEqual(edited, { ...recruiter.live, ...changes });
    recruiter.live = edited;
  });

  itCan('pauses and resumes: the 30 days run on', async (recruiter) => {
    assert.equal((await recruiter.done('jobs pause 1')).status, 'PAUSED');
    assert.match((await recruiter.refused(6, 'jobs pause 1')).message, /PAUSED/);
    assert.equal((await recruiter.done('jobs pause 1 --ensure')).status, 'PAUSED');
    assert.deepEqual(await recruiter.done('jobs resume 1'), recruiter.live);
  });

  itCan('sets, reads and clears spend caps, each by its window', async (recruiter) => {
    type Caps = { items: { window: string; budgetCents: number }[] };
    const caps = async (line: string): Promise<string[]> => {
      const { items } = await recruiter.done<Caps>(`budgets ${line}`);
      return items.map(({ window, budgetCents }) => `${window} ${budgetCents}`).sort();
    };
    assert.deepEqual(await caps('get 1'), ['WEEKLY 36000']);
    const three = ['DAILY 5000', 'MONTHLY 90000', 'WEEKLY 36000'];
    assert.deepEqual(await caps('set 1 --daily-cents 5000 --monthly-cents 90000'), three);
    assert.deepEqual(await caps('clear 1 --window WEEKLY'), ['DAILY 5000', 'MONTHLY 90000']);
    assert.deepEqual(await caps('set 1 --lifetime-cents 0 --replace'), ['LIFETIME 0']);
    assert.deepEqual(await caps('clear 1'), []);
  });

  itCan('exports a job file that validates, and makes the same listing again', async (recruiter) => {
    const exported = await recruiter.done<JobInput>('jobs export 1');
    const file = await recruiter.home.file('exported.json', exported);
    assert.equal((await recruiter.done<{ errors: number }>(`jobs validate ${file}`)).errors, 0);
    const again = await recruiter.done(`jobs create ${file}`);
    assert.deepEqual([again.id, again.status], [2, 'DRAFT']);
    assert.deepEqual(await recruiter.done('jobs export 2'), exported);
  });

  itCan('closes for good, and reposts the content as a new job', async (recruiter) => {
    const closed = await recruiter.done('jobs close 1 --yes');
    assert.equal(closed.status, 'CLOSED');
    assert.ok(closed.closedAt);
    for (const line of ['jobs update 1 --title X', 'jobs resume 1', 'jobs close 1 --yes'])
      assert.equal((await recruiter.refused(6, line)).code, 'INVALID_TRANSITION', line);
    const reposted = await recruiter.done('jobs repost 1 --publish');
    assert.deepEqual([reposted.id, reposted.status], [3, 'ACTIVE']);
    const [first, third] = [recruiter.done('jobs export 1'), recruiter.done('jobs export 3')];
    assert.deepEqual(await third, await first);
  });

  itCan('sees all of it in the list, newest first, and by state', async (recruiter) => {
    const listed = async (flags = ''): Promise<string[]> => {
      const { items } = await recruiter.done<{ items: Job[] }>(`jobs list${flags}`);
      return items.map(({ id, status }) => `${id} ${status}`);
    };
    assert.deepEqual(await listed(), ['3 ACTIVE', '2 DRAFT', '1 CLOSED']);
    assert.deepEqual(await listed(' --status closed'), ['1 CLOSED']);
    assert.deepEqual(await listed(' --limit 2'), ['3 ACTIVE', '2 DRAFT']);
  });
});
