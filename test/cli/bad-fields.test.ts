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
import type { Home } from './partner.ts';
import { foundBy, refusedBy, textAt } from './refusal.ts';

/** Values of no type that the field has; the first is the one that `create` is given too. */
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
  atsJobUrl: ['ats.example/1', 'javascript:alert(1)', ...NO_TEXT],
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

describe('a value of the wrong type', () => {
  let home: Home;
  before(async () => {
    home = await withEngine();
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

  for (const [field, values] of Object.entries(WRONG_VALUES)) {
    itIsRefused(
      field,
      values.map((value) => ({ value, listing: { ...COMPLETE_LISTING, [field]: value } })),
    );
  }
  for (const [list, fields] of Object.entries(WRONG_IN_ENTRIES)) {
    for (const [field, values] of Object.entries(fields)) {
      const [entry] = COMPLETE_LISTING[list as 'locations'];
      itIsRefused(
        `${list}[0].${field}`,
        values.map((value) => ({
          value,
          listing: { ...COMPLETE_LISTING, [list]: [{ ...entry, [field]: value }] },
        })),
      );
    }
  }

  function itIsRefused(field: string, cases: readonly { value: unknown; listing: object }[]): void {
    it(`in ${field} is found by validate, at its place, and refused by create: nothing is stored`, async () => {
      const [first] = cases;
      const many = await home.file(
        'many.json',
        cases.map(({ listing }) => listing),
      );
      const one = await home.file('one.json', first?.listing);
      const [findings, error] = await Promise.all([foundBy(home, many), refusedBy(home, one)]);
      for (const [index, { value }] of cases.entries()) {
        const found = findings.filter((finding) => finding.index === index);
        const [finding] = found.filter((each) => each.field === field || each.field.startsWith(`${field}[`));
        assert.ok(finding, `${JSON.stringify(value)} was taken; found ${JSON.stringify(found)}`);
        const [expected = ''] = JSON.stringify(value, null, 2).split('\n');
        const text = await textAt(many, finding);
        if (finding.field === field) assert.ok(text.startsWith(expected), `${expected} stands at ${text}`);
      }
      assert.equal(error.code, 'VALIDATION_FAILED');
      const [told = ''] = Object.entries(error.fields ?? {}).flatMap(([name, text]) =>
        name.startsWith(field) ? [text] : [],
      );
      assert.match(told, /\(line \d+, column \d+\)/, JSON.stringify(error));
    });
  }
});
