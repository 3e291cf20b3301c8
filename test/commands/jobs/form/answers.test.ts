import assert from 'node:assert/strict';
import {
  findAnswerProblem,
  NO_ANSWERS,
  nextQuestion,
  parseAnswerLine,
  QUESTIONS,
  questionsOfGaps,
  toListing,
  withAnswer,
  withGiven,
  withPart,
} from '../../../../src/commands/jobs/form/answers.ts';
import type { JobUpdate } from '../../../../src/contract/job.ts';
import { JOB_FIELDS, type QuestionName } from '../../../../src/contract/job-fields.ts';
import { LIMITS } from '../../../../src/contract/values.ts';
import { COMPLETE_LISTING } from '../../../contract/complete-listing.ts';
import orders from './asked.json' with { type: 'json' };
import { getQuestion } from './get-question.ts';
import typed from './typed.json' with { type: 'json' };

/** Names of the questions asked if these values answer them and the rest is skipped. */
function asked(values: JobUpdate, given: JobUpdate = {}): QuestionName[] {
  let answers = withGiven(NO_ANSWERS, given);
  const names: QuestionName[] = [];
  for (let next = nextQuestion(answers); next !== undefined; next = nextQuestion(answers)) {
    names.push(next.name);
    answers = withAnswer(answers, next, values[next.field]);
  }
  return names;
}

const ALWAYS = ['title', 'description', 'remoteOption'] as const;
const TERMS = ['jobType', 'jobLevel', 'salaryPeriod'] as const;
const REST = ['bid', 'required', 'desired', 'questions', 'budgets', 'opportunityId', 'atsJobUrl'] as const;

describe('the questions of the form', () => {
  it('name the flag that answers them', () => {
    for (const { field, flag } of QUESTIONS) {
      const known = Object.keys(JOB_FIELDS[field].flags ?? {}).map((name) => `--${name}`);
      assert.ok(known.length === 0 || known.includes(flag), `${field}: ${flag} is none of ${known}`);
    }
  });

  for (const [when, values, between] of orders.between as [
    string,
    Parameters<typeof asked>[0],
    QuestionName[],
  ][])
    it(`are asked in a person's order where ${when}`, () =>
      assert.deepEqual(asked(values), [...ALWAYS, ...between, ...TERMS, ...REST]));

  it('leave out what was given, of the qualifications the kind that was', () => {
    const { atsJobUrl: _, ...given } = COMPLETE_LISTING;
    assert.deepEqual(asked({}, given), ['atsJobUrl']);
    const required = COMPLETE_LISTING.qualifications.slice(0, 1);
    const names = asked({}, { qualifications: required });
    assert.ok(!names.includes('required') && names.includes('desired'), String(names));
  });

  it('are asked again where another answer makes them bear on the listing', () => {
    let answers = withAnswer(NO_ANSWERS, getQuestion('remoteOption'), 'REMOTE');
    answers = withAnswer(answers, getQuestion('remoteCountry'), 'Canada');
    answers = withAnswer(answers, getQuestion('remoteOption'), 'HYBRID');
    for (const name of ['title', 'description'] as const)
      answers = withAnswer(answers, getQuestion(name), undefined);
    assert.equal(nextQuestion(answers)?.name, 'locations');
    assert.deepEqual(toListing(answers), { remoteOption: 'HYBRID' }, 'the country is not sent any more');
  });

  it('lead from each gap to the questions that fill it', () => {
    assert.deepEqual(questionsOfGaps(COMPLETE_LISTING), []);
    const expected = ['salaryMin', 'required'];
    assert.deepEqual(questionsOfGaps({ ...COMPLETE_LISTING, qualifications: [], salaryMin: null }), expected);
  });
});

describe('a line that is typed', () => {
  const means = (name: QuestionName, line: string, content: JobUpdate = {}) => {
    const question = getQuestion(name);
    const answer = parseAnswerLine(question, line, (value) =>
      findAnswerProblem(question, value, content, LIMITS),
    );
    return 'value' in answer ? answer.value : answer.wrong;
  };

  const LINES = [
    ...typed,
    { name: 'title', line: 'x'.repeat(501), refused: 'must be at most 500 characters, got 501' },
    { name: 'remoteCountry', line: 'x'.repeat(2001), refused: 'at most 2000' },
  ] as readonly { name: string; line: string; meaning?: string | number; refused?: string }[];
  for (const { name, line, meaning, refused } of LINES) {
    const shown = line.length > 40 ? `${line.slice(0, 10)}…` : JSON.stringify(line);
    it(`${shown} for ${name} ${refused === undefined ? `is ${meaning}` : 'is refused'}`, () => {
      const meant = means(name as QuestionName, line);
      if (refused === undefined) assert.deepEqual(meant, meaning);
      else assert.match(String(meant), new RegExp(refused));
    });
  }

  it('is refused as an upper end below the lower', () => {
    const expected = /"Pay up to" is below "Pay from"\. Enter \$34 or more/;
    assert.match(String(means('salaryMax', '30', { salaryMin: 34 })), expected);
    assert.equal(means('salaryMax', '34', { salaryMin: 34 }), 34);
  });
});

describe('the answers of a form', () => {
  it('keep both kinds of qualifications, whichever is answered', () => {
    const [required, desired] = COMPLETE_LISTING.qualifications;
    let answers = withAnswer(NO_ANSWERS, getQuestion('desired'), [desired]);
    answers = withPart(answers, getQuestion('required'), [required]);
    assert.deepEqual(answers.content.qualifications, COMPLETE_LISTING.qualifications);
    assert.ok(!answers.asked.includes('required'), 'a part is not the whole answer');
  });

  it('give way to what is given when they are taken up', () => {
    const before = withAnswer(NO_ANSWERS, getQuestion('title'), 'Nurse');
    assert.deepEqual(toListing(withGiven(before, { title: 'Night nurse' })), { title: 'Night nurse' });
  });
});
