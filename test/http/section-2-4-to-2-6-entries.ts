import assert from 'node:assert/strict';
import type { JobUpdate, QuestionInput } from '../../src/contract/job.ts';
import type { AnswerFormat } from '../../src/contract/values.ts';
import { fixture } from '../fixture.ts';
import { ON_ANY_SERVER } from './any-server.ts';
import tables from './entries.json' with { type: 'json' };
import { allShown, contentOf } from './listing.ts';
import { jobIn, Partner } from './partner.ts';
import { assertInputRefused, storingNothing } from './refusal.ts';
import type { Subject } from './subject.ts';

type EntrySet = 'qualifications' | 'questions' | 'budgets';

const PLAIN_FORMATS = ['TEXT', 'TEXTAREA', 'NUMBER', 'FILE', 'DATE', 'SINGLE_CHECKBOX'] as const;
const SELECT_FORMATS: readonly AnswerFormat[] = ['SINGLE_SELECT', 'MULTI_SELECT'];

export function sections24to26(subject: () => Subject): void {
  for (const { section, entry, rows, ...table } of tables)
    describe(section, () => {
      const array = table.array as EntrySet;

      const partner = fixture('all tests', () => Partner.of(subject()));
      const kept = fixture('all tests', async () =>
        jobIn(await partner.create({ title: 'Kept', [array]: [entry] }), 201),
      );

      async function assertEntriesRefused(entries: unknown, ...fields: string[]): Promise<void> {
        await storingNothing(partner, () =>
          assertInputRefused(partner, kept, { [array]: entries }, ...fields),
        );
      }

      for (const { field, type, isRequired, isOurDecision, accepts, refuses } of rows) {
        const need = isRequired ? 'required' : 'not required';

        it(`${section} ${field}: ${type}, ${need} - accepts ${allShown(accepts)}`, async () => {
          const { id } = await partner.draft();
          for (const value of accepts) {
            const input = { [array]: [{ ...entry, [field]: value }] };
            const created = jobIn(await partner.create(input), 201);
            assert.deepEqual(contentOf(await partner.job(created.id))[array], input[array]);
            const updated = await partner.updated(id, input as JobUpdate);
            assert.deepEqual(contentOf(updated)[array], input[array]);
          }
        });

        const tag = isOurDecision ? '' : ON_ANY_SERVER;
        it(`${section} ${field}: ${type}, ${need} - refuses ${allShown(refuses)}${tag}`, async () =>
          await storingNothing(partner, async () => {
            for (const value of isRequired ? [...refuses, undefined] : refuses) {
              const input = { [array]: [{ ...entry, [field]: value }] };
              await assertInputRefused(partner, kept, input, `${array}[0].${field}`);
            }
          }));
      }

      it(`${section}: every fault of every entry is named at once`, async () => {
        const [first, second] = rows;
        assert.ok(first && second);
        const faulty = { ...entry, [first.field]: 7, [second.field]: {} };
        const fields = [first, second].map(({ field }) => `${array}[1].${field}`);
        await assertEntriesRefused([entry, faulty], ...fields);
      });

      it(`${section}: a field that the table does not have is refused and named (decision 16)`, () =>
        assertEntriesRefused([{ ...entry, weight: 3 }], `${array}[0].weight`));
    });

  describe('2.6 BudgetInput, without notes', () => {
    it('2.6 BudgetInput notes: not required - a budget without them is accepted, and none appear', async () => {
      const partner = await Partner.of(subject());
      const job = await partner.draft({ budgets: [{ window: 'WEEKLY', budgetCents: 700 }] });
      assert.deepEqual(contentOf(job).budgets, [{ window: 'WEEKLY', budgetCents: 700, notes: null }]);
    });
  });

  describe('2.5 QuestionInput, formats and options', () => {
    const partner = fixture('all tests', () => Partner.of(subject()));
    const kept = fixture('all tests', () =>
      partner.draft({ questions: [{ prompt: 'Why here?', answerFormat: 'TEXT', order: 1 }] }),
    );

    async function assertQuestionRefused(question: unknown, ...fields: string[]): Promise<void> {
      const refuse = () => assertInputRefused(partner, kept, { questions: [question] }, ...fields);
      await storingNothing(partner, refuse);
    }

    async function assertQuestionKept(question: QuestionInput): Promise<void> {
      const { id } = await partner.draft({ questions: [question] });
      assert.deepEqual(contentOf(await partner.job(id)).questions, [question]);
    }

    for (const answerFormat of PLAIN_FORMATS)
      it(`2.5 QuestionInput answerFormat ${answerFormat}: accepted without options, refused with them (decision 25)`, async () => {
        const question = { prompt: 'Tell us more.', answerFormat, order: 1 };
        await assertQuestionKept(question);
        await assertQuestionRefused({ ...question, options: ['Yes', 'No'] }, 'questions[0].options');
      });

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
      for (const options of ['Day', null, {}, 7])
        await assertQuestionRefused({ ...question, options }, 'questions[0].options');
      for (const option of [7, null, {}, ''])
        await assertQuestionRefused({ ...question, options: ['Day', option] }, 'questions[0].options[1]');
    });
  });
}
