import assert from 'node:assert/strict';
import { type Checked, checkJobInput, checkJobUpdate } from '../../src/contract/check.ts';
import { CONTENT_FIELDS } from '../../src/contract/job.ts';
import { toFields } from '../../src/contract/problems.ts';
import { BUDGET_WINDOWS, LIMITS, NO_LIMITS } from '../../src/contract/values.ts';
import cases from './check.json' with { type: 'json' };
import { COMPLETE_LISTING } from './complete-listing.ts';
import { SIZED, withValue } from './sizes.ts';

type Check = (value: unknown) => Checked<unknown>;

const CHECKS: readonly (readonly [string, Check])[] = [
  ['create', (value) => checkJobInput(value)],
  ['update', (value) => checkJobUpdate(value)],
];

function without(field: string): unknown {
  return JSON.parse(JSON.stringify(withValue(field, undefined)));
}

function refusedFields(answer: Checked<unknown>): Record<string, string> {
  return answer.ok ? {} : toFields(answer.problems);
}

function assertAccepted(answer: Checked<unknown>): void {
  assert.deepEqual(refusedFields(answer), {});
  assert.equal(answer.ok, true);
}

function assertRefused(answer: Checked<unknown>, fields: readonly string[], what?: string): void {
  assert.deepEqual(Object.keys(refusedFields(answer)).sort(), [...fields].sort(), what);
}

/** Every field of section 2.2 to 2.6, and values that it does not take. */
const WRONG: Readonly<Record<string, readonly unknown[]>> = cases.wrong;

for (const [name, check] of CHECKS) {
  describe(`${name}: what is right is accepted`, () => {
    it('a listing with every field, and no field at all', () => {
      assertAccepted(check(COMPLETE_LISTING));
      assertAccepted(check({}));
    });

    it('each field alone', () => {
      for (const field of CONTENT_FIELDS) {
        const answer = check({ [field]: COMPLETE_LISTING[field] });
        assertAccepted(answer);
        const value = (answer.ok ? answer.value : {}) as Record<string, unknown>;
        assert.deepEqual(value[field], COMPLETE_LISTING[field]);
      }
    });
    it('null where a field may be empty, an empty set, which clears it, and a budget of 0 cents', () => {
      for (const field of cases.nullable) assertAccepted(check(withValue(field, null)));
      for (const field of ['locations', 'qualifications', 'questions', 'budgets'])
        assertAccepted(check({ [field]: [] }));
      for (const window of BUDGET_WINDOWS) assertAccepted(check({ budgets: [{ window, budgetCents: 0 }] }));
    });
    it('a draft whose fields contradict each other: only the gate compares them', () =>
      assertAccepted(check({ remoteOption: 'REMOTE', salaryMin: 90, salaryMax: 10 })));
    it('and the input is left as it was', () => {
      const before = structuredClone(COMPLETE_LISTING);
      check(COMPLETE_LISTING);
      assert.deepEqual(COMPLETE_LISTING, before);
    });
  });

  describe(`${name}: what a field does not take is refused, and only that field is named`, () => {
    it('the table below covers every field', () => {
      const covered = Object.keys(WRONG).map((field) => field.split('[')[0]);
      assert.deepEqual([...new Set(covered)].sort(), [...CONTENT_FIELDS].sort());
    });

    for (const [field, values] of Object.entries(WRONG))
      it(field, () => {
        // JSON has 1e999 for infinity, and nothing for NaN.
        const isNumber = values.includes(Number.POSITIVE_INFINITY);
        for (const value of isNumber ? [...values, Number.NaN] : values)
          assertRefused(check(withValue(field, value)), [field], `${field}: ${JSON.stringify(value)}`);
      });
    it('a required field that is left out', () => {
      for (const field of cases.required) {
        const fields = refusedFields(check(without(field)));
        assert.deepEqual(Object.keys(fields), [field]);
        assert.match(fields[field] ?? '', /^(is required|must be one of)/);
      }
    });
    it('an integer past 2^53, as JSON reads it, instead of another one nearby', () => {
      const fields = refusedFields(check(JSON.parse('{"salaryMax": 9007199254740993}')));
      assert.match(fields.salaryMax ?? '', /up to 9007199254740991/);
    });
    it('a whole input that is no object', () => {
      for (const value of [null, undefined, 5, 'title', true, [], [COMPLETE_LISTING]])
        assertRefused(check(value), ['body'], JSON.stringify(value));
    });
  });

  describe(`${name}: a limit holds at its value and not one past it (decision 15)`, () => {
    for (const { field, limit, withSize } of SIZED)
      it(`${field}: ${limit}`, () => {
        assertAccepted(check(withSize(limit)));
        const fields = refusedFields(check(withSize(limit + 1)));
        assert.deepEqual(Object.keys(fields), [field]);
        assert.match(fields[field] ?? '', new RegExp(`at most ${limit} \\w+, got ${limit + 1};`));
      });
    it('the entries of an array past its limit are not looked at', () => {
      const question = { prompt: 'Which?', answerFormat: 'SINGLE_SELECT', order: 1 };
      const long: Record<string, unknown> = {
        budgets: { budgets: Array(51).fill(COMPLETE_LISTING.budgets[0]) },
        qualifications: { qualifications: Array(51).fill({}) },
        'questions[0].options': { questions: [{ ...question, options: Array(201).fill('Yes') }] },
      };
      for (const [field, value] of Object.entries(long)) {
        const fields = refusedFields(check(value));
        assert.deepEqual(Object.keys(fields), [field]);
        assert.match(fields[field] ?? '', /^must have at most \d+ entries, got \d+; remove 1$/);
      }
    });
  });

  describe(`${name}: an unknown field is refused, with the nearest known name (decision 16)`, () => {
    for (const [field, meant] of Object.entries(cases.unknownFields))
      it(`${field}: did you mean ${meant}?`, () => {
        const fields = refusedFields(check(withValue(field, 'x')));
        assert.deepEqual(Object.keys(fields), [field]);
        assert.match(fields[field] ?? '', new RegExp(`not a known field; did you mean ${meant}\\?$`));
      });
    it('also one that only an answer has, and one that every object has', () => {
      for (const field of ['id', 'status', 'isFrozen', 'companyId', 'publishedAt', '$schema', 'xyzzy'])
        assertRefused(check({ [field]: 'x' }), [field]);
      for (const field of ['__proto__', 'constructor', 'toString'])
        assertRefused(check(JSON.parse(`{"${field}": {"title": "x"}}`)), [field]);
    });
  });

  describe(`${name}: a value outside its set names the set, and the nearest of it`, () => {
    for (const { field, typed, meant } of cases.outsideSets)
      it(`${field} ${typed}: ${meant}`, () => {
        const text = refusedFields(check(withValue(field, typed)))[field] ?? '';
        const hint = `(?:did you mean ${meant}\\?|use "${meant}")`;
        assert.match(text, new RegExp(`^must be one of .*${meant}.*, not "${typed}"; ${hint}$`));
      });
  });

  describe(`${name}: the rules between fields`, () => {
    const choice = (answerFormat: string, options?: unknown): unknown => ({
      questions: [
        { prompt: 'Which shift?', answerFormat, order: 1, ...(options === undefined ? {} : { options }) },
      ],
    });

    for (const format of ['SINGLE_SELECT', 'MULTI_SELECT'])
      it(`${format} takes one option and more, each once (decision 25)`, () => {
        assertAccepted(check(choice(format, ['Day'])));
        assertAccepted(check(choice(format, ['Day', 'Night', 'day'])));
        for (const options of [undefined, []])
          assertRefused(check(choice(format, options)), ['questions[0].options']);
        const repeated = ['questions[0].options[2]', 'questions[0].options[3]'];
        assertRefused(check(choice(format, ['Day', 'Night', 'Day', 'Day'])), repeated);
      });
    it('no other format takes options (decision 25)', () => {
      for (const format of ['TEXT', 'TEXTAREA', 'NUMBER', 'FILE', 'DATE', 'SINGLE_CHECKBOX']) {
        assertAccepted(check(choice(format)));
        for (const options of [['Day'], []])
          assertRefused(check(choice(format, options)), ['questions[0].options'], format);
      }
    });

    it('one budget per window (section 8, rule 2): a repetition is named, with where it stood first', () => {
      const budgets = (windows: readonly string[]) => ({
        budgets: windows.map((window) => ({ window, budgetCents: 100 })),
      });
      assertAccepted(check(budgets(BUDGET_WINDOWS)));
      const fields = refusedFields(check(budgets(['DAILY', 'WEEKLY', 'DAILY', 'DAILY'])));
      assert.deepEqual(Object.keys(fields), ['budgets[2].window', 'budgets[3].window']);
      for (const text of Object.values(fields)) assert.match(text, /DAILY.*budgets\[0\]/);
    });

    it('a question that asks for an applicant basic is refused; one that mentions it passes (decision 11)', () => {
      const field = 'questions[1].prompt';
      const fields = refusedFields(check(withValue(field, 'What is your email address?')));
      assert.deepEqual(Object.keys(fields), [field]);
      assert.match(fields[field] ?? '', /email.*collected on every application/);
      assertAccepted(check(withValue(field, 'Describe your email marketing experience')));
    });
  });

  it(`${name}: types, values, unknown fields, limits and rules between fields are named at once`, () => {
    const answer = check({
      titel: 'Cook',
      description: 5,
      jobType: 'FULLTIME',
      salaryMin: 1.5,
      locations: ['Austin'],
      qualifications: [{ text: '', kind: 'MUST', order: '1' }],
      questions: [
        { prompt: 'Email', answerFormat: 'TEXT', options: ['a'], order: 1.5 },
        { prompt: 'Which shift?', answerFormat: 'MULTI_SELECT', options: ['a', 'a'], order: 2 },
      ],
      budgets: [
        { window: 'DAILY', budgetCents: -1 },
        { window: 'DAILY', budgetCents: 10.5 },
      ],
    });
    assertRefused(answer, [
      ...['titel', 'description', 'jobType', 'salaryMin', 'locations[0]', 'qualifications[0].kind'],
      ...['qualifications[0].order', 'qualifications[0].text', 'questions[0].options', 'questions[0].order'],
      ...['questions[0].prompt', 'questions[1].options[1]', 'budgets[0].budgetCents'],
      ...['budgets[1].budgetCents', 'budgets[1].window'],
    ]);
    assert.ok(!answer.ok && answer.problems.every(({ kind }) => kind === 'invalid'));
  });
}

describe('publish belongs to a create only (2.2)', () => {
  it('a create takes true and false, and nothing else', () => {
    for (const publish of [true, false]) {
      const answer = checkJobInput({ publish });
      assertAccepted(answer);
      assert.equal(answer.ok && answer.value.publish, publish);
    }
    for (const publish of [null, 'true', 1, [], {}]) assertRefused(checkJobInput({ publish }), ['publish']);
  });
  it('an update refuses it, and says what publishes', () => {
    for (const publish of [true, false]) {
      const fields = refusedFields(checkJobUpdate({ publish }));
      assert.deepEqual(Object.keys(fields), ['publish']);
      assert.match(fields.publish ?? '', /partner jobs publish/);
    }
  });
});

describe('a profile can lift our limits and nothing else (decision 15)', () => {
  it('longer texts and lists pass', () => {
    const text = 'x'.repeat(LIMITS.textCharacters + 1);
    const long = {
      title: 'x'.repeat(LIMITS.titleCharacters + 1),
      qualifications: Array(LIMITS.arrayEntries + 1).fill({ text, kind: 'DESIRED', order: 1 }),
    };
    assertAccepted(checkJobInput(long, NO_LIMITS));
    assertAccepted(checkJobUpdate(long, NO_LIMITS));
  });
  it('types, values and rules still hold', () =>
    assertRefused(checkJobInput({ title: 5, jobType: 'X', titel: 'x' }, NO_LIMITS), [
      'jobType',
      'titel',
      'title',
    ]));
});
