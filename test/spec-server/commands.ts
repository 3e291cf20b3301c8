import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Home, newHome, type Run, type RunOptions } from '../cli/partner.ts';
import LISTING from './listing.json' with { type: 'json' };
import { KEY, type SpecServer, startSpecServer, type Variation } from './server.ts';

/** Messages that would be wrong here: the key is valid, the jobs exist, and there's no bug. */
const WRONG =
  /a bug in partner|refuses this key|key is missing, invalid or revoked|job not found|auth login/i;

export class SpecUser {
  constructor(
    readonly server: SpecServer,
    readonly home: Home,
    readonly variation: Variation,
  ) {}

  static async of(variation: Variation): Promise<SpecUser> {
    const [server, home] = await Promise.all([startSpecServer(variation), newHome()]);
    return new SpecUser(server, home, variation);
  }

  run(argv: readonly string[], { env, ...options }: RunOptions = {}): Promise<Run> {
    const { url } = this.server;
    return this.home.run(argv, { ...options, env: { PARTNER_BASE_URL: url, PARTNER_API_KEY: KEY, ...env } });
  }

  /** The run must also print none of the WRONG messages. */
  async ends(exit: number, argv: readonly string[], options: RunOptions = {}): Promise<Run> {
    const run = await this.run(argv, options);
    const told = `partner ${argv.join(' ')}: exit ${run.code}\n${run.stdout}${run.stderr}`;
    assert.equal(run.code, exit, told);
    assert.doesNotMatch(run.stdout + run.stderr, WRONG, told);
    return run;
  }

  async json<T>(argv: readonly string[], options: RunOptions = {}): Promise<T> {
    return (await this.ends(0, [...argv, '--json'], options)).json() as T;
  }

  async job(isLive: boolean): Promise<string> {
    const file = await this.home.file('listing.json', LISTING);
    const flags = isLive ? ['--publish'] : [];
    return String((await this.json<{ id: number }>(['jobs', 'create', file, ...flags])).id);
  }

  /** Checks the number of jobs that `work` creates. */
  async makes(count: number, work: () => Promise<unknown>): Promise<void> {
    const before = this.server.jobs.length;
    await work();
    assert.equal(this.server.jobs.length - before, count, 'jobs made');
  }
}

/** Fails if the command breaks what the specification allows in its column. */
type Command = (user: SpecUser) => Promise<unknown>;

/** Servers don't have to offer pause and resume, and one that returns 500 may still support them. */
async function optional(user: SpecUser, verb: 'pause' | 'resume', id: string): Promise<void> {
  const { offersPause, unknownRoute } = user.variation;
  if (offersPause) return void (await user.ends(0, ['jobs', verb, id]));
  const { stderr } = await user.ends(1, ['jobs', verb, id]);
  if (unknownRoute?.status !== 500)
    assert.match(stderr, new RegExp(`doesn't support ${verb.replace(/e$/, '')}ing jobs`));
}

export const COMMANDS: Readonly<Record<string, Command>> = {
  'jobs create': (user) => user.makes(1, () => user.job(false)),
  'jobs create --publish': (user) =>
    user.makes(1, async () => {
      const id = await user.job(true);
      assert.equal(user.server.jobs.find((job) => String(job.id) === id)?.status, 'ACTIVE');
    }),
  'jobs publish': async (user) => user.ends(0, ['jobs', 'publish', await user.job(false)]),
  'jobs publish (again)': async (user) => {
    const id = await user.job(true);
    await user.ends(6, ['jobs', 'publish', id]);
    await user.ends(0, ['jobs', 'publish', id, '--ensure']);
  },
  'jobs publish (terms, card)': async (user) => {
    const id = await user.job(false);
    const { dashboard } = user.server;
    dashboard.hasTerms = false;
    await user.ends(5, ['jobs', 'publish', id]);
    dashboard.hasTerms = true;
    dashboard.hasCard = false;
    await user.makes(0, async () => {
      await user.ends(5, ['jobs', 'publish', id]);
      await user.ends(5, ['jobs', 'create', 'listing.json', '--publish']);
    });
    dashboard.hasCard = true;
    await user.ends(0, ['jobs', 'publish', id]);
  },
  'jobs update': async (user) => {
    const job = await user.json<{ title: string }>([
      'jobs',
      'update',
      await user.job(true),
      '--title',
      'Day nurse',
    ]);
    assert.equal(job.title, 'Day nurse');
  },
  'jobs get': async (user) => {
    const { stdout } = await user.ends(0, ['jobs', 'get', await user.job(true)]);
    assert.match(stdout, /Night nurse\n.*ACTIVE.* left/);
  },
  'jobs get (unknown)': async (user) => {
    const run = await user.run(['jobs', 'get', String(user.server.foreignJob())]);
    assert.equal(run.code, 7, run.stderr);
  },
  'jobs list': async (user) => {
    const id = await user.job(false);
    const { stdout, stderr } = await user.ends(0, ['jobs', 'list']);
    assert.match(stdout, new RegExp(`^${id}\\b`, 'm'));
    assert.match(stderr, /the server didn't list its jobs/);
  },
  'jobs pause': async (user) => optional(user, 'pause', await user.job(true)),
  'jobs pause (unknown)': async (user) => {
    const run = await user.run(['jobs', 'pause', String(user.server.foreignJob())]);
    assert.equal(run.code, user.variation.unknownRoute?.status === 500 ? 1 : 7, run.stderr);
  },
  'jobs resume': async (user) => {
    const id = await user.job(true);
    const job = user.server.jobs.find((each) => String(each.id) === id);
    assert.ok(job !== undefined);
    job.status = 'PAUSED';
    await optional(user, 'resume', id);
    assert.equal(job.status, user.variation.offersPause ? 'ACTIVE' : 'PAUSED');
  },
  'jobs close': async (user) => {
    const id = await user.job(true);
    await user.ends(0, ['jobs', 'close', id, '--yes']);
    await user.ends(6, ['jobs', 'close', id, '--yes']);
  },
  'jobs repost': async (user) => {
    const id = await user.job(true);
    await user.makes(1, () => user.ends(0, ['jobs', 'repost', id, '--publish']));
  },
  'jobs validate': async (user) => {
    const file = await user.home.file('named.json', { ...LISTING, locations: ['Boston'] });
    await user.ends(0, ['jobs', 'validate', file]);
  },
  'jobs plan': async (user) =>
    user.ends(0, ['jobs', 'plan', await listings(user, 3), '--state', 'planned.state']),
  'jobs apply': (user) => appliedThrice(user, 20),
  'locations search': async (user) => {
    const { items } = await user.json<{ items: { locationId: number }[] }>(['locations', 'search', 'Boston']);
    const locationIds = items.map(({ locationId }) => locationId);
    assert.deepEqual(locationIds, [102]);
  },
  'budgets set': async (user) => {
    const id = await user.job(false);
    const { items } = await user.json<{ items: unknown[] }>(['budgets', 'set', id, '--weekly-cents', '9000']);
    assert.equal(items.length, 2);
  },
  'budgets clear': async (user) =>
    user.ends(0, ['budgets', 'clear', await user.job(false), '--window', 'DAILY']),
  doctor: (user) => user.ends(0, ['doctor']),
  'doctor --remote --write': async (user) => {
    // Not `ends`, because this output includes the status of each response.
    const { code, stdout, stderr } = await user.run(['doctor', '--remote', '--write']);
    const { status = 0, type } = user.variation.unknownRoute ?? {};
    const isNoAnswer = status === 500 || (status === 200 && type === 'text/html');
    assert.equal(code, isNoAnswer ? 1 : 0, stdout + stderr);
  },
  'auth login': loggedIn,
  'a profile': async (user) => {
    await loggedIn(user);
    const before = user.server.calls.length;
    for (const verb of ['plan', 'plan']) {
      const argv = ['jobs', verb, await listings(user, 9), '--state', 'profile.state', '--profile', 'spec'];
      const { code, stderr } = await user.home.run(argv);
      assert.equal(code, 0, stderr);
    }
    const asked = user.server.calls.slice(before).filter((call) => call === 'GET /v1/jobs');
    // One refusal proves nothing, so each run asks again without `limit`, and retries if the server fails.
    const { status = 404 } = user.variation.unknownRoute ?? {};
    const most = status < 400 || status === 500 ? 10 : 4;
    assert.ok(asked.length <= most, `the list was asked for ${asked.length} times`);
  },
  'a revoked key': async (user) => {
    const file = await listings(user, 9);
    const options = { env: { PARTNER_API_KEY: 'sk_ext_revoked_000000001' } };
    for (const argv of [
      ['jobs', 'list'],
      ['jobs', 'pause', '1'],
      ['jobs', 'apply', file, '--state', 'revoked.state'],
    ]) {
      const run = await user.run(argv, options);
      assert.equal(run.code, 4, `partner ${argv.join(' ')}: ${run.stderr}`);
    }
  },
};

async function loggedIn({ home, server }: SpecUser): Promise<void> {
  const argv = ['auth', 'login', 'spec', '--base-url', server.url, '--with-key', '--no-switch'];
  const run = await home.run(argv, { stdin: KEY });
  assert.equal(run.code, 0, run.stderr);
}

async function listings(user: SpecUser, count: number): Promise<string> {
  const all = Array.from({ length: count }, (_, index) => ({
    ...LISTING,
    title: `Nurse ${index}`,
    opportunityId: `of-${count}-${index}`,
    publish: index % 2 === 0,
  }));
  return user.home.file(`set-${count}.json`, all);
}

/** Applies twice, then again without the state. Each job is created once, and `--rebuild` matches it. */
async function appliedThrice(user: SpecUser, count: number): Promise<void> {
  const state = join(user.home.path, 'applied.state.json');
  const argv = ['jobs', 'apply', await listings(user, count), '--state', state];
  await user.makes(count, () => user.ends(0, argv));
  await user.makes(0, () => user.ends(0, argv));
  await rm(state);
  await user.makes(0, async () => {
    const run = await user.run([...argv, '--json']);
    assert.equal(run.code, 6, run.stdout + run.stderr);
    assert.match(run.stdout, /JOBS_ALREADY_THERE/);
  });
  await user.makes(0, () => user.ends(0, [...argv, '--rebuild']));
  await user.makes(0, async () => {
    const { stdout } = await user.ends(0, [...argv.with(1, 'plan')]);
    assert.doesNotMatch(stdout, /create/);
  });
}
