import assert from 'node:assert/strict';
import type { Job, QuestionInput } from '../../src/contract/job.ts';
import type { AnswerFormat } from '../../src/contract/values.ts';
import { contentOf } from './listing.ts';
import { Partner } from './partner.ts';
import { assertInputRefused, storingNothing } from './refusal.ts';
import type { Subject } from './subject.ts';

const PLAIN_FORMATS: readonly AnswerFormat[] = [
  'TEXT',
  'TEXTAREA',
  'NUMBER',
  'FILE',
  'DATE',
  'SINGLE_CHECKBOX',
];
const SELECT_FORMATS: readonly AnswerFormat[] = ['SINGLE_SELECT', 'MULTI_SELECT'];

/** Section 2.5, `options` and each answer format; decision 25. */
export function section25(subject: () => Subject): void {
  describe('2.5 QuestionInput, formats and options', () => {
    let partner: Partner;
    let kept: Job;

    before(async () => {
      partner = await Partner.of(subject());
      kept = await partner.draft({ questions: [{ prompt: 'Why here?', answerFormat: 'TEXT', order: 1 }] });
    });

    async function assertQuestionRefused(question: unknown, ...fields: string[]): Promise<void> {
      const refuse = () => assertInputRefused(partner, kept, { questions: [question] }, ...fields);
      await storingNothing(partner, refuse);
    }

    async function assertQuestionKept(question: QuestionInput): Promise<void> {
      const { id } = await partner.draft({ questions: [question] });
      assert.deepEqual(contentOf(await partner.job(id)).questions, [question]);
    }

    for (const answerFormat of PLAIN_FORMATS) {
      it(`2.5 QuestionInput answerFormat ${answerFormat}: accepted without options, refused with them (decision 25)`, async () => {
        const question = { prompt: 'Tell us more.', answerFormat, order: 1 };
        await assertQuestionKept(question);
        await assertQuestionRefused({ ...question, options: ['Yes', 'No'] }, 'questions[0].options');
      });
    }

    for (const answerFormat of SELECT_FORMATS) {
      const question = { prompt: 'Which shifts?', answerFormat, order: 1 };

      it(`2.5 QuestionInput answerFormat ${answerFormat}: accepted with one option or several, in their order`, async () => {
        await assertQuestionKept({ ...question, options: ['Night', 'Day', 'Ärztlicher Dienst'] });
        await assertQuestionKept({ ...question, options: ['Only this'] });
      });

      it(`2.5 QuestionInput options: ${answerFormat} needs at least one, and distinct ones (decision 25)`, async () => {
        await assertQuestionRefused(question, 'questions[0].options');
        await assertQuestionRefused({ ...question, options: [] }, 'questions[0].options');
        await assertQuestionRefused(
          { ...question, options: ['Day', 'Night', 'Day'] },
          'questions[0].options[2]',
        );
      });
    }

    it('2.5 QuestionInput options: array of string - refuses "Day", null, {} and entries that are no text', async () => {
      const question = { prompt: 'Which shifts?', answerFormat: 'SINGLE_SELECT', order: 1 };
      for (const options of ['Day', null, {}, 7]) {
        await assertQuestionRefused({ ...question, options }, 'questions[0].options');
      }
      for (const option of [7, null, {}, '']) {
        await assertQuestionRefused({ ...question, options: ['Day', option] }, 'questions[0].options[1]');
      }
    });
  });
}
