import assert from 'node:assert/strict';
import { isSomethingToDo, planSummary } from '../../../src/bulk/plan/summary.ts';
import { applied, job, planned } from './given.ts';

const NURSE = { title: 'Nurse' };
const COOK = { title: 'Cook' };

describe('the summary of a plan', () => {
  it('counts by action, what goes live, what needs nothing and what wants to be known', () => {
    const { plan } = planned({
      files: {
        'a.json': { ...NURSE, publish: true },
        'b.json': COOK,
        'c.json': COOK,
        'd.json': COOK,
      },
      state: { 'b.json': applied(2, NURSE), 'c.json': applied(3, COOK), 'd.json': applied(4, COOK) },
      server: [job(2, NURSE), job(3, COOK), job(4, NURSE)],
    });
    assert.deepEqual(planSummary(plan), {
      byAction: { create: 1, update: 1, publish: 0, close: 0, record: 0, settle: 0, held: 0 },
      publishing: 1,
      unchanged: 1,
      notices: 1,
    });
  });

  it('says that there is something to do where a listing is held, and not for a notice', () => {
    const state = { 'a.json': applied(1, NURSE) };
    const files = { 'a.json': NURSE };
    assert.equal(isSomethingToDo(planned({ files, state }).plan), true);
    assert.equal(isSomethingToDo(planned({ files, state, server: [job(1, COOK)] }).plan), false);
  });
});
