import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ApplicantFlags, applicantGiven } from '../../../src/commands/engine/applicant.ts';
import { ANSWER_FORMATS, takesOptions } from '../../../src/contract/values.ts';
import sample from './applicant.json' with { type: 'json' };

const EXAMPLES = join(import.meta.dirname, '../../../examples');
const { prompts: PROMPTS, basics: BASICS, answers: ANSWERS } = sample;
const ASKS = {
  questions: ANSWER_FORMATS.map((answerFormat, order) => ({
    id: answerFormat,
    prompt: PROMPTS[answerFormat],
    answerFormat,
    order,
    ...(takesOptions(answerFormat) ? { options: ['Monday', 'Tuesday, early'] } : {}),
  })),
  qualifications: [
    { id: 'q1', text: 'Can weld', kind: 'REQUIRED' as const, order: 1 },
    { id: 'q2', text: 'Can drive', kind: 'DESIRED' as const, order: 2 },
  ],
};
const given = (value: object, flags: ApplicantFlags = {}) =>
  applicantGiven(value as Record<string, unknown>, flags, ASKS, (path) => `/in/${path}`);

const told = (value: object, flags: ApplicantFlags = {}) =>
  given(value, flags).problems.map(({ path, message, hint }) => [path.join(' '), message, hint].join(' | '));

describe('an applicant', () => {
  it('of a file names questions by prompt or id and qualifications by text, and files beside it', () => {
    const { application, files, problems } = given({ ...BASICS, answers: ANSWERS, meets: ['can weld'] });
    assert.deepEqual(problems, []);
    assert.deepEqual(application.meets, ['q1']);
    assert.equal(application.resume, '/in/cv.pdf');
    assert.equal(application.answers.SINGLE_SELECT, 'Monday');
    assert.deepEqual(files, [
      { questionId: undefined, path: '/in/cv.pdf' },
      { questionId: 'FILE', path: '/in/license.pdf' },
    ]);
    const byId = { ...BASICS, answers: application.answers, meets: ['q2', 'q1'] };
    assert.deepEqual(given(byId).problems, []);
  });

  it('of flags is read as each format asks, and wins over the file', () => {
    const file = { ...BASICS, answers: ANSWERS, meets: 'none' };
    const { application, problems, files } = given(file, sample.flags);
    assert.deepEqual(problems, []);
    assert.deepEqual(application, sample.fromFlags);
    const paths = files.map(({ path }) => path);
    assert.deepEqual(paths, ['mine.pdf', '/tmp/license.pdf']);
    assert.deepEqual(given({ ...BASICS, answers: ANSWERS }, { meets: ['none'] }).application.meets, []);
  });

  it('whose files were sent before names them by their ids', () => {
    const resume = 'fil_0123456789ABCDEFGHIJ';
    assert.deepEqual(given({ ...BASICS, resume, answers: { ...ANSWERS, FILE: resume } }).files, []);
  });

  it('is told everything that is wrong at once, and the nearest name', () => {
    const wrong = { ...BASICS, phone: undefined, emial: 'x', answers: { ...ANSWERS, 'Wich days?': 1 } };
    const flags = { answer: ['Years of TIG?=many', 'I have a car=maybe', 'no value'], meets: ['Can wled'] };
    assert.deepEqual(told(wrong, flags), sample.problems);
  });

  it('is not guessed: names differ by a sign alone, and one that several have is refused', () => {
    const asks = {
      questions: [
        { id: 's1', prompt: 'C++?', answerFormat: 'TEXT' as const, order: 1 },
        { id: 's2', prompt: 'C#?', answerFormat: 'TEXT' as const, order: 2 },
        { id: 's3', prompt: 'Which?', answerFormat: 'TEXT' as const, order: 3 },
        { id: 's4', prompt: 'Which?', answerFormat: 'TEXT' as const, order: 4 },
      ],
      qualifications: ['C++', 'C#'].map((text) => ({ id: text, text, kind: 'REQUIRED' as const, order: 1 })),
    };
    const answered = (answer: string[], meets: string[]) =>
      applicantGiven(BASICS, { answer, meets }, asks, String);
    const { application, problems } = answered(['C#?=c#', 'c++?=x', 's3=z', 's4=y'], ['c#']);
    assert.deepEqual(problems, []);
    assert.deepEqual(application.answers, { s1: 'x', s2: 'c#', s3: 'z', s4: 'y' });
    assert.deepEqual(application.meets, ['C#']);
    const [which, c, meets] = answered(['Which?=y', 'C=x'], ['c']).problems;
    const expected = ['matches more than one question of this job', 'use its ID: s3 or s4'];
    assert.deepEqual([which?.message, which?.hint], expected);
    const wanted = ["isn't a question of this job", "isn't a qualification of this job"];
    assert.deepEqual([c?.message, meets?.message], wanted);
  });

  it('of the examples fits the job that it is for', () => {
    const read = (name: string) => JSON.parse(readFileSync(join(EXAMPLES, name), 'utf8'));
    const job = read('jobs/icu-nurse-boston.json');
    const numbered = (entries: object[]) => entries.map((entry, index) => ({ ...entry, id: `e${index}` }));
    const asks = {
      questions: numbered(job.questions),
      qualifications: numbered(job.qualifications),
    } as typeof ASKS;
    const { problems, files } = applicantGiven(read('applicants/icu-nurse.json'), {}, asks, (path) =>
      join(EXAMPLES, 'applicants', path),
    );
    assert.deepEqual(problems, []);
    for (const { path } of files) assert.ok(readFileSync(path).length > 0);
  });
});
