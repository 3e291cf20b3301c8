import assert from 'node:assert/strict';
import type { Job, JobUpdate } from '../../src/contract/job.ts';
import { allShown, contentOf } from './listing.ts';
import { jobIn, Partner } from './partner.ts';
import { assertInputRefused, storingNothing } from './refusal.ts';
import type { Subject } from './subject.ts';

interface EntryRow {
  readonly field: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly accepts: readonly unknown[];
  readonly refuses: readonly unknown[];
}

interface EntryTable {
  readonly section: string;
  readonly array: 'qualifications' | 'questions' | 'budgets';
  /** An entry that is accepted as it stands. */
  readonly entry: Readonly<Record<string, unknown>>;
  readonly rows: readonly EntryRow[];
}

const NO_TEXTS = [7, null, true, ['text'], ''] as const;
const ORDERS = {
  type: 'integer',
  accepts: [0, 1, 50, 1000],
  refuses: [1.5, '1', null, true, 2 ** 53],
} as const;

const TABLES: readonly EntryTable[] = [
  {
    section: '2.4 QualificationInput',
    array: 'qualifications',
    entry: { text: 'Forklift licence', kind: 'REQUIRED', order: 1 },
    rows: [
      {
        field: 'text',
        type: 'string',
        isRequired: true,
        accepts: ['Forklift licence', 'Führerschein C1 🚚'],
        refuses: NO_TEXTS,
      },
      {
        field: 'kind',
        type: 'REQUIRED, DESIRED',
        isRequired: true,
        accepts: ['REQUIRED', 'DESIRED'],
        refuses: ['OPTIONAL', 'required', ...NO_TEXTS],
      },
      { field: 'order', isRequired: true, ...ORDERS },
    ],
  },
  {
    section: '2.5 QuestionInput',
    array: 'questions',
    entry: { prompt: 'Why this shift?', answerFormat: 'TEXT', order: 1 },
    rows: [
      {
        field: 'prompt',
        type: 'string',
        isRequired: true,
        accepts: ['Why this shift?', 'Ab wann können Sie anfangen? 📅'],
        refuses: NO_TEXTS,
      },
      {
        field: 'answerFormat',
        type: 'TEXT, TEXTAREA, NUMBER, FILE, DATE, SINGLE_CHECKBOX and, with options, the SELECT formats',
        isRequired: true,
        accepts: ['TEXT', 'TEXTAREA', 'NUMBER', 'FILE', 'DATE', 'SINGLE_CHECKBOX'],
        refuses: ['CHECKBOX', 'text', ...NO_TEXTS],
      },
      { field: 'order', isRequired: true, ...ORDERS },
    ],
  },
  {
    section: '2.6 BudgetInput',
    array: 'budgets',
    entry: { window: 'DAILY', budgetCents: 5000, notes: null },
    rows: [
      {
        field: 'window',
        type: 'DAILY, WEEKLY, MONTHLY, LIFETIME',
        isRequired: true,
        accepts: ['DAILY', 'WEEKLY', 'MONTHLY', 'LIFETIME'],
        refuses: ['YEARLY', 'daily', ...NO_TEXTS],
      },
      {
        field: 'budgetCents',
        type: 'integer, minimum 0 (whole cents)',
        isRequired: true,
        accepts: [0, 1, 500_000, 2 ** 53 - 1],
        refuses: [-1, 0.5, 99.99, '5000', null, true, 2 ** 53],
      },
      {
        field: 'notes',
        type: 'string or null',
        isRequired: false,
        accepts: ['until the fair', '', null],
        refuses: [7, true, ['text'], {}],
      },
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

      for (const { field, type, isRequired, accepts, refuses } of rows) {
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

        it(`${section} ${field}: ${type}, ${need} - refuses ${allShown(refuses)}`, async () => {
          await storingNothing(partner, async () => {
            for (const value of refuses) {
              const input = { [array]: [{ ...entry, [field]: value }] };
              await assertInputRefused(partner, kept, input, `${array}[0].${field}`);
            }
          });
        });

        if (isRequired) {
          it(`${section} ${field}: an entry without it is refused`, async () => {
            const { [field]: _, ...rest } = entry;
            await assertEntriesRefused([rest], `${array}[0].${field}`);
          });
        }
      }

      it(`${section}: every fault of every entry is named at once`, async () => {
        const [first, second] = rows;
        assert.ok(first && second);
        const faulty = { ...entry, [first.field]: 7, [second.field]: {} };
        await assertEntriesRefused(
          [entry, faulty],
          `${array}[1].${first.field}`,
          `${array}[1].${second.field}`,
        );
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
}
