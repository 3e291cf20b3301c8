import assert from 'node:assert/strict';
import type { Job, JobUpdate, QuestionInput } from '../../src/contract/job.ts';
import type { AnswerFormat } from '../../src/contract/values.ts';
import { ON_ANY_SERVER } from './any-server.ts';
import { allShown, contentOf } from './listing.ts';
import { jobIn, Partner } from './partner.ts';
import { assertInputRefused, storingNothing } from './refusal.ts';
import type { Subject } from './subject.ts';

type EntryRow = readonly [
  field: string,
  type: string,
  accepts: readonly unknown[],
  refuses: readonly unknown[],
  isRequired?: false,
];

interface EntryTable {
  readonly section: string;
  readonly array: 'qualifications' | 'questions' | 'budgets';
  /** An entry that is accepted as it stands. */
  readonly entry: Readonly<Record<string, unknown>>;
  readonly rows: readonly EntryRow[];
}

/** Those of which every refused value breaks the specification, not only our decisions. */
const ENUMS: readonly string[] = ['kind', 'answerFormat', 'window'];

const NO_TEXTS = [7, null, true, ['text'], ''] as const;
const ORDER: EntryRow = ['order', 'integer', [0, 1, 50, 1000], [1.5, '1', null, true, 2 ** 53]];
const KINDS = ['REQUIRED', 'DESIRED'];
const PLAIN_FORMATS = ['TEXT', 'TEXTAREA', 'NUMBER', 'FILE', 'DATE', 'SINGLE_CHECKBOX'] as const;
const SELECT_FORMATS: readonly AnswerFormat[] = ['SINGLE_SELECT', 'MULTI_SELECT'];
const WINDOWS = ['DAILY', 'WEEKLY', 'MONTHLY', 'LIFETIME'];
const NO_CENTS = [-1, 0.5, 99.99, '5000', null, true, 2 ** 53];

const TABLES: readonly EntryTable[] = [
  {
    section: '2.4 QualificationInput',
    array: 'qualifications',
    entry: { text: 'Forklift licence', kind: 'REQUIRED', order: 1 },
    rows: [
      ['text', 'string', ['Forklift licence', 'Führerschein C1 🚚'], NO_TEXTS],
      ['kind', KINDS.join(', '), KINDS, ['OPTIONAL', 'required', ...NO_TEXTS]],
      ORDER,
    ],
  },
  {
    section: '2.5 QuestionInput',
    array: 'questions',
    entry: { prompt: 'Why this shift?', answerFormat: 'TEXT', order: 1 },
    rows: [
      ['prompt', 'string', ['Why this shift?', 'Ab wann können Sie anfangen? 📅'], NO_TEXTS],
      ['answerFormat', PLAIN_FORMATS.join(', '), PLAIN_FORMATS, ['CHECKBOX', 'text', ...NO_TEXTS]],
      ORDER,
    ],
  },
  {
    section: '2.6 BudgetInput',
    array: 'budgets',
    entry: { window: 'DAILY', budgetCents: 5000, notes: null },
    rows: [
      ['window', WINDOWS.join(', '), WINDOWS, ['YEARLY', 'daily', ...NO_TEXTS]],
      ['budgetCents', 'integer, minimum 0', [0, 1, 500_000, 2 ** 53 - 1], NO_CENTS],
      ['notes', 'string or null', ['until the fair', '', null], [7, true, ['text'], {}], false],
    ],
  },
];

/** Sections 2.4, 2.5 and 2.6: each field of an entry, on create and on update. */
export function sections24to26(subject: () => Subject): void {
  for (const { section, array, entry, rows } of TABLES) {
    describe(section, () => {
      let partner: Partner;
      let kept: Job;

      before(async () => {
        partner = await Partner.of(subject());
        kept = jobIn(await partner.create({ title: 'Kept', [array]: [entry] }), 201);
      });

      async function assertEntriesRefused(entries: unknown, ...fields: string[]): Promise<void> {
        await storingNothing(partner, () =>
          assertInputRefused(partner, kept, { [array]: entries }, ...fields),
        );
      }

      for (const [field, type, accepts, refuses, isRequired = true] of rows) {
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

        const tag = ENUMS.includes(field) ? ON_ANY_SERVER : '';
        it(`${section} ${field}: ${type}, ${need} - refuses ${allShown(refuses)}${tag}`, async () => {
          await storingNothing(partner, async () => {
            for (const value of isRequired ? [...refuses, undefined] : refuses) {
              const input = { [array]: [{ ...entry, [field]: value }] };
              await assertInputRefused(partner, kept, input, `${array}[0].${field}`);
            }
          });
        });
      }

      it(`${section}: every fault of every entry is named at once`, async () => {
        const [first, second] = rows;
        assert.ok(first && second);
        const faulty = { ...entry, [first[0]]: 7, [second[0]]: {} };
        await assertEntriesRefused([entry, faulty], `${array}[1].${first[0]}`, `${array}[1].${second[0]}`);
      });

      it(`${section}: a field that the table does not have is refused and named (decision 16)`, async () => {
        await assertEntriesRefused([{ ...entry, weight: 3 }], `${array}[0].weight`);
      });
    });
  }

  describe('2.6 BudgetInput, without notes', () => {
    it('2.6 BudgetInput notes: not required - a budget without them is accepted, and none appear', async () => {
      const partner = await Partner.of(subject());
      const job = await partner.draft({ budgets: [{ window: 'WEEKLY', budgetCents: 700 }] });
      assert.deepEqual(contentOf(job).budgets, [{ window: 'WEEKLY', budgetCents: 700, notes: null }]);
    });
  });

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
