import assert from 'node:assert/strict';
import { checkApplicationInput, findAnswerFault, isQualified } from '../../../src/contract/application.ts';
import { ANSWER_FORMATS, takesOptions } from '../../../src/contract/values.ts';
import { createApplicants } from '../../../src/engine/applications/made-up.ts';
import { engineFor } from '../engine-under-test.ts';
import { candidateOf } from './candidate.ts';
import shares from './shares.json' with { type: 'json' };

const ASKS = {
  questions: ANSWER_FORMATS.map((answerFormat, order) => ({
    id: `s${order}`,
    prompt: answerFormat === 'DATE' ? 'Certificate issued?' : `${answerFormat}?`,
    answerFormat,
    order,
    ...(takesOptions(answerFormat) ? { options: ['first', 'second', 'third'] } : {}),
  })),
  qualifications: [
    { id: 'q1', text: 'Can weld', kind: 'REQUIRED', order: 1 } as const,
    { id: 'q2', text: 'Can read drawings', kind: 'REQUIRED', order: 2 } as const,
    { id: 'q3', text: 'Can drive', kind: 'DESIRED', order: 3 } as const,
  ],
};
const PLAN = { count: 500, qualifiedShare: 0.7, seed: 7, run: 'run', fileId: 'fil_x', now: 0 };

describe('made-up applicants', () => {
  const made = (changes: Partial<typeof PLAN> = {}) => [...createApplicants(ASKS, { ...PLAN, ...changes })];

  it('answer every format as it asks, and are told apart', () => {
    const applicants = made();
    for (const applicant of applicants) {
      assert.ok(checkApplicationInput(applicant).ok, JSON.stringify(applicant));
      for (const question of ASKS.questions)
        assert.equal(findAnswerFault(question, applicant.answers ?? {}), undefined);
    }
    const different = (of: (one: (typeof applicants)[number]) => string) => new Set(applicants.map(of)).size;
    const actual = different(({ email }) => email);
    assert.equal(actual, PLAN.count);
    assert.ok(different(({ firstName, lastName }) => `${firstName} ${lastName}`) > 400);
    assert.ok(different(({ answers }) => JSON.stringify(answers)) > 400);
  });

  it('are qualified to the stated share, rounded, whatever the seed', () => {
    for (const [count, qualifiedShare, qualified] of shares as [number, number, number][]) {
      for (const seed of [0, 1, 2 ** 32 - 1]) {
        const applicants = made({ count, qualifiedShare, seed });
        const met = applicants.filter((applicant) => isQualified(applicant, ASKS.qualifications));
        assert.equal(met.length, qualified, `${count} at ${qualifiedShare}`);
      }
    }
  });
});

describe('made-up applications', () => {
  const engine = engineFor('all tests');

  it('that were delivered stay when it is interrupted, and it says how many', async () => {
    const { id } = await candidateOf(engine).publish();
    const interrupt = new AbortController();
    const plan = { count: 1_000, qualifiedShare: 1, seed: 1 };
    const options = { signal: interrupt.signal, onProgress: () => interrupt.abort() };
    await assert.rejects(engine.operator.applications.applyMany(id, plan, options), {
      code: 'INTERRUPTED',
      message: 'interrupted. 64 of 1,000 applications were delivered and are kept',
    });
    const { body: job } = await engine.call('GET', `/jobs/${id}`);
    assert.equal(job.applicationCounts.pending, 64);
  });
});
