import assert from 'node:assert/strict';
import { type Checked, checkJobInput, checkJobUpdate } from '../../src/contract/check.ts';
import { CONTENT_FIELDS } from '../../src/contract/job.ts';
import { LIMITS, NO_LIMITS } from '../../src/contract/limits.ts';
import { type FieldPath, fieldName, fieldsOf } from '../../src/contract/problems.ts';
import { BUDGET_WINDOWS } from '../../src/contract/values.ts';
import { COMPLETE_LISTING } from './complete-listing.ts';

type Check = (value: unknown) => Checked<unknown>;

const CHECKS: readonly (readonly [string, Check])[] = [
  ['create', (value) => checkJobInput(value)],
  ['update', (value) => checkJobUpdate(value)],
];

/** The complete listing with `value` at `path`; the listing itself where the path is empty. */
function withValue(path: FieldPath, value: unknown, base: unknown = COMPLETE_LISTING): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  const copy = (Array.isArray(base) ? [...base] : { ...(base as object) }) as Record<string, unknown>;
  copy[step] = withValue(rest, value, copy[step]);
  return copy;
}

function without(path: FieldPath): unknown {
  return JSON.parse(JSON.stringify(withValue(path, undefined)));
}

function refusedFields(answer: Checked<unknown>): Record<string, string> {
  return answer.ok ? {} : fieldsOf(answer.problems);
}

function assertAccepted(answer: Checked<unknown>): void {
  assert.deepEqual(refusedFields(answer), {});
  assert.equal(answer.ok, true);
}

const NOT_TEXT = [5, true, [], {}];
const NOT_INTEGER = ['5', true, [], {}, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, -(2 ** 53)];
const NOT_NATURAL = [...NOT_INTEGER, -1, 0.5];
const NOT_LIST = [null, 5, 'x', true, {}];
const BLANK = ['', ' \n'];

/** Every field of section 2.2 to 2.6, and values that it does not take. */
const WRONG: readonly (readonly [path: FieldPath, values: readonly unknown[]])[] = [
  [['title'], [null, ...NOT_TEXT]],
  [['description'], [null, ...NOT_TEXT]],
  [['remoteOption'], [...NOT_TEXT, '', 'ONSITE', 'remote', 'IN PERSON', 'IN_PERSON ']],
  [['remoteCountry'], NOT_TEXT],
  [['jobType'], [...NOT_TEXT, '', 'FULLTIME', 'TEMPORARY', 'contract']],
  [['jobLevel'], [...NOT_TEXT, '', 'LEAD', 'Mid']],
  [['salaryMin'], NOT_NATURAL],
  [['salaryMax'], NOT_NATURAL],
  [['salaryPeriod'], [...NOT_TEXT, '', 'YEARLY', 'hourly']],
  [['bidPerQualifiedApplicantCents'], NOT_NATURAL],
  [['opportunityId'], NOT_TEXT],
  [
    ['atsJobUrl'],
    [...NOT_TEXT, '', 'ats.example/jobs/1', '/jobs/1', 'https://', 'https://ats.example/two words'],
  ],
  [['locations'], NOT_LIST],
  [
    ['locations', 0],
    [null, 5, 'Austin, TX', []],
  ],
  [
    ['locations', 0, 'locationId'],
    [null, ...NOT_NATURAL, 0],
  ],
  [
    ['locations', 0, 'city'],
    [null, ...NOT_TEXT, ''],
  ],
  [
    ['locations', 0, 'stateProvince'],
    [null, ...NOT_TEXT],
  ],
  [
    ['locations', 0, 'country'],
    [null, ...NOT_TEXT, ''],
  ],
  [['qualifications'], NOT_LIST],
  [
    ['qualifications', 0],
    [null, 5, 'A license', []],
  ],
  [
    ['qualifications', 0, 'text'],
    [null, ...NOT_TEXT, ...BLANK],
  ],
  [
    ['qualifications', 0, 'kind'],
    [null, ...NOT_TEXT, 'required', 'OPTIONAL'],
  ],
  [
    ['qualifications', 0, 'order'],
    [null, ...NOT_INTEGER],
  ],
  [['questions'], NOT_LIST],
  [
    ['questions', 0],
    [null, 5, 'Which license?', []],
  ],
  [
    ['questions', 0, 'prompt'],
    [null, ...NOT_TEXT, ...BLANK],
  ],
  [
    ['questions', 1, 'answerFormat'],
    [null, ...NOT_TEXT, 'text', 'CHECKBOX', 'DROPDOWN'],
  ],
  [
    ['questions', 0, 'options'],
    [null, 5, 'A', true, {}],
  ],
  [
    ['questions', 0, 'options', 0],
    [null, ...NOT_TEXT, ...BLANK],
  ],
  [
    ['questions', 0, 'order'],
    [null, ...NOT_INTEGER],
  ],
  [['budgets'], NOT_LIST],
  [
    ['budgets', 0],
    [null, 5, 'WEEKLY', []],
  ],
  [
    ['budgets', 0, 'window'],
    [null, ...NOT_TEXT, 'weekly', 'YEARLY'],
  ],
  [
    ['budgets', 0, 'budgetCents'],
    [null, ...NOT_NATURAL],
  ],
  [['budgets', 0, 'notes'], NOT_TEXT],
];

const REQUIRED: readonly FieldPath[] = [
  ['locations', 0, 'locationId'],
  ['locations', 0, 'city'],
  ['locations', 0, 'stateProvince'],
  ['locations', 0, 'country'],
  ['qualifications', 0, 'text'],
  ['qualifications', 0, 'kind'],
  ['qualifications', 0, 'order'],
  ['questions', 0, 'prompt'],
  ['questions', 1, 'answerFormat'],
  ['questions', 0, 'order'],
  ['budgets', 0, 'window'],
  ['budgets', 0, 'budgetCents'],
];

const NULLABLE: readonly FieldPath[] = [
  ['remoteOption'],
  ['remoteCountry'],
  ['jobType'],
  ['jobLevel'],
  ['salaryMin'],
  ['salaryMax'],
  ['salaryPeriod'],
  ['bidPerQualifiedApplicantCents'],
  ['opportunityId'],
  ['atsJobUrl'],
  ['budgets', 0, 'notes'],
];

for (const [name, check] of CHECKS) {
  describe(`${name}: what is right is accepted`, () => {
    it('a listing with every field', () => assertAccepted(check(COMPLETE_LISTING)));
    it('no field at all', () => assertAccepted(check({})));

    for (const field of CONTENT_FIELDS) {
      it(`${field} alone`, () => {
        const answer = check({ [field]: COMPLETE_LISTING[field] });
        assertAccepted(answer);
        const value = (answer.ok ? answer.value : {}) as Record<string, unknown>;
        assert.deepEqual(value[field], COMPLETE_LISTING[field]);
      });
    }
    for (const path of NULLABLE) {
      it(`null for ${fieldName(path)}`, () => assertAccepted(check(withValue(path, null))));
    }
    for (const field of ['locations', 'qualifications', 'questions', 'budgets']) {
      it(`an empty set of ${field}, which clears them`, () => assertAccepted(check({ [field]: [] })));
    }
    for (const window of BUDGET_WINDOWS) {
      it(`a budget of 0 cents for ${window}`, () => {
        assertAccepted(check({ budgets: [{ window, budgetCents: 0 }] }));
      });
    }
    it('a draft whose fields contradict each other: only the gate compares them', () => {
      assertAccepted(check({ remoteOption: 'REMOTE', salaryMin: 90, salaryMax: 10 }));
    });
    it('the largest whole number', () => {
      assertAccepted(check({ salaryMax: Number.MAX_SAFE_INTEGER }));
    });
  });

  describe(`${name}: what a field does not take is refused, and only that field is named`, () => {
    it('the table below covers every field', () => {
      assert.deepEqual([...new Set(WRONG.map(([path]) => path[0]))].sort(), [...CONTENT_FIELDS].sort());
    });

    for (const [path, values] of WRONG) {
      const field = fieldName(path);
      it(field, () => {
        for (const value of values) {
          const fields = refusedFields(check(withValue(path, value)));
          assert.deepEqual(Object.keys(fields), [field], `${field}: ${JSON.stringify(value)}`);
        }
      });
    }
    for (const path of REQUIRED) {
      it(`${fieldName(path)} left out`, () => {
        const fields = refusedFields(check(without(path)));
        assert.deepEqual(Object.keys(fields), [fieldName(path)]);
        assert.match(fields[fieldName(path)] ?? '', /^(is required|must be one of)/);
      });
    }
    it('an integer past 2^53, as JSON reads it, instead of another one nearby', () => {
      const fields = refusedFields(check(JSON.parse('{"salaryMax": 9007199254740993}')));
      assert.match(fields.salaryMax ?? '', /up to 9007199254740991/);
    });
    for (const value of [null, undefined, 5, 'title', true, [], [COMPLETE_LISTING]]) {
      it(`the whole input is ${JSON.stringify(value)}`, () => {
        assert.deepEqual(Object.keys(refusedFields(check(value))), ['body']);
      });
    }
  });

  describe(`${name}: a limit holds at its value and not one past it (decision 15)`, () => {
    const letters = (count: number): string => 'x'.repeat(count);
    const entries = (path: FieldPath, count: number): unknown[] => {
      const [first] = (COMPLETE_LISTING as unknown as Record<string, unknown[]>)[String(path[0])] ?? [];
      return Array.from({ length: count }, () => first);
    };
    const limits: readonly (readonly [FieldPath, number, (path: FieldPath, size: number) => unknown])[] = [
      [['title'], 500, (_, size) => letters(size)],
      [['description'], 100_000, (_, size) => letters(size)],
      [['remoteCountry'], 2_000, (_, size) => letters(size)],
      [['locations', 0, 'city'], 2_000, (_, size) => letters(size)],
      [['locations', 0, 'stateProvince'], 2_000, (_, size) => letters(size)],
      [['locations', 0, 'country'], 2_000, (_, size) => letters(size)],
      [['opportunityId'], 2_000, (_, size) => letters(size)],
      [['atsJobUrl'], 2_000, (_, size) => 'https://ats.example/'.padEnd(size, 'x')],
      [['qualifications', 1, 'text'], 2_000, (_, size) => letters(size)],
      [['questions', 1, 'prompt'], 2_000, (_, size) => letters(size)],
      [['questions', 0, 'options', 1], 2_000, (_, size) => letters(size)],
      [['budgets', 1, 'notes'], 2_000, (_, size) => letters(size)],
      [['locations'], 50, entries],
      [['qualifications'], 50, entries],
      [['questions'], 50, entries],
      [['questions', 0, 'options'], 200, (_, size) => Array.from({ length: size }, (_, at) => `${at}`)],
    ];
    for (const [path, most, sized] of limits) {
      const field = fieldName(path);
      it(`${field}: ${most}`, () => {
        assertAccepted(check(withValue(path, sized(path, most))));
        const fields = refusedFields(check(withValue(path, sized(path, most + 1))));
        assert.deepEqual(Object.keys(fields), [field]);
        assert.match(fields[field] ?? '', new RegExp(`has ${most + 1} .*at most ${most}`));
      });
    }
    it('the entries of an array past its limit are not looked at', () => {
      const question = { prompt: 'Which?', answerFormat: 'SINGLE_SELECT', order: 1 };
      const long: Record<string, unknown> = {
        budgets: { budgets: entries(['budgets'], 51) },
        qualifications: { qualifications: Array(51).fill({}) },
        'questions[0].options': { questions: [{ ...question, options: Array(201).fill('Yes') }] },
      };
      for (const [field, value] of Object.entries(long)) {
        const fields = refusedFields(check(value));
        assert.deepEqual(Object.keys(fields), [field]);
        assert.match(fields[field] ?? '', /^has \d+ entries; at most \d+; leave out 1$/);
      }
    });
  });

  describe(`${name}: an unknown field is refused, with the nearest known name (decision 16)`, () => {
    const typos: readonly (readonly [FieldPath, string])[] = [
      [['titel'], 'title'],
      [['desciption'], 'description'],
      [['remote_option'], 'remoteOption'],
      [['jobtype'], 'jobType'],
      [['budgts'], 'budgets'],
      [['bidPerQualifiedAplicantCents'], 'bidPerQualifiedApplicantCents'],
      [['locations', 0, 'locationID'], 'locationId'],
      [['locations', 0, 'stateProvice'], 'stateProvince'],
      [['qualifications', 1, 'kinds'], 'kind'],
      [['questions', 0, 'promt'], 'prompt'],
      [['questions', 1, 'answer_format'], 'answerFormat'],
      [['budgets', 0, 'budgetCent'], 'budgetCents'],
    ];
    for (const [path, meant] of typos) {
      const field = fieldName(path);
      it(`${field}: did you mean ${meant}?`, () => {
        const fields = refusedFields(check(withValue(path, 'x')));
        assert.deepEqual(Object.keys(fields), [field]);
        assert.match(fields[field] ?? '', new RegExp(`not a known field; did you mean ${meant}\\?$`));
      });
    }
    for (const field of ['id', 'status', 'isFrozen', 'companyId', 'publishedAt', '$schema', 'xyzzy']) {
      it(`${field}, which is not a field of the request`, () => {
        assert.deepEqual(Object.keys(refusedFields(check({ [field]: 'x' }))), [field]);
      });
    }
    for (const field of ['__proto__', 'constructor', 'toString']) {
      it(`${field}, which every object has`, () => {
        const fields = refusedFields(check(JSON.parse(`{"${field}": {"title": "x"}}`)));
        assert.deepEqual(Object.keys(fields), [field]);
      });
    }
  });

  describe(`${name}: a value outside its set names the set, and the nearest of it`, () => {
    const typos: readonly (readonly [FieldPath, string, string])[] = [
      [['remoteOption'], 'HYBIRD', 'HYBRID'],
      [['jobType'], 'FULLTIME', 'FULL_TIME'],
      [['jobLevel'], 'mid', 'MID'],
      [['salaryPeriod'], 'ANUAL', 'ANNUAL'],
      [['qualifications', 0, 'kind'], 'required', 'REQUIRED'],
      [['questions', 1, 'answerFormat'], 'text area', 'TEXTAREA'],
      [['budgets', 0, 'window'], 'week', 'WEEKLY'],
    ];
    for (const [path, typed, meant] of typos) {
      it(`${fieldName(path)} ${typed}: ${meant}`, () => {
        const fields = refusedFields(check(withValue(path, typed)));
        assert.match(
          fields[fieldName(path)] ?? '',
          new RegExp(
            `^must be one of .*${meant}.*, not "${typed}"; (?:did you mean ${meant}\\?|write "${meant}")$`,
          ),
        );
      });
    }
    it('and quotes no more of a long value than is needed to find it', () => {
      const fields = refusedFields(check({ jobType: 'x'.repeat(5_000) }));
      assert.ok((fields.jobType ?? '').length < 200);
    });
  });

  describe(`${name}: the rules between fields`, () => {
    const choice = (answerFormat: string, options?: unknown): unknown => ({
      questions: [
        { prompt: 'Which shift?', answerFormat, order: 1, ...(options === undefined ? {} : { options }) },
      ],
    });

    for (const format of ['SINGLE_SELECT', 'MULTI_SELECT']) {
      it(`${format} takes one option and more`, () => {
        assertAccepted(check(choice(format, ['Day'])));
        assertAccepted(check(choice(format, ['Day', 'Night', 'day'])));
      });
      it(`${format} needs at least one option (decision 25)`, () => {
        for (const options of [undefined, []]) {
          assert.deepEqual(Object.keys(refusedFields(check(choice(format, options)))), [
            'questions[0].options',
          ]);
        }
      });
      it(`${format} needs distinct options (decision 25)`, () => {
        const fields = refusedFields(check(choice(format, ['Day', 'Night', 'Day', 'Day'])));
        assert.deepEqual(Object.keys(fields), ['questions[0].options[2]', 'questions[0].options[3]']);
      });
    }
    for (const format of ['TEXT', 'TEXTAREA', 'NUMBER', 'FILE', 'DATE', 'SINGLE_CHECKBOX']) {
      it(`${format} takes no options (decision 25)`, () => {
        assertAccepted(check(choice(format)));
        for (const options of [['Day'], []]) {
          assert.deepEqual(Object.keys(refusedFields(check(choice(format, options)))), [
            'questions[0].options',
          ]);
        }
      });
    }

    it('one budget per window (section 8, rule 2): all four windows are accepted', () => {
      assertAccepted(check({ budgets: BUDGET_WINDOWS.map((window) => ({ window, budgetCents: 100 })) }));
    });
    it('one budget per window: each repetition is named, with where the window stood first', () => {
      const windows = ['DAILY', 'WEEKLY', 'DAILY', 'DAILY'];
      const budgets = windows.map((window) => ({ window, budgetCents: 100 }));
      const fields = refusedFields(check({ budgets }));
      assert.deepEqual(Object.keys(fields), ['budgets[2].window', 'budgets[3].window']);
      for (const text of Object.values(fields)) assert.match(text, /DAILY.*budgets\[0\]/);
    });

    it('a question that asks for an applicant basic is refused at its prompt (decision 11)', () => {
      const fields = refusedFields(
        check(withValue(['questions', 1, 'prompt'], 'What is your email address?')),
      );
      assert.deepEqual(Object.keys(fields), ['questions[1].prompt']);
      assert.match(fields['questions[1].prompt'] ?? '', /email.*collected on every application/);
    });
    it('a question that mentions one passes (decision 11)', () => {
      assertAccepted(
        check(withValue(['questions', 1, 'prompt'], 'Describe your email marketing experience')),
      );
    });
  });

  describe(`${name}: every problem is named at once`, () => {
    it('types, values, unknown fields, limits and rules between fields together', () => {
      const fields = refusedFields(
        check({
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
        }),
      );
      assert.deepEqual(Object.keys(fields).sort(), [
        'budgets[0].budgetCents',
        'budgets[1].budgetCents',
        'budgets[1].window',
        'description',
        'jobType',
        'locations[0]',
        'qualifications[0].kind',
        'qualifications[0].order',
        'qualifications[0].text',
        'questions[0].options',
        'questions[0].order',
        'questions[0].prompt',
        'questions[1].options[1]',
        'salaryMin',
        'titel',
      ]);
    });

    it('and each as what never passes, not as what only a live listing needs', () => {
      const answer = check({ titel: 1, jobType: 'X', questions: [{ prompt: 'Name' }] });
      assert.equal(answer.ok, false);
      if (!answer.ok) for (const problem of answer.problems) assert.equal(problem.kind, 'invalid');
    });

    it('and the input is left as it was', () => {
      const before = structuredClone(COMPLETE_LISTING);
      check(COMPLETE_LISTING);
      assert.deepEqual(COMPLETE_LISTING, before);
    });
  });
}

describe('publish belongs to a create only (2.2)', () => {
  for (const publish of [true, false]) {
    it(`a create takes publish ${publish}`, () => {
      const answer = checkJobInput({ publish });
      assertAccepted(answer);
      assert.equal(answer.ok && answer.value.publish, publish);
    });
    it(`an update refuses publish ${publish}, and says what publishes`, () => {
      const fields = refusedFields(checkJobUpdate({ publish }));
      assert.deepEqual(Object.keys(fields), ['publish']);
      assert.match(fields.publish ?? '', /partner jobs publish/);
    });
  }
  for (const publish of [null, 'true', 1, [], {}]) {
    it(`a create refuses publish ${JSON.stringify(publish)}`, () => {
      assert.deepEqual(Object.keys(refusedFields(checkJobInput({ publish }))), ['publish']);
    });
  }
});

describe('a profile can lift our limits and nothing else (decision 15)', () => {
  it('longer texts and lists pass', () => {
    const long = {
      title: 'x'.repeat(LIMITS.titleCharacters + 1),
      qualifications: Array.from({ length: LIMITS.arrayEntries + 1 }, () => ({
        text: 'x'.repeat(LIMITS.textCharacters + 1),
        kind: 'DESIRED',
        order: 1,
      })),
    };
    assertAccepted(checkJobInput(long, NO_LIMITS));
    assertAccepted(checkJobUpdate(long, NO_LIMITS));
  });
  it('types, values and rules still hold', () => {
    const fields = refusedFields(checkJobInput({ title: 5, jobType: 'X', titel: 'x' }, NO_LIMITS));
    assert.deepEqual(Object.keys(fields).sort(), ['jobType', 'titel', 'title']);
  });
});
