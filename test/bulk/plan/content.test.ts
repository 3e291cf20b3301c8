import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as contents from '../../../src/bulk/plan/content.ts';
import { CONTENT_FIELDS, EMPTY_CONTENT, type JobUpdate } from '../../../src/contract/job.ts';

const AUSTIN = { locationId: 7, city: 'Austin', stateProvince: 'Texas', country: 'United States' };
const PARIS = { locationId: 8, city: 'Paris', stateProvince: 'Île-de-France', country: 'France' };

const text = fc.string({ maxLength: 8 });
const content: fc.Arbitrary<JobUpdate> = fc.record(
  {
    title: text,
    salaryMin: fc.option(fc.nat(9)),
    jobType: fc.constantFrom('FULL_TIME' as const, null),
    locations: fc.uniqueArray(fc.constantFrom(AUSTIN, PARIS)),
    qualifications: fc.array(
      fc.record({ text, kind: fc.constantFrom('REQUIRED' as const, 'DESIRED' as const), order: fc.nat(3) }),
      { maxLength: 4 },
    ),
    questions: fc.array(
      fc.record(
        {
          prompt: text,
          answerFormat: fc.constantFrom('TEXT' as const, 'SINGLE_SELECT' as const),
          options: fc.array(text, { minLength: 1, maxLength: 3 }),
          order: fc.nat(3),
        },
        { requiredKeys: ['prompt', 'answerFormat', 'order'] },
      ),
      { maxLength: 3 },
    ),
    budgets: fc.uniqueArray(
      fc.record(
        {
          window: fc.constantFrom('DAILY' as const, 'WEEKLY' as const, 'LIFETIME' as const),
          budgetCents: fc.nat(9),
          notes: fc.option(text),
        },
        { requiredKeys: ['window', 'budgetCents'] },
      ),
      { selector: ({ window }) => window },
    ),
  },
  { requiredKeys: [] },
);

/** Reverses the key order of all objects. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, reversed(inner)]),
  );
}

/** Returns the content as a server may return it: with IDs, other fields and other empty values. */
function answered(given: JobUpdate): Record<string, unknown> {
  const { locations, qualifications, questions, budgets } = given;
  return {
    ...given,
    ...(given.title === '' ? { title: null } : {}),
    id: 12,
    ...(locations && {
      locations: locations.map((entry) => ({ ...entry, displayName: 'x', population: 1 })),
    }),
    ...(qualifications && { qualifications: qualifications.map((entry, id) => ({ id: `${id}`, ...entry })) }),
    ...(questions && { questions: questions.map((entry, id) => ({ id: `${id}`, options: [], ...entry })) }),
    ...(budgets && { budgets: [...budgets].reverse().map((entry) => ({ notes: null, ...entry })) }),
  };
}

describe('the content of a listing', () => {
  it('has only the given fields, in the order of the specification, without publish', () => {
    const given = contents.pickContent({
      publish: true,
      salaryMin: 1,
      questions: [],
      title: 'Nurse',
      jobType: null,
    });
    const expected = [
      ['title', 'Nurse'],
      ['jobType', null],
      ['salaryMin', 1],
      ['questions', []],
    ];
    assert.deepEqual(Object.entries(given), expected);
  });

  it('is normalized without the fields that a server adds', () => {
    const job = answered({ locations: [AUSTIN], budgets: [{ window: 'DAILY', budgetCents: 1 }] });
    assert.deepEqual(contents.normalizeField('locations', job.locations), [AUSTIN]);
    assert.deepEqual(contents.normalizeField('budgets', job.budgets), [{ window: 'DAILY', budgetCents: 1 }]);
    assert.deepEqual(contents.normalizeField('questions', undefined), []);
    assert.equal(contents.normalizeField('title', null), '');
  });
});

describe('the digests of a listing', () => {
  it('never change between releases, because state files store them', () => {
    const { title, locations, budgets } = contents.fieldDigests({
      title: 'Nurse',
      locations: [AUSTIN],
      budgets: [{ window: 'DAILY', budgetCents: 100 }],
    });
    const expected = ['VGIDU0FX9PTO', 'WJ_9Os9SKugR', 'Ui0VOWD60UjQ', 'dCNOmK_nSY-1'];
    assert.deepEqual([title, locations, budgets, contents.EMPTY_DIGEST], expected);
  });

  it('ignore the order of keys', () =>
    fc.assert(
      fc.property(content, (given) => {
        assert.deepEqual(contents.fieldDigests(reversed(given) as JobUpdate), contents.fieldDigests(given));
      }),
    ));

  it('ignore IDs and other fields that a server adds', () =>
    fc.assert(
      fc.property(content, (given) =>
        assert.deepEqual(contents.fieldDigests(answered(given)), contents.fieldDigests(given)),
      ),
    ));

  it('differ for every part of an entry', () => {
    const question = { prompt: 'Why?', answerFormat: 'SINGLE_SELECT', options: ['a', 'b'], order: 1 };
    const others = [
      { ...question, prompt: 'Who?' },
      { ...question, answerFormat: 'MULTI_SELECT' },
      { ...question, options: ['b', 'a'] },
      { ...question, options: undefined },
      { ...question, order: 2 },
    ];
    const all = [question, ...others].map((entry) => contents.fieldDigests({ questions: [entry] }).questions);
    assert.equal(new Set(all).size, all.length);
    const places = [[AUSTIN, PARIS], [PARIS, AUSTIN], [AUSTIN], []];
    assert.equal(new Set(places.map((locations) => contents.fieldDigests({ locations }).locations)).size, 4);
    const caps = [0, 1].flatMap((budgetCents) =>
      ['a', null].map((notes) => ({ window: 'DAILY', budgetCents, notes })),
    );
    assert.equal(new Set(caps.map((cap) => contents.fieldDigests({ budgets: [cap] }).budgets)).size, 4);
  });

  it('are equal for all empty values', () => {
    const digests = Object.values(contents.fieldDigests(EMPTY_CONTENT));
    assert.equal(digests.length, CONTENT_FIELDS.length);
    assert.deepEqual(new Set(digests), new Set([contents.EMPTY_DIGEST]));
  });

  it('accept lists in an unexpected form', () => {
    const digests = contents.fieldDigests({
      id: 1,
      locations: 'Austin',
      questions: [null, 'Why?'],
      budgets: { DAILY: 1 },
    });
    assert.equal(new Set(Object.values(digests)).size, 3);
  });
});

describe('the whole digest', () => {
  it('differs for an empty field, a missing field and another field', () => {
    const all = [{}, { title: '' }, { salaryMin: null }, { salaryMin: 1 }, { salaryMax: 1 }].map((given) =>
      contents.wholeDigest(contents.fieldDigests(given)),
    );
    assert.equal(new Set(all).size, all.length);
  });
});
