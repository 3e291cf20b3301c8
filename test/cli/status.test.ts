import assert from 'node:assert/strict';
import { SpecUser } from '../spec-server/commands.ts';
import { receiveApplications, withLiveJob } from './homes.ts';
import type { Home } from './partner.ts';

type Need = { readonly id: number; readonly code: string; readonly next?: string };
type Groups = Record<'drafts' | 'notLive' | 'expiring' | 'newApplicants', readonly Need[]>;
type Status = Groups & Record<'jobs' | 'applicants' | 'spentCents', Record<string, number>>;

const codesOf = ({ drafts, notLive, expiring, newApplicants }: Groups) =>
  [drafts, notLive, expiring, newApplicants].map((needs) =>
    needs.map(({ id, code }) => `${id} ${code}`).join(),
  );

describe('`partner status`', () => {
  const status = (home: Home) => home.must<Status>('status');

  it('says of the bundled engine what needs a person, with a command that exists, as time passes', async () => {
    const home = await withLiveJob();
    await home.must('budgets set 1 --daily-cents 2000 --replace');
    await home.must('engine apply 1 --count 3 --seed 7');
    const first = await status(home);
    assert.deepEqual(codesOf(first), ['2 VALIDATION_FAILED', '1 JOB_CAP_FILLED', '', '1 NEW_APPLICANTS']);
    assert.deepEqual([first.jobs.ACTIVE, first.jobs.DRAFT, first.jobs.PAUSED], [1, 1, 0]);
    assert.deepEqual([first.applicants.new, first.applicants.pending], [3, 3]);
    const listed = await home.must<{ spending: { spentCents: object }[] }>('jobs list');
    assert.deepEqual(listed.spending.at(-1)?.spentCents, first.spentCents);
    const needs = [...first.drafts, ...first.notLive, ...first.newApplicants];
    for (const { next } of needs)
      assert.equal((await home.run(`${next?.slice('partner '.length)} --help`)).code, 0, next);

    await home.must('dashboard remove-card');
    await home.must('dashboard applications list --job 1');
    await home.must('jobs repost 1');
    await home.must('engine clock advance 26d');
    assert.deepEqual(codesOf(await status(home)), [
      '3 PAYMENT_METHOD_REQUIRED,2 VALIDATION_FAILED',
      '',
      '1 EXPIRING',
      '',
    ]);
    await home.must('jobs pause 1');
    assert.deepEqual(codesOf(await status(home))[1], '1 PAUSED');
    await home.must('engine clock advance 5d');
    assert.deepEqual(codesOf(await status(home))[1], '1 EXPIRED');
    await home.must('engine clock advance 6d');
    assert.deepEqual(codesOf(await status(home))[1], '');
  });

  it('fits on one screen for a company with many drafts, and counts those that it does not show', async () => {
    const home = await withLiveJob();
    await receiveApplications(home, 2);
    for (let made = 0; made < 4; made++) await home.must('jobs create --title Welder');
    const { stdout } = await home.run('status', { env: { COLUMNS: '80' } });
    assert.match(stdout, /Drafts: 5\n(?: {2}\d .*\n){3} {2}… {2}2 more: partner jobs list --status draft\n/);
    assert.ok(stdout.split('\n').length <= 24, stdout);
  });

  it('says what a server without a list does not report, and names no command that only the engine has', async () => {
    const user = await SpecUser.of({});
    try {
      await Promise.all([user.job(true), user.job(false)]);
      const report = await user.json<Status & { company: null; complete: boolean }>(['status']);
      assert.deepEqual([report.company, report.spentCents, report.complete], [null, null, false]);
      assert.deepEqual(
        report.drafts.map(({ code }) => code),
        ['READY'],
      );
      assert.doesNotMatch(JSON.stringify(report), /partner (?:dashboard|engine)/);
      const { stdout, stderr } = await user.ends(0, ['status']);
      assert.match(
        stdout,
        /Spent +not reported.*doesn't report spending, the employer terms or the payment card/s,
      );
      assert.match(stderr, /Only jobs created from this machine are shown/);
    } finally {
      await user.server.close();
    }
  });
});
