import assert from 'node:assert/strict';
import { capWarnings, mergeCaps } from '../../src/cli/caps.ts';
import type { BudgetInput } from '../../src/contract/job.ts';

const DAILY: BudgetInput = { window: 'DAILY', budgetCents: 50 };
const WEEKLY: BudgetInput = { window: 'WEEKLY', budgetCents: 9000 };

describe('what is said of caps after a command', () => {
  it('warns of one below the bid, and that caps are in cents', () =>
    assert.deepEqual(capWarnings({ bidPerQualifiedApplicantCents: 4500, budgets: [DAILY, WEEKLY] }), [
      'warning: the DAILY cap of $0.50 is less than one bid ($45.00): the bundled engine hides this job, and other servers may charge one applicant per window ($45.00); caps are in cents: 5000 is $50.00',
    ]));
});

describe('the caps that a command sets', () => {
  const MORE = { window: 'DAILY', budgetCents: 75, notes: 'Q3' } satisfies BudgetInput;
  const OTHER: BudgetInput = { window: 'WEEKLY', budgetCents: 9000 };
  const STANDING: BudgetInput[] = [{ window: 'DAILY', budgetCents: 50 }, OTHER];

  it('replace those of their windows, and leave the others as they are', () => {
    assert.deepEqual(mergeCaps(STANDING, { drop: [], given: [MORE] }), [OTHER, MORE]);
    assert.deepEqual(mergeCaps(STANDING, { drop: [], given: [] }), STANDING);
    assert.deepEqual(mergeCaps([], { drop: [], given: [MORE] }), [MORE]);
  });

  it('are gone where their windows are cleared, and only those', () => {
    assert.deepEqual(mergeCaps(STANDING, { drop: ['DAILY', 'LIFETIME'], given: [] }), [OTHER]);
    assert.deepEqual(mergeCaps(STANDING, { drop: 'all', given: [MORE] }), [MORE]);
  });
});
