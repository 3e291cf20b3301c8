import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { CONTENT_FIELDS } from '../../src/contract/job.ts';
import { editDistance, nearest } from '../../src/contract/nearest.ts';
import { ANSWER_FORMATS, JOB_LEVELS, JOB_TYPES, REMOTE_OPTIONS } from '../../src/contract/values.ts';

describe('the edit distance', () => {
  const distances: readonly (readonly [string, string, number])[] = [
    ['', '', 0],
    ['title', 'title', 0],
    ['', 'abc', 3],
    ['abc', '', 3],
    ['titel', 'title', 1],
    ['titl', 'title', 1],
    ['titlee', 'title', 1],
    ['tutle', 'title', 1],
    ['ab', 'ba', 1],
    ['ca', 'abc', 3],
    ['kitten', 'sitting', 3],
  ];
  for (const [a, b, edits] of distances) {
    it(`of ${JSON.stringify(a)} and ${JSON.stringify(b)} is ${edits}`, () => {
      assert.equal(editDistance(a, b), edits);
    });
  }

  it('is the same both ways, and never more than the longer word', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 });
    fc.assert(
      fc.property(word, word, (a, b) => {
        assert.equal(editDistance(a, b), editDistance(b, a));
        assert.ok(editDistance(a, b) <= Math.max(a.length, b.length));
        assert.equal(editDistance(a, b) === 0, a === b);
      }),
    );
  });
});

describe('a mistyped word finds the one that was meant', () => {
  const fields: readonly (readonly [string, string])[] = [
    ['titel', 'title'],
    ['Title', 'title'],
    ['tilte', 'title'],
    ['desciption', 'description'],
    ['remote-option', 'remoteOption'],
    ['remote_country', 'remoteCountry'],
    ['jobtype', 'jobType'],
    ['salary_min', 'salaryMin'],
    ['bidPerQualifiedApplicant', 'bidPerQualifiedApplicantCents'],
    ['qualification', 'qualifications'],
    ['question', 'questions'],
    ['budget', 'budgets'],
    ['atsUrl', 'atsJobUrl'],
  ];
  for (const [typed, meant] of fields) {
    it(`the field ${typed} is ${meant}`, () => assert.equal(nearest(typed, CONTENT_FIELDS), meant));
  }

  const values: readonly (readonly [string, string, readonly string[]])[] = [
    ['HYBIRD', 'HYBRID', REMOTE_OPTIONS],
    ['remote', 'REMOTE', REMOTE_OPTIONS],
    ['in person', 'IN_PERSON', REMOTE_OPTIONS],
    ['inperson', 'IN_PERSON', REMOTE_OPTIONS],
    ['FULLTIME', 'FULL_TIME', JOB_TYPES],
    ['full-time', 'FULL_TIME', JOB_TYPES],
    ['Part time', 'PART_TIME', JOB_TYPES],
    ['INTERN', 'INTERNSHIP', JOB_TYPES],
    ['contractor', 'CONTRACT', JOB_TYPES],
    ['SENOIR', 'SENIOR', JOB_LEVELS],
    ['entry_level', 'ENTRY', JOB_LEVELS],
    ['single-selct', 'SINGLE_SELECT', ANSWER_FORMATS],
    ['SINGLE_CHECK', 'SINGLE_CHECKBOX', ANSWER_FORMATS],
    ['TEXT_AREA', 'TEXTAREA', ANSWER_FORMATS],
    ['number', 'NUMBER', ANSWER_FORMATS],
  ];
  for (const [typed, meant, known] of values) {
    it(`the value ${typed} is ${meant}`, () => assert.equal(nearest(typed, known), meant));
  }
});

describe('of several words that are equally near', () => {
  it('the first is found', () => {
    assert.equal(nearest('salary', CONTENT_FIELDS), 'salaryMin');
    assert.equal(nearest('cat', ['bat', 'hat']), 'bat');
  });
});

describe('a word that is near none finds none', () => {
  const strangers: readonly (readonly [string, readonly string[]])[] = [
    ['', CONTENT_FIELDS],
    ['   ', CONTENT_FIELDS],
    ['-_-', CONTENT_FIELDS],
    ['xyzzy', CONTENT_FIELDS],
    ['department', CONTENT_FIELDS],
    ['ON_SITE', REMOTE_OPTIONS],
    ['TEMPORARY', JOB_TYPES],
    ['LEAD', JOB_LEVELS],
    ['title', []],
  ];
  for (const [typed, known] of strangers) {
    it(`${JSON.stringify(typed)} of ${known.join(', ')}`, () => {
      assert.equal(nearest(typed, known), undefined);
    });
  }
});
