import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Mend, viewOf } from '../../../src/cli/terminal/view.ts';
import { widthOf } from '../../../src/cli/terminal/width.ts';
import { serverJob } from '../../../src/client/server-job.ts';
import { jobCard } from '../../../src/commands/jobs/job-card.ts';
import { fakeStreams } from '../../cli/terminal/fake-streams.ts';
import { EMPTY_DRAFT, LIVE_JOB, NOW } from './sample-job.ts';

const FLAGS: Readonly<Record<string, string>> = { title: '--title', qualifications: '--required' };
const mend: Mend = (field) => FLAGS[field];
const on = (columns: number, colour = false) =>
  viewOf(fakeStreams({ isTerminal: true, columns, colour }), NOW, mend);
const inPipe = viewOf(fakeStreams(), NOW, mend);

describe('the card of a job', () => {
  it('shows a live job whole', () => {
    assert.equal(
      jobCard(LIVE_JOB, on(80)),
      `Registered Nurse, Night Shift
job 12 · ACTIVE · 27 of 30 days left

  Bid          $15.00 per qualified applicant
  Work         in person · full-time · senior
  Where        Austin, Texas, United States
               Dallas, Texas, United States
  Salary       $85,000 – $105,000 a year
  Published    2025-11-18 07:09 UTC
  Expires      2025-12-18 07:09 UTC
  Applicants   3 pending · 1 accepted · 0 rejected · 2 new
  Locked       qualifications and questions, since the job has applications
  Opportunity  REQ-4711
  ATS          https://ats.example/jobs/4711
  Company      co_1

Description
  A 400-bed hospital in Austin looks for a registered nurse who likes the quiet
  of the night.

  - care for six patients at most

Qualifications
  required  Active RN license
  desired   ICU experience

Questions
  1  Which shifts can you work?
     pick one or more: Days · Nights
  2  When can you start?
     a date

Caps
  daily     $100.00 · resets every day at 00:00 UTC · Q4
  lifetime  $5,000.00 · resets never
`,
    );
  });

  it('says of a cap below the bid that it hides the job', () => {
    const budgets = [
      { window: 'WEEKLY', budgetCents: 1500 },
      { window: 'DAILY', budgetCents: 50 },
    ];
    assert.match(
      jobCard({ ...LIVE_JOB, budgets }, inPipe),
      /daily +\$0\.50 · less than one bid: candidates do not see this job · .*\n +weekly +\$15\.00 · resets/,
    );
  });

  it('wraps at the width of a narrow terminal', () => {
    const card = jobCard(LIVE_JOB, on(40));
    assert.match(
      card,
      /^ {2}Where {8}Austin, Texas, United\n {15}States\n {15}Dallas, Texas, United\n {15}States$/m,
    );
    const tooWide = card.split('\n').filter((line) => widthOf(line) > 40 && !line.includes('https://'));
    assert.deepEqual(tooWide, []);
  });

  it('keeps lines short enough to read on a very wide terminal', () => {
    const card = jobCard({ ...LIVE_JOB, description: 'word '.repeat(200) }, on(200));
    for (const line of card.split('\n')) assert.ok(widthOf(line) <= 100, line);
  });

  it('says of a draft what it still needs to go live, each gap with the flag that mends it', () => {
    assert.equal(
      jobCard({ ...EMPTY_DRAFT, remoteOption: 'REMOTE', jobType: 'CONTRACT', jobLevel: 'MID' }, on(80)),
      `Untitled
job 13 · DRAFT

  Work      remote · contract · mid level
  Where     Remote
  Spending  no caps: unlimited
  Company   co_1

Before it can go live: 8 gaps
  title                          a live listing needs a title (--title)
  description                    a live listing needs a description
  remoteCountry                  a REMOTE listing names the country where people
                                 may work
  salaryMin                      a live listing needs the lower end of the
                                 salary
  salaryMax                      a live listing needs the upper end of the
                                 salary
  salaryPeriod                   a live listing says whether the salary is
                                 ANNUAL or HOURLY
  bidPerQualifiedApplicantCents  a live listing needs a bid of more than 0 cents
  qualifications                 a live listing needs at least one qualification
                                 of kind REQUIRED (--required)
`,
    );
  });

  it('shows no job as remote that is not, and hides no country that was given', () => {
    const card = jobCard({ ...EMPTY_DRAFT, remoteOption: 'HYBRID', remoteCountry: 'Canada' }, on(80));
    assert.doesNotMatch(card, /Remote, Canada/);
    assert.match(card, /\n {2}Remote country {2}Canada\n/);
  });

  it('says of a complete draft that nothing is missing', () => {
    const card = jobCard({ ...LIVE_JOB, status: 'DRAFT', publishedAt: null, expiresAt: null }, on(80));
    assert.match(card, /\nComplete: nothing is missing to publish it\n$/);
  });

  it('names no gaps of a job that is no draft', () => {
    assert.doesNotMatch(jobCard({ ...LIVE_JOB, title: '' }, on(80)), /gap|Complete/);
  });

  it('shortens a long description on a terminal, says by how much, and is whole in a pipe', () => {
    const description = Array.from({ length: 40 }, (_, line) => `line ${line}`).join('\n');
    assert.match(jobCard({ ...LIVE_JOB, description }, on(80)), / {2}line 11\n {2}… 28 more lines\n/);
    assert.match(jobCard({ ...LIVE_JOB, description }, inPipe), / {2}line 39\n/);
  });

  it('has the same words in a pipe, in one line each and without colour', () => {
    const [piped, coloured] = [jobCard(LIVE_JOB, inPipe), jobCard(LIVE_JOB, on(80, true))];
    assert.match(coloured, /\x1b\[32mACTIVE\x1b\[39m/);
    const words = (text: string) => text.replace(/\x1b\[\d+m/g, '').split(/\s+/);
    assert.deepEqual(words(piped), words(coloured));
    assert.match(piped, /likes the quiet of the night\.\n/);
  });

  it('shows how long a listing runs in the unit that fits', () => {
    const left = (at: string) => {
      const view = { ...on(80), now: Date.parse(at) };
      return jobCard(LIVE_JOB, view).split('\n')[1];
    };
    assert.equal(left('2025-11-18T07:09:00Z'), 'job 12 · ACTIVE · 30 of 30 days left');
    assert.equal(left('2025-11-08T07:09:00Z'), 'job 12 · ACTIVE · 40 days left');
    assert.equal(left('2025-12-17T09:09:00Z'), 'job 12 · ACTIVE · 22 hours left');
    assert.equal(left('2025-12-18T07:08:30Z'), 'job 12 · ACTIVE · less than a minute left');
    assert.equal(left('2025-12-18T09:09:00Z'), 'job 12 · ACTIVE · ran out 2 hours ago');
  });

  it('says of a live job that nobody has applied yet, and of a closed one no end that was not its own', () => {
    const nobody = { ...LIVE_JOB, applicationCounts: { pending: 0, accepted: 0, rejected: 0 } };
    assert.match(jobCard(nobody, on(80)), /^ {2}Applicants {3}none yet$/m);
    assert.doesNotMatch(jobCard({ ...nobody, status: 'DRAFT' }, on(80)), /Applicants/);
    assert.doesNotMatch(jobCard({ ...LIVE_JOB, status: 'CLOSED' }, on(80)), /Expires/);
  });

  it('breaks a long title between its words', () => {
    const title = 'Registered Nurse for the Intensive Care Unit, Nights and Weekends';
    const lines = jobCard({ ...LIVE_JOB, title }, on(40)).split('\n');
    assert.equal(lines[0], 'Registered Nurse for the Intensive Care');
    assert.equal(jobCard({ ...LIVE_JOB, title }, inPipe).split('\n')[0], title);
  });

  it('claims no 30 days where a server has another length', () => {
    const job = { ...LIVE_JOB, expiresAt: '2026-02-18T07:09:00.000Z' };
    assert.match(jobCard(job, on(80)), /^job 12 · ACTIVE · 89 days left$/m);
  });

  it('keeps and shows what a server answers beyond the contract', () => {
    const card = jobCard(
      serverJob({ ...LIVE_JOB, status: 'ARCHIVED', jobType: 'GIG', region: { code: 'tx' }, tags: ['a'] }),
      on(80),
    );
    assert.match(card, /^job 12 · ARCHIVED$/m);
    assert.match(card, /in person · GIG · senior/);
    assert.match(
      card,
      /\nAlso answered by the server\n {2}region {2}\{"code":"tx"\}\n {2}tags {4}\["a"\]\n$/,
    );
  });

  it('gives a card of whatever a server answers', () => {
    const anything = fc.anything({ withNullPrototype: true, withBigInt: false });
    const broken = fc.record(Object.fromEntries(Object.keys(LIVE_JOB).map((field) => [field, anything])), {
      requiredKeys: [],
    });
    fc.assert(
      fc.property(broken, fc.constantFrom('DRAFT', 'ACTIVE', 7), (fields, status) => {
        const job = JSON.parse(JSON.stringify({ ...fields, id: 1, status }));
        assert.match(jobCard(serverJob(job), on(80)), /\njob 1/);
      }),
    );
  });
});
