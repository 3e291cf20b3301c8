import assert from 'node:assert/strict';
import { capWarnings, removedCaps } from '../../src/actions/caps.ts';

const DAILY = { window: 'DAILY', budgetCents: 50 };
const WEEKLY = { window: 'WEEKLY', budgetCents: 9000 };

describe('what is said of caps after a command', () => {
  it('warns of one below the bid, and that caps are in cents', () => {
    assert.deepEqual(capWarnings({ bidPerQualifiedApplicantCents: 4500, budgets: [DAILY, WEEKLY] }), [
      'warning: the DAILY cap of $0.50 is less than one bid ($45.00): candidates will not see this job; caps are in cents',
    ]);
  });

  it('warns of nothing that a server answers beside the contract', () => {
    for (const budgets of [undefined, null, 'none', [null, {}, { window: 'DAILY', budgetCents: '50' }]]) {
      assert.deepEqual(capWarnings({ bidPerQualifiedApplicantCents: 4500, budgets }), []);
    }
    assert.deepEqual(capWarnings({ bidPerQualifiedApplicantCents: '4500', budgets: [DAILY] }), []);
  });

  it('names the windows that an update has removed, and no others', () => {
    assert.deepEqual(removedCaps({ budgets: [DAILY, WEEKLY] }, { budgets: [WEEKLY] }), [
      'removed: DAILY cap; `partner budgets set` keeps the others',
    ]);
    assert.match(
      removedCaps({ budgets: [WEEKLY, DAILY] }, { budgets: [] })[0] ?? '',
      /^removed: WEEKLY, DAILY caps;/,
    );
    assert.deepEqual(removedCaps({ budgets: [DAILY] }, { budgets: [DAILY, WEEKLY] }), []);
    assert.deepEqual(removedCaps(undefined, { budgets: [DAILY] }), []);
  });
});
