import assert from 'node:assert/strict';
import { fixture } from '../fixture.ts';
import { APPLICANT, withLiveJob } from './homes.ts';
import REFUSED from './refused-applicants.json' with { type: 'json' };

describe('engine apply', () => {
  const home = fixture('all tests', withLiveJob);
  before(async () => {
    await home.file('ada.json', APPLICANT);
    await home.file('cv.txt', 'Ada Byron, journeyman electrician');
    await home.file('page.pdf', '<html><script>alert(1)</script>');
    await home.must('budgets set 1 --daily-cents 3600 --replace');
  });

  const apply = (flags: string) => home.run(`engine apply 1 ${flags}`);

  it('takes a candidate from a file, and says what it cost: charged, nothing for who is not qualified, free', async () => {
    const charged = await apply('ada.json');
    const expected = /Application +1\n.*Journeyman electrician\n[\s\S]*Cost +charged \$18\.00\n$/;
    assert.match(charged.stdout, expected);
    const lacking = await apply('ada.json --email b@example.com --meets none');
    assert.match(lacking.stdout, /Qualified +no\n +Cost +not charged \(not qualified\)\n$/);
    await home.must('engine apply 1 --count 1');
    const free = await apply('ada.json --email c@example.com');
    assert.match(free.stdout, /Cost +free: the DAILY cap of the job is filled\n$/);
    const again = await apply('ada.json --json');
    assert.equal(again.code, 6);
    assert.equal((again.json() as { error: { code: string } }).error.code, 'ALREADY_APPLIED');
  });

  it('gives the application with its charge under --json, from stdin too', async () => {
    const stdin = JSON.stringify({ ...APPLICANT, email: 'd@example.com' });
    const { code, json } = await home.run('engine apply 1 - --json', { stdin, cwd: home.path });
    assert.equal(code, 0);
    const { id, receivedAt, ...received } = json() as Record<string, unknown>;
    assert.deepEqual([typeof id, typeof receivedAt], ['number', 'string']);
    assert.deepEqual(received, {
      jobId: 1,
      status: 'pending',
      isQualified: true,
      charge: { outcome: 'skipped', amountCents: 1800, filled: { target: 'job', window: 'DAILY' } },
    });
  });

  it('makes up as many as are wanted, and adds up what they came to', async () => {
    const { code, json } = await apply('--count 150 --qualified 0.7 --seed 7 --json');
    assert.equal(code, 0);
    assert.deepEqual(json(), {
      jobId: 1,
      applications: 150,
      qualified: 105,
      charged: 0,
      skipped: 105,
      chargedCents: 0,
      skippedCents: 105 * 1800,
      skippedBy: [{ target: 'job', window: 'DAILY', applications: 105 }],
      seed: 7,
    });
  });

  it('puts the charges alone on the invoice, and what was free into the report of that', async () => {
    interface Invoice {
      readonly items: readonly Record<string, number>[];
      readonly totalChargedCents: number;
      readonly totalSkippedCents: number;
    }
    const charged = await home.must<Invoice>('engine invoice');
    const free = await home.must<Invoice>('engine invoice --free');
    assert.deepEqual(Object.keys(charged), Object.keys(free));
    assert.ok(charged.totalChargedCents > 0 && free.totalSkippedCents >= 105 * 1800);
    assert.deepEqual([charged.totalSkippedCents, free.totalChargedCents], [0, 0]);
    assert.deepEqual(
      [...charged.items.map(({ skipped }) => skipped), ...free.items.map(({ charges }) => charges)],
      [0, 0],
    );
  });

  for (const [line, exit, said] of REFUSED as [string, number, string][])
    it(`refuses \`engine apply 1${line}\` with exit ${exit}`, async () => {
      const { code, stderr } = await home.run(`engine apply 1${line}`, {
        stdin: JSON.stringify({ ...APPLICANT, email: 'f@example.com' }),
      });
      assert.equal(code, exit, stderr);
      assert.match(stderr, new RegExp(said));
    });
});
