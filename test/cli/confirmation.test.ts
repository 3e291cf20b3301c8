import assert from 'node:assert/strict';
import { COMPLETE_LISTING } from '../contract/complete-listing.ts';
import rows from './confirmation.json' with { type: 'json' };
import { prepared, withCard, withLiveJob } from './homes.ts';
import type { Home } from './partner.ts';

const BEFORE: Readonly<Record<string, () => Promise<Home>>> = {
  'a card': withCard,
  'a live job': withLiveJob,
  'a paused job': prepared(withLiveJob, (home) => home.must('jobs pause 1')),
  'a closed job': prepared(withLiveJob, (home) => home.must('jobs close 1 --yes')),
  'a cap': prepared(withLiveJob, (home) => home.must('budgets set 1 --daily-cents 5000 --replace')),
};

const ASSISTANT = { CLAUDECODE: '1' };
const jobsIn = async (home: Home) => (await home.must<{ items: unknown[] }>('jobs list')).items;

describe('what spends money or is permanent', () => {
  for (const [line = '', before = '', act = ''] of rows)
    it(`is described and not sent when an assistant runs \`partner ${line}\`, until a person agrees`, async () => {
      const home = await (BEFORE[before] as () => Promise<Home>)();
      const jobs = await jobsIn(home);
      for (const env of [ASSISTANT, { PARTNER_CONFIRM: 'always', CI: '1' }]) {
        const { code, stderr } = await home.run(line, { env });
        assert.equal(code, 2, stderr);
        assert.match(stderr, new RegExp(`confirmation is required to .*${act}.*, because`, 'i'));
        assert.match(stderr, new RegExp(`run \`partner ${line.replace(/^(\w+ \w+)/, '$1 --yes')}\``));
        assert.deepEqual(await jobsIn(home), jobs);
      }
      await home.must(`${line} --yes`, { env: ASSISTANT });
      assert.notDeepEqual(await jobsIn(home), jobs);
    });

  for (const [line = '', before = ''] of rows)
    it(`goes out unasked in a pipe, in CI and with PARTNER_CONFIRM=never, but for a close: ${line}`, async () => {
      const never = { ...ASSISTANT, PARTNER_CONFIRM: 'never' };
      for (const env of [{}, { ...ASSISTANT, CI: '1' }, never]) {
        const { code, stderr } = await (await (BEFORE[before] as () => Promise<Home>)()).run(line, { env });
        assert.equal(code, line.startsWith('jobs close') && env !== never ? 2 : 0, stderr);
      }
    });

  it('needs nobody under an assistant where nothing is spent: drafts, pauses, lower bids and caps, a saved plan', async () => {
    const home = await (BEFORE['a cap'] as () => Promise<Home>)();
    const lines = [
      'jobs update 1 --bid-cents 1',
      'budgets set 1 --daily-cents 1',
      'jobs update 2 --bid-cents 99999',
    ];
    for (const line of [...lines, 'jobs create --title Nurse', 'jobs pause 1'])
      await home.must(line, { env: ASSISTANT });
    await home.file('other.json', { ...COMPLETE_LISTING, title: 'Welder', opportunityId: 'W-1' });
    await home.must('jobs plan other.json --publish --out plan.json');
    await home.must('jobs apply --plan plan.json', { env: ASSISTANT });
  });

  it('is refused where PARTNER_CONFIRM has another value', async () => {
    const { code, stderr } = await (await withCard()).run('jobs publish 1', {
      env: { PARTNER_CONFIRM: 'yes' },
    });
    assert.equal(code, 2);
    assert.match(stderr, /PARTNER_CONFIRM must be always, never or auto, not `yes`/);
  });
});

describe('--dry-run', () => {
  it('says what a command would do, and changes nothing', async () => {
    const home = await withLiveJob();
    const before = await jobsIn(home);
    for (const [line, would] of [
      ['jobs create complete.json', /^Would create draft "/],
      ['jobs create complete.json --publish', /^Would create and publish ".*" \(\$/],
      ['jobs update 1 --title Nurse', /^Would update job 1 ".*": title .* → Nurse\n$/],
      ['jobs close 1', /^Would close job 1 ".*" \(ACTIVE\) permanently\n$/],
      ['jobs pause 1', /^Would pause job 1 ".*" \(ACTIVE\)\n$/],
      ['jobs publish 1 --ensure', /^Would not change job 1: it is ACTIVE already\n$/],
    ] as const) {
      assert.match((await home.run(`${line} --dry-run`)).stdout, would);
      const { dryRun } = await home.must<{ dryRun: boolean }>(`${line} --dry-run`);
      assert.equal(dryRun, true);
    }
    assert.deepEqual(await jobsIn(home), before);
  });

  it('fails as the command would: an incomplete draft, a status that forbids it', async () => {
    const home = await withLiveJob();
    assert.equal((await home.run('jobs publish 2 --dry-run')).code, 3);
    assert.equal((await home.run('jobs resume 1 --dry-run')).code, 6);
  });
});
