import assert from 'node:assert/strict';
import { COMPLETE_LISTING } from '../contract/complete-listing.ts';
import { fixture } from '../fixture.ts';
import { withCard } from './homes.ts';

const { budgets: _, ...UNCAPPED } = COMPLETE_LISTING;
const BUDGETS = [{ window: 'MONTHLY', budgetCents: 50_000 }];
const CAPPED = { ...UNCAPPED, budgets: BUDGETS };
const BID = 'bidPerQualifiedApplicantCents';

interface Report {
  readonly errors: number;
  readonly warnings: number;
  readonly findings: readonly {
    field: string;
    rule: string;
    level: string;
    message: string;
    index: number;
  }[];
}

describe('guardrails', () => {
  const home = fixture('all tests', withCard);

  async function validated(listings: readonly object[], ...flags: string[]): Promise<Report> {
    const file = await home.file('set.json', listings);
    const run = await home.run(['jobs', 'validate', file, '--json', ...flags]);
    const report = run.json() as Report;
    assert.equal(run.code, report.errors === 0 ? 0 : 3, run.stderr);
    return report;
  }

  it('--max-bid-cents and --require-budget, and their variables, make errors of them: exit 3', async () => {
    const both = await validated([CAPPED, UNCAPPED], '--max-bid-cents', '1000', '--require-budget');
    const found = both.findings.map(({ field, rule, level }) => `${level} ${rule} ${field}`);
    assert.deepEqual(found, [
      `error spend-rule ${BID}`,
      'error spend-rule budgets',
      `error spend-rule ${BID}`,
    ]);
    const file = await home.file('one.json', UNCAPPED);
    const env = { PARTNER_MAX_BID_CENTS: '1000', PARTNER_REQUIRE_BUDGET: 'true' };
    for (const command of ['validate', 'plan', 'apply', 'create']) {
      const flags = command === 'validate' ? [] : ['--publish'];
      const run = await home.run(['jobs', command, file, ...flags], { env });
      assert.equal(run.code, 3, `${command}: ${run.stdout}${run.stderr}`);
      const said = run.stdout + run.stderr;
      assert.match(said, /\$18\.00 is more than \$10\.00, the maximum set by --max-bid-cents/, command);
      assert.match(said, /no spend cap, but --require-budget/, command);
    }
    const update = await home.run('jobs update 1 --bid-cents 1001', { env });
    assert.equal(update.code, 3, update.stderr);
  });

  it('a rule that is set and empty is exit 2: a variable of the CI may be missing', async () => {
    const file = await home.file('one.json', CAPPED);
    for (const name of ['PARTNER_MAX_BID_CENTS', 'PARTNER_REQUIRE_BUDGET']) {
      const run = await home.run(['jobs', 'validate', file], { env: { [name]: '' } });
      assert.equal(run.code, 2, run.stderr);
      assert.match(run.stderr, new RegExp(name));
    }
  });

  it('plan, apply and create say on stderr what is unusual, money first, and go on', async () => {
    const odd = { ...UNCAPPED, description: '<p>Weld</p>', [BID]: 60_000 };
    await home.file('odd.json', odd);
    for (const command of ['plan', 'apply', 'create']) {
      const run = await home.run(`jobs ${command} odd.json --publish${command === 'apply' ? ' --yes' : ''}`);
      assert.equal(run.code, 0, `${command}: ${run.stderr}`);
      const warned = run.stderr.split('\n').filter((line) => line.startsWith('warning:'));
      assert.equal(warned.length, 3, run.stderr);
      assert.match(run.stderr, /a bid of \$600\.00 per applicant is unusually high/);
      assert.match(run.stderr, /no spend cap/);
      if (command !== 'create') assert.match(warned[2] ?? '', /contains HTML, <p>/);
    }
  });
});
