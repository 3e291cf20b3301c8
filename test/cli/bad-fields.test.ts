import assert from 'node:assert/strict';
import {
  BudgetInputSchema,
  JobInputSchema,
  LocationInputSchema,
  QualificationInputSchema,
  QuestionInputSchema,
} from '../../src/contract/job.ts';
import { COMPLETE_LISTING } from '../contract/complete-listing.ts';
import { withEngine } from './homes.ts';
import { type Finding, foundBy, refusedBy, textAt } from './refusal.ts';

/** Values of no type that the field has; `create` is given the first. */
const NO_TEXT = [42, true, ['a'], { a: 1 }];
const NO_CHOICE = ['NONSENSE', ...NO_TEXT];
const NO_WHOLE_NUMBER = ['85000', 0.5, true, [1], { a: 1 }];
const NO_AMOUNT = [-1, ...NO_WHOLE_NUMBER];
const NO_ARRAY = ['text', 42, true, { a: 1 }, null];

/** Section 2.2, field by field: what it cannot be. */
const WRONG_VALUES: Readonly<Record<string, readonly unknown[]>> = {
  title: [...NO_TEXT, null],
  description: [...NO_TEXT, null],
  remoteOption: NO_CHOICE,
  remoteCountry: NO_TEXT,
  jobType: NO_CHOICE,
  jobLevel: NO_CHOICE,
  locations: NO_ARRAY,
  salaryMin: NO_AMOUNT,
  salaryMax: NO_AMOUNT,
  salaryPeriod: NO_CHOICE,
  bidPerQualifiedApplicantCents: NO_AMOUNT,
  opportunityId: NO_TEXT,
  atsJobUrl: ['ats.example/1', 'https://ats.example/two words', ...NO_TEXT],
  qualifications: NO_ARRAY,
  questions: NO_ARRAY,
  budgets: NO_ARRAY,
  publish: ['yes', 1, null, [true]],
};

/** Sections 2.3 to 2.6: the same for the fields of an entry, by the array that holds it. */
const WRONG_IN_ENTRIES: Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>> = {
  locations: {
    locationId: [0, ...NO_WHOLE_NUMBER, null],
    city: ['', ...NO_TEXT, null],
    stateProvince: [...NO_TEXT, null],
    country: ['', ...NO_TEXT, null],
  },
  qualifications: {
    text: ['', ' ', ...NO_TEXT, null],
    kind: [...NO_CHOICE, null],
    order: [...NO_WHOLE_NUMBER, null],
  },
  questions: {
    prompt: ['', ' ', ...NO_TEXT, null],
    answerFormat: [...NO_CHOICE, null],
    options: [NO_TEXT, ...NO_ARRAY],
    order: [...NO_WHOLE_NUMBER, null],
  },
  budgets: {
    window: [...NO_CHOICE, null],
    budgetCents: [...NO_AMOUNT, null],
    notes: NO_TEXT,
  },
};

interface Case {
  readonly field: string;
  readonly value: unknown;
  readonly listing: object;
}

const CASES: readonly Case[] = [
  ...Object.entries(WRONG_VALUES).flatMap(([field, values]) =>
    values.map((value) => ({ field, value, listing: { ...COMPLETE_LISTING, [field]: value } })),
  ),
  ...Object.entries(WRONG_IN_ENTRIES).flatMap(([list, fields]) =>
    Object.entries(fields).flatMap(([name, values]) =>
      values.map((value) => ({
        field: `${list}[0].${name}`,
        value,
        listing: { ...COMPLETE_LISTING, [list]: [{ ...firstOf(list), [name]: value }] },
      })),
    ),
  ),
];

/** Every field of a listing wrong at once: it must be told of each of them. */
const ALL_WRONG = Object.fromEntries(Object.entries(WRONG_VALUES).map(([field, [value]]) => [field, value]));
const ALL_WRONG_IN_ENTRIES = Object.fromEntries(
  Object.entries(WRONG_IN_ENTRIES).map(([list, fields]) => [
    list,
    [Object.fromEntries(Object.entries(fields).map(([name, [value]]) => [name, value]))],
  ]),
);

function firstOf(list: string): object {
  return COMPLETE_LISTING[list as 'locations'][0] ?? {};
}

describe('a value of the wrong type', () => {
  let file: string;
  let findings: readonly Finding[];
  let told: Readonly<Record<string, string>>;

  before(async () => {
    const home = await withEngine();
    file = await home.file(
      'cases.json',
      CASES.map(({ listing }) => listing),
    );
    const [found, ...refusals] = await Promise.all([
      foundBy(home, file),
      refusedBy(home, await home.file('fields.json', ALL_WRONG)),
      refusedBy(home, await home.file('entries.json', { ...COMPLETE_LISTING, ...ALL_WRONG_IN_ENTRIES })),
    ]);
    findings = found;
    told = Object.assign({}, ...refusals.map(({ fields }) => fields));
    for (const { code } of refusals) assert.equal(code, 'VALIDATION_FAILED');
  });

  it('is tested below for every field of a JobInput and of its entries', () => {
    const fieldsOf = (schema: { readonly shape: object }): string[] => Object.keys(schema.shape);
    assert.deepEqual(Object.keys(WRONG_VALUES), fieldsOf(JobInputSchema));
    const entries = {
      locations: LocationInputSchema,
      qualifications: QualificationInputSchema,
      questions: QuestionInputSchema,
      budgets: BudgetInputSchema,
    };
    for (const [list, schema] of Object.entries(entries)) {
      assert.deepEqual(Object.keys(WRONG_IN_ENTRIES[list] ?? {}), fieldsOf(schema));
    }
  });

  for (const field of new Set(CASES.map((each) => each.field))) {
    const isHere = (name: string): boolean => name === field || name.startsWith(`${field}[`);

    it(`in ${field} is found by validate, at its place, whatever it is`, async () => {
      for (const [index, each] of CASES.entries()) {
        if (each.field !== field) continue;
        const found = findings.filter((finding) => finding.index === index);
        const finding = found.find((one) => isHere(one.field));
        assert.ok(finding, `${JSON.stringify(each.value)} was taken; found ${JSON.stringify(found)}`);
        const [expected = ''] = JSON.stringify(each.value, null, 2).split('\n');
        const text = await textAt(file, finding);
        if (finding.field === field) assert.ok(text.startsWith(expected), `${expected} stands at ${text}`);
      }
    });

    it(`in ${field} is refused by create, with its line and column, and nothing is stored`, () => {
      const [says = ''] = Object.entries(told).flatMap(([name, text]) => (isHere(name) ? [text] : []));
      assert.match(says, /\(line \d+, column \d+\)/, JSON.stringify(told));
    });
  }
});

describe('a place with the right id', () => {
  it('is taken by validate and create however it is spelled, and stored as it is called', async () => {
    const home = await withEngine();
    const place = { locationId: 3448439, city: 'Sao Paulo', stateProvince: 'SAO PAULO', country: 'brazil' };
    const file = await home.file('place.json', { ...COMPLETE_LISTING, locations: [place] });
    assert.equal((await home.run(['jobs', 'validate', file])).code, 0);
    const created = await home.run(['jobs', 'create', file, '--json']);
    assert.equal(created.code, 0, created.stderr);
    const { locations } = created.json() as { locations: { city: string }[] };
    assert.equal(locations[0]?.city, 'São Paulo');
    const wrong = await home.file('wrong.json', {
      ...COMPLETE_LISTING,
      locations: [{ ...place, city: 'Rio' }],
    });
    const [finding] = await foundBy(home, wrong);
    assert.match(finding?.message ?? '', /3448439 is São Paulo/);
  });
});
