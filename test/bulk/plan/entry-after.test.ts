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

/** The entry after the one item that the plan has, with what the server answers to it. */
function remembered(file: JobUpdate, before: StateEntry, server: Given['server'], answer?: JobUpdate) {
  const { plan } = planned({ files: { 'a.json': file }, state: { 'a.json': before }, server: server ?? [] });
  const wanted = { digests: fieldDigests(file), opportunityId: file.opportunityId || undefined };
  return updateEntry(plan.items[0] as PlanItem, wanted, before, answer && job(before.job, answer));
}

describe('what is remembered of a listing', () => {
  it('after its create is also what the server made of a field', () => {
    const entry = entryAfterCreate(NURSE, job(5, { ...NURSE, title: 'NURSE' }));
    assert.deepEqual(entry, applied(5, NURSE, { title: 'NURSE' }));
  });

  it('after an update is the file, and what the server made of the fields that were sent', () => {
    const file = { ...NURSE, title: 'Cook' };
    const entry = remembered(file, applied(1, NURSE), [job(1, NURSE)], { ...file, title: 'COOK' });
    assert.deepEqual(entry, applied(1, file, { title: 'COOK' }));
  });

  it('after an update no longer has what the server made of the field before', () => {
    const file = { ...NURSE, title: 'Cook' };
    const before = applied(1, NURSE, { title: 'NURSE' });
    const actual = remembered(file, before, [job(1, { ...NURSE, title: 'NURSE' })], file);
    assert.deepEqual(actual, applied(1, file));
  });

  it('does not take an edit on the server for what it made of the file', () => {
    const file = { ...NURSE, salaryMin: 2 };
    const server = { ...NURSE, title: 'Head nurse' };
    const actual = remembered(file, applied(1, NURSE), [job(1, server)], { ...server, salaryMin: 2 });
    assert.deepEqual(actual, applied(1, file));
  });

  it("does not take an edit that came between plan and apply for the file's", () => {
    const file = { ...NURSE, salaryMin: 2, description: 'Cure' };
    const standing = { ...NURSE, description: 'Cure' };
    const entry = remembered(file, applied(1, NURSE), [job(1, standing)], { ...file, description: 'Cook' });
    assert.deepEqual(entry, applied(1, { ...NURSE, salaryMin: 2 }));
  });

  it('keeps locked fields as they were applied, so that they are still to be changed', () => {
    const file = { ...NURSE, ...OTHER, salaryMin: 2 };
    const server = { ...NURSE, ...LICENSE };
    const entry = remembered(file, applied(1, server), [job(1, server, { isFrozen: true })], {
      ...server,
      salaryMin: 2,
    });
    assert.deepEqual(entry, applied(1, { ...server, salaryMin: 2 }));
  });

  it('after an update that was never answered is what the server has of it, and nothing that others wrote', () => {
    const before = {
      ...applied(1, NURSE, { title: 'NURSE' }),
      sent: fieldDigests({ title: 'Cook', salaryMin: 2 }),
    };
    const server = job(1, { ...NURSE, title: 'Cook', salaryMin: 3 });
    assert.deepEqual(entryAfterUnanswered(before, server), applied(1, { ...NURSE, title: 'Cook' }));
  });

  it('after a close that was never answered is being closed for as long as its job is over', () => {
    const before = { ...applied(1, NURSE), closing: true as const };
    assert.deepEqual(entryAfterUnanswered(before, job(1, NURSE, { status: 'CLOSED' })), before);
    assert.deepEqual(entryAfterUnanswered(before, job(1, NURSE)), applied(1, NURSE));
  });
});
