import assert from 'node:assert/strict';
import { fieldDigests } from '../../../src/bulk/plan/content.ts';
import { entryAfterCreate, entryAfterUnanswered, updateEntry } from '../../../src/bulk/plan/entry-after.ts';
import type { PlanItem } from '../../../src/bulk/plan/plan-item.ts';
import type { StateEntry } from '../../../src/bulk/state/state.ts';
import type { JobUpdate } from '../../../src/contract/job.ts';
import { applied, type Given, job, planned } from './given.ts';

const NURSE: JobUpdate = { title: 'Nurse', description: 'Care', salaryMin: 1, opportunityId: 'N' };
const LICENSE: JobUpdate = { qualifications: [{ text: 'License', kind: 'REQUIRED', order: 1 }] };
const OTHER: JobUpdate = { qualifications: [{ text: 'Other', kind: 'REQUIRED', order: 1 }] };

/** Returns the entry after the plan's only item, with the server's response to it. */
function remembered(file: JobUpdate, before: StateEntry, server: Given['server'], answer?: JobUpdate) {
  const { plan } = planned({ files: { 'a.json': file }, state: { 'a.json': before }, server: server ?? [] });
  const wanted = { digests: fieldDigests(file), opportunityId: file.opportunityId || undefined };
  return updateEntry(plan.items[0] as PlanItem, wanted, before, answer && job(before.job, answer));
}

describe('the state entry of a listing', () => {
  it('records a field that the server changed in a create', () => {
    const entry = entryAfterCreate(NURSE, job(5, { ...NURSE, title: 'NURSE' }));
    assert.deepEqual(entry, applied(5, NURSE, { title: 'NURSE' }));
  });

  it('records the file and the fields that the server changed in an update', () => {
    const file = { ...NURSE, title: 'Cook' };
    const entry = remembered(file, applied(1, NURSE), [job(1, NURSE)], { ...file, title: 'COOK' });
    assert.deepEqual(entry, applied(1, file, { title: 'COOK' }));
  });

  it('drops an earlier change of the server after an update', () => {
    const file = { ...NURSE, title: 'Cook' };
    const before = applied(1, NURSE, { title: 'NURSE' });
    const actual = remembered(file, before, [job(1, { ...NURSE, title: 'NURSE' })], file);
    assert.deepEqual(actual, applied(1, file));
  });

  it('does not record an edit on the server as a change by the server', () => {
    const file = { ...NURSE, salaryMin: 2 };
    const server = { ...NURSE, title: 'Head nurse' };
    const actual = remembered(file, applied(1, NURSE), [job(1, server)], { ...server, salaryMin: 2 });
    assert.deepEqual(actual, applied(1, file));
  });

  it('does not record an edit between plan and apply as applied', () => {
    const file = { ...NURSE, salaryMin: 2, description: 'Cure' };
    const standing = { ...NURSE, description: 'Cure' };
    const entry = remembered(file, applied(1, NURSE), [job(1, standing)], { ...file, description: 'Cook' });
    assert.deepEqual(entry, applied(1, { ...NURSE, salaryMin: 2 }));
  });

  it('keeps the last applied value of locked fields, so that they still count as changed', () => {
    const file = { ...NURSE, ...OTHER, salaryMin: 2 };
    const server = { ...NURSE, ...LICENSE };
    const entry = remembered(file, applied(1, server), [job(1, server, { isFrozen: true })], {
      ...server,
      salaryMin: 2,
    });
    assert.deepEqual(entry, applied(1, { ...server, salaryMin: 2 }));
  });

  it('records only the sent values that the server has after an update without a response', () => {
    const before = {
      ...applied(1, NURSE, { title: 'NURSE' }),
      sent: fieldDigests({ title: 'Cook', salaryMin: 2 }),
    };
    const server = job(1, { ...NURSE, title: 'Cook', salaryMin: 3 });
    assert.deepEqual(entryAfterUnanswered(before, server), applied(1, { ...NURSE, title: 'Cook' }));
  });

  it('stays marked as closing after a close without a response, if the job has ended', () => {
    const before = { ...applied(1, NURSE), closing: true as const };
    assert.deepEqual(entryAfterUnanswered(before, job(1, NURSE, { status: 'CLOSED' })), before);
    assert.deepEqual(entryAfterUnanswered(before, job(1, NURSE)), applied(1, NURSE));
  });
});
