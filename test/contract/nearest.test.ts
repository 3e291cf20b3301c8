import assert from 'node:assert/strict';
import { CONTENT_FIELDS } from '../../src/contract/job.ts';
import { nearest } from '../../src/contract/nearest.ts';
import { ANSWER_FORMATS, JOB_LEVELS, JOB_TYPES, REMOTE_OPTIONS } from '../../src/contract/values.ts';

describe('a mistyped word', () => {
  for (const [typed, meant, known] of [
    ['titel', 'title', CONTENT_FIELDS],
    ['Title', 'title', CONTENT_FIELDS],
    ['tilte', 'title', CONTENT_FIELDS],
    ['desciption', 'description', CONTENT_FIELDS],
    ['remote-option', 'remoteOption', CONTENT_FIELDS],
    ['remote_country', 'remoteCountry', CONTENT_FIELDS],
    ['bidPerQualifiedApplicant', 'bidPerQualifiedApplicantCents', CONTENT_FIELDS],
    ['qualification', 'qualifications', CONTENT_FIELDS],
    ['atsUrl', 'atsJobUrl', CONTENT_FIELDS],
    ['HYBIRD', 'HYBRID', REMOTE_OPTIONS],
    ['in person', 'IN_PERSON', REMOTE_OPTIONS],
    ['inperson', 'IN_PERSON', REMOTE_OPTIONS],
    ['contractor', 'CONTRACT', JOB_TYPES],
    ['entry_level', 'ENTRY', JOB_LEVELS],
    ['SINGLE_CHECK', 'SINGLE_CHECKBOX', ANSWER_FORMATS],
    // Of several that are equally near, the first.
    ['salary', 'salaryMin', CONTENT_FIELDS],
  ] as const) {
    it(`${typed} finds ${meant}`, () => assert.equal(nearest(typed, known), meant));
  }

  it('that is near none finds none', () => {
    for (const typed of ['', '   ', '-_-', 'xyzzy', 'department']) {
      assert.equal(nearest(typed, CONTENT_FIELDS), undefined, typed);
    }
    for (const [typed, known] of [
      ['ON_SITE', REMOTE_OPTIONS],
      ['TEMPORARY', JOB_TYPES],
      ['LEAD', JOB_LEVELS],
      ['title', []],
    ] as const) {
      assert.equal(nearest(typed, known), undefined, typed);
    }
  });
});
