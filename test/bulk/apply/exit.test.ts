import assert from 'node:assert/strict';
import { untouched } from '../../../src/bulk/apply/execute.ts';
import { applyExit } from '../../../src/bulk/apply/exit.ts';
import { NOTES } from '../../../src/bulk/plan/notes.ts';
import type { PlanItem } from '../../../src/bulk/plan/plan-item.ts';

const UPDATE: PlanItem = {
  key: 'a.json',
  file: 'a.json',
  line: 1,
  action: 'update',
  jobId: 7,
  status: 'IN_REVIEW',
  publish: false,
  digest: 'digest',
  patch: { title: 'Nurse' },
  changes: [],
  notes: [],
};

/** The exit code of an apply that has updated a listing of these notes, and nothing else. */
function exitAfter(...notes: PlanItem['notes']): number {
  const outcomes = [untouched({ ...UPDATE, notes }, 'updated')];
  return applyExit({ outcomes, invalid: 0, stopped: undefined, gate: undefined });
}

describe('the exit code of an apply', () => {
  it('is 0 where all was done', () => assert.equal(exitAfter(), 0));

  it('is 9 where a listing was changed whose job may not be live as it is to be', () => {
    assert.equal(exitAfter(NOTES.STATUS_UNKNOWN(7, 'IN_REVIEW')), 9);
  });

  it('is 9 where what is frozen was left out of a change', () => {
    assert.equal(exitAfter(NOTES.FROZEN([], 7)), 9);
  });
});
