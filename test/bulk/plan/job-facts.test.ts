import assert from 'node:assert/strict';
import { jobDigests } from '../../../src/bulk/plan/content.ts';
import { isAsApplied } from '../../../src/bulk/plan/fields.ts';
import { needsContent } from '../../../src/bulk/plan/job-facts.ts';
import type { JobUpdate } from '../../../src/contract/job.ts';
import { applied, job, NO_OPTIONS, wantedOf } from './given.ts';

const NURSE: JobUpdate = { title: 'Nurse' };
const ENTRY = applied(1, NURSE);

/** Whether a listing that was applied as NURSE is to be compared field by field. */
function isCompared(file: JobUpdate, status: string, wasEdited: boolean, options = NO_OPTIONS): boolean {
  const [wanted] = wantedOf({ 'a.json': file }).wanted;
  assert.ok(wanted);
  const facts = { id: 1, status, isFrozen: false, isAsApplied: !wasEdited };
  return needsContent({ key: 'a.json', wanted, entry: ENTRY }, facts, options);
}

describe('a listing is compared field by field', () => {
  it('where its file or its job has changed, and no other', () => {
    assert.equal(isCompared(NURSE, 'ACTIVE', false), false);
    assert.equal(isCompared(NURSE, 'ACTIVE', true), true);
    assert.equal(isCompared({ title: 'Cook' }, 'ACTIVE', false), true);
  });

  it('where its job is closed or expired only if its file has changed', () => {
    for (const status of ['CLOSED', 'EXPIRED']) {
      assert.equal(isCompared(NURSE, status, true), false);
      assert.equal(isCompared({ title: 'Cook' }, status, false), true);
    }
  });

  it('never where a new job is made of it', () => {
    const options = { ...NO_OPTIONS, repost: true };
    assert.equal(isCompared({ title: 'Cook' }, 'EXPIRED', true, options), false);
    const [wanted] = wantedOf({ 'a.json': NURSE }).wanted;
    assert.ok(wanted);
    assert.equal(needsContent({ key: 'a.json', wanted, entry: undefined }, undefined, options), false);
    assert.equal(needsContent({ key: 'a.json', wanted, entry: ENTRY }, 'gone', options), false);
  });
});

describe('a job is as it was applied', () => {
  it('whatever it has in fields that its listing does not give', () => {
    assert.equal(isAsApplied(ENTRY, jobDigests(job(1, { ...NURSE, salaryMin: 1 }))), true);
    assert.equal(isAsApplied(ENTRY, jobDigests(job(1, { title: 'Cook' }))), false);
  });

  it('where it has what the server made of the listing, and not where it has the listing itself', () => {
    const entry = applied(1, NURSE, { title: 'NURSE' });
    assert.equal(isAsApplied(entry, jobDigests(job(1, { title: 'NURSE' }))), true);
    assert.equal(isAsApplied(entry, jobDigests(job(1, NURSE))), false);
  });

  it('where the server leaves out what the listing gives', () => {
    assert.equal(isAsApplied(ENTRY, jobDigests({ id: 1 })), true);
  });
});
