import assert from 'node:assert/strict';
import { type Checked, checkJobInput, checkJobUpdate } from '../../src/contract/check.ts';
import { toFields } from '../../src/contract/problems.ts';
import { LIMITS, NO_LIMITS } from '../../src/contract/values.ts';
import cases from './check.json' with { type: 'json' };
import { COMPLETE_LISTING } from './complete-listing.ts';
import { SIZED, withValue } from './sizes.ts';

type Check = (value: unknown) => Checked<unknown>;

const CHECKS: readonly (readonly [string, Check])[] = [
  ['create', (value) => checkJobInput(value)],
  ['update', (value) => checkJobUpdate(value)],
];

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

for (const [name, check] of CHECKS) {
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

  describe(`${name}: a value outside its set names the set, and the nearest of it`, () => {
    for (const { field, typed, meant } of cases.outsideSets)
      it(`${field} ${typed}: ${meant}`, () => {
        const text = refusedFields(check(withValue(field, typed)))[field] ?? '';
        const hint = `(?:did you mean ${meant}\\?|use "${meant}")`;
        assert.match(text, new RegExp(`^must be one of .*${meant}.*, not "${typed}"; ${hint}$`));
      });
  });

  it(`${name}: types, values, unknown fields, limits and rules between fields are named at once`, () => {
    const answer = check(cases.everyFault);
    assertRefused(answer, cases.faultyFields);
    assert.ok(!answer.ok && answer.problems.every(({ kind }) => kind === 'invalid'));
  });
}

describe('publish belongs to a create only (2.2)', () => {
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
