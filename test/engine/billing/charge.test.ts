import assert from 'node:assert/strict';
import type { BudgetInput } from '../../../src/contract/job.ts';
import type { BudgetWindow } from '../../../src/contract/values.ts';
import { type Caps, decideCharge, findFilledWindow } from '../../../src/engine/billing/charge.ts';
import { eachWindow } from '../../../src/engine/billing/windows.ts';

const cap = (window: BudgetWindow, budgetCents: number): BudgetInput => ({ window, budgetCents });
const spent = (spentCents: number) => eachWindow(() => ({ spentCents }));
const open: Caps['job'] = { budgets: [], spend: spent(1_000_000) };

describe('what an application costs', () => {
  it('is the whole bid where nothing caps it, whatever was spent', () =>
    assert.deepEqual(decideCharge(1500, { job: open, company: open }), {
      outcome: 'charged',
      amountCents: 1500,
    }));

  for (const [budgetCents, spentCents, outcome] of [
    [5000, 3500, 'charged'],
    [5000, 3501, 'skipped'],
    [1500, 0, 'charged'],
    [1499, 0, 'skipped'],
    [0, 0, 'skipped'],
    [1000, 9000, 'skipped'],
  ] as const)
    it(`is ${outcome} for a bid of 1500 where ${spentCents} of ${budgetCents} cents are spent`, () => {
      const capped = { budgets: [cap('WEEKLY', budgetCents)], spend: spent(spentCents) };
      assert.equal(decideCharge(1500, { job: capped, company: open }).outcome, outcome);
      assert.equal(decideCharge(1500, { job: open, company: capped }).outcome, outcome);
    });

  it("names the window that it did not fit into: the job's before the company's, the shortest first", () => {
    const full = (...windows: BudgetWindow[]) => ({
      budgets: windows.map((window) => cap(window, 100)),
      spend: spent(100),
    });
    const filled = (job: Caps['job'], company: Caps['job']) => findFilledWindow(1, { job, company });
    assert.deepEqual(filled(full('LIFETIME', 'WEEKLY'), full('DAILY')), { target: 'job', window: 'WEEKLY' });
    assert.deepEqual(filled(open, full('LIFETIME', 'MONTHLY')), { target: 'company', window: 'MONTHLY' });
    assert.equal(filled(open, open), undefined);
    const skipped = decideCharge(1, { job: full('MONTHLY'), company: full('DAILY') });
    const expected = { outcome: 'skipped', amountCents: 1, filled: { target: 'job', window: 'MONTHLY' } };
    assert.deepEqual(skipped, expected);
  });
});
