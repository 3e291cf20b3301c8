import assert from 'node:assert/strict';
import { PartnerError } from '../../../src/contract/errors.ts';
import { CONTENT_FIELDS } from '../../../src/contract/job.ts';
import { NO_LIMITS } from '../../../src/contract/values.ts';
import { type Finding, toListingError } from '../../../src/listings/check/finding.ts';
import type { Checking } from '../../../src/listings/check/findings.ts';
import { COMPLETE, findingsOf, listingIn, listingOf } from '../listing.ts';
import { fewPlaces } from '../places.ts';

const OPTIONAL = 'remoteCountry locations opportunityId atsJobUrl questions budgets'.split(' ');
const LIVE: Checking = { draft: false, places: fewPlaces };
const DRAFT: Checking = { draft: true, places: fewPlaces };

function brief({ line, column, level, rule, field }: Finding): string {
  return `${line}:${column} ${level} ${rule} ${field}`;
}

function findingsWith(fields: Record<string, unknown>, checking: Checking = LIVE): Finding[] {
  return findingsOf(listingOf({ ...COMPLETE, ...fields }), checking);
}

describe('findingsOf', () => {
  it('reports all missing fields of an empty listing at its start, with a fix', () => {
    const findings = findingsOf(listingIn('\n\n  {}'), LIVE);
    const gaps = CONTENT_FIELDS.filter((field) => !OPTIONAL.includes(field));
    assert.deepEqual(
      findings.map(brief),
      gaps.map((field) => `3:3 error incomplete ${field}`),
    );
    assert.equal(findings[0]?.hint, 'set "title": "Licensed electrician"');
    assert.equal(findings[8]?.hint, 'set "bidPerQualifiedApplicantCents": 1500 (cents) for $15.00');
    assert.equal(
      findings[9]?.hint,
      'set "qualifications": [{ "text": "Journeyman license", "kind": "REQUIRED", "order": 1 }]',
    );
  });

  it('ignores missing fields of a draft, but reports problems that block publishing', () => {
    assert.deepEqual(findingsOf(listingIn('{}'), DRAFT), []);
    const crossed = findingsOf(
      listingIn('{"salaryMin": 90, "salaryMax": 80, "remoteOption": "REMOTE"}'),
      DRAFT,
    );
    const expected = ['1:1 warning incomplete remoteCountry', '1:15 warning incomplete salaryMin'];
    assert.deepEqual(crossed.map(brief), expected);
  });

  it('has the position of an invalid value, of an unknown name, and around a missing field', () => {
    const text = `{
  "titel": "Welder",
  "salaryMin": "85k",
  "questions": [
    { "prompt": "Why?", "answerFormat": "TEXT", "oder": 1 }
  ]
}`;
    assert.deepEqual(findingsOf(listingIn(text), DRAFT).map(brief), [
      '2:3 error unknown-field titel',
      '3:16 error invalid-value salaryMin',
      '5:49 error unknown-field questions[0].oder',
    ]);
  });

  it('has a fix for every finding', () => {
    const wrong = Object.fromEntries(
      [...CONTENT_FIELDS, 'publish', 'extra'].map((field) => [field, { not: 'this' }]),
    );
    const findings = findingsOf(listingOf(wrong), LIVE);
    assert.equal(findings.length, CONTENT_FIELDS.length + 2);
    for (const { field, hint } of findings.filter(({ field }) => field !== 'extra'))
      assert.match(hint ?? '', /\w/, field);
  });

  it("reports a field only once, even if it's invalid and incomplete", () => {
    const findings = findingsOf(
      listingIn('{"salaryMin": 9007199254740993, "jobType": 5, "qualifications": [{}]}'),
      LIVE,
    );
    const count = (field: string) => findings.filter((finding) => finding.field === field).length;
    assert.deepEqual([count('salaryMin'), count('jobType'), count('qualifications')], [1, 1, 0]);
    assert.match(findings.find(({ field }) => field === 'salaryMin')?.message ?? '', /9007199254740993/);
  });

  it("reports only one problem for a value that isn't an object", () => {
    for (const text of ['null', '5', '"Welder"', 'true', '[[[]]]']) {
      const [finding, ...more] = findingsOf(listingIn(text), LIVE);
      assert.deepEqual([finding?.field, finding?.rule, more], ['body', 'invalid-value', []], text);
      assert.match(finding?.message ?? '', /must be an object/);
    }
  });

  it('refuses a listing over the size limit, unless the limits are disabled', () => {
    const questions = Array.from({ length: 40 }, (_, order) => ({
      prompt: 'Which one?',
      answerFormat: 'SINGLE_SELECT',
      options: Array.from({ length: 200 }, (_, option) => `${'x'.repeat(180)} ${option}`),
      order,
    }));
    const [finding, ...more] = findingsWith({ questions });
    assert.deepEqual([finding && brief(finding), more], ['1:1 error body-size body', []]);
    assert.match(finding?.message ?? '', /must be at most 1 MiB when sent, got 1\.4 MiB/);
    assert.deepEqual(findingsWith({ questions }, { ...LIVE, limits: NO_LIMITS }), []);
  });

  it('checks an update without missing fields, and refuses publish', () => {
    const check = (text: string) => findingsOf(listingIn(text), { ...DRAFT, as: 'update' }).map(brief);
    assert.deepEqual(check('{"remoteOption": "REMOTE"}'), []);
    const expected = ['1:13 error invalid-value publish', '1:31 error invalid-value jobLevel'];
    assert.deepEqual(check('{"publish": true, "jobLevel": "X"}'), expected);
  });
});

describe('findingsOf: places', () => {
  const austin = COMPLETE.locations[0];

  it('accepts a location as text if it matches one place', () =>
    assert.deepEqual(findingsWith({ locations: ['Austin, TX', '4930956', austin] }), []));

  it('reports the candidates of an ambiguous text at its position', () => {
    const [finding, ...more] = findingsOf(listingIn('{"locations": [\n "Austin",\n "Springfield"]}'), DRAFT);
    assert.deepEqual([finding && brief(finding), more], ['3:2 error unknown-place locations[1]', []]);
    assert.match(finding?.message ?? '', /4409896 Springfield, Missouri.*4951788 Springfield, Massachusetts/);
    assert.match(finding?.hint ?? '', /"Springfield, Missouri"/);
  });

  it('suggests a place for an unknown name or ID', () => {
    const unknown = findingsWith({ locations: ['Munchkin', { ...austin, locationId: 1 }, '77'] });
    const fields = unknown.map(({ field }) => field);
    assert.deepEqual(fields, ['locations[0]', 'locations[1].locationId', 'locations[2]']);
    assert.match(unknown[0]?.hint ?? '', /Munich, Bavaria, Germany/);
    assert.match(unknown[1]?.hint ?? '', /did you mean 4671654, Austin, Texas, United States\?/);
    assert.match(unknown[2]?.message ?? '', /no place has the ID 77/);
  });

  it("refuses an ID that doesn't match the names, with a fix (decision 12)", () => {
    for (const wrong of [{ city: 'Boston' }, { stateProvince: 'TX' }, { country: 'Canada' }]) {
      const [finding, ...more] = findingsWith({ locations: [{ ...austin, ...wrong }] }, DRAFT);
      const expected = ['locations[0].locationId', 'unknown-place', []];
      assert.deepEqual([finding?.field, finding?.rule, more], expected);
      assert.match(finding?.message ?? '', /4671654 is Austin, Texas, United States, not/);
      assert.ok(finding?.hint?.includes(JSON.stringify(austin)), finding?.hint);
    }
  });

  it('reports a location without an ID only once', () => {
    const found = findingsWith({ locations: [{ city: 'Austin' }, 7] });
    const rules = found.map(({ field, rule }) => `${rule} ${field}`);
    assert.deepEqual(rules, ['invalid-value locations[0]', 'invalid-value locations[1]']);
  });

  it('accepts any place if the server may have other places', () => {
    const elsewhere = { ...LIVE, places: undefined };
    assert.deepEqual(findingsWith({ locations: ['Atlantis', { ...austin, locationId: 1 }] }, elsewhere), []);
  });
});

describe('refusal', () => {
  it('has every field with its position and fix, and exit 3', () => {
    const error = toListingError(
      findingsOf(listingIn('{\n "salaryMin": "85k",\n "__proto__": 1,\n "jobType": null}'), DRAFT),
    );
    assert.ok(error instanceof PartnerError);
    assert.deepEqual([error.code, error.exit], ['VALIDATION_FAILED', 3]);
    assert.deepEqual(Object.keys(error.fields ?? {}), ['salaryMin', '__proto__']);
    const expected = 'must be a whole number, not "85k" (line 2, column 15); use 85000';
    assert.equal(error.fields?.salaryMin, expected);
  });
});
