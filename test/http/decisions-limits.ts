import assert from 'node:assert/strict';
import type { Job, JobContent, LocationSuggestion } from '../../src/contract/job.ts';
import { completeListing, contentOf, locationInput } from './listing.ts';
import { itemsIn, jobIn, Partner } from './partner.ts';
import { assertInputRefused, assertRefused, changingNothing, storingNothing } from './refusal.ts';
import type { Subject } from './subject.ts';

interface Sized {
  readonly name: string;
  readonly limit: number;
  /** The input whose size is `size`, and the field that a refusal names. */
  readonly input: (size: number) => Partial<JobContent>;
  readonly field: string;
}

const text = (size: number) => 'x'.repeat(size);
const times = <T>(size: number, entry: (index: number) => T): T[] =>
  Array.from({ length: size }, (_, i) => entry(i));

const SIZED: readonly Sized[] = [
  { name: 'title', limit: 500, input: (size) => ({ title: text(size) }), field: 'title' },
  {
    name: 'description',
    limit: 100_000,
    input: (size) => ({ description: text(size) }),
    field: 'description',
  },
  {
    name: 'remoteCountry',
    limit: 2000,
    input: (size) => ({ remoteCountry: text(size) }),
    field: 'remoteCountry',
  },
  {
    name: 'opportunityId',
    limit: 2000,
    input: (size) => ({ opportunityId: text(size) }),
    field: 'opportunityId',
  },
  {
    name: 'atsJobUrl',
    limit: 2000,
    input: (size) => ({ atsJobUrl: `https://ats.example/${text(size - 20)}` }),
    field: 'atsJobUrl',
  },
  {
    name: 'a qualification’s text',
    limit: 2000,
    input: (size) => ({ qualifications: [{ text: text(size), kind: 'DESIRED', order: 1 }] }),
    field: 'qualifications[0].text',
  },
  {
    name: 'a question’s prompt',
    limit: 2000,
    input: (size) => ({ questions: [{ prompt: text(size), answerFormat: 'TEXT', order: 1 }] }),
    field: 'questions[0].prompt',
  },
  {
    name: 'an option’s text',
    limit: 2000,
    input: (size) => ({
      questions: [{ prompt: 'Which?', answerFormat: 'MULTI_SELECT', options: [text(size)], order: 1 }],
    }),
    field: 'questions[0].options[0]',
  },
  {
    name: 'a budget’s notes',
    limit: 2000,
    input: (size) => ({ budgets: [{ window: 'DAILY', budgetCents: 1, notes: text(size) }] }),
    field: 'budgets[0].notes',
  },
  {
    name: 'the number of qualifications',
    limit: 50,
    input: (size) => ({
      qualifications: times(size, (index) => ({ text: `No. ${index}`, kind: 'DESIRED', order: index })),
    }),
    field: 'qualifications',
  },
  {
    name: 'the number of questions',
    limit: 50,
    input: (size) => ({
      questions: times(size, (index) => ({
        prompt: `Why no. ${index}?`,
        answerFormat: 'TEXT',
        order: index,
      })),
    }),
    field: 'questions',
  },
  {
    name: 'the number of options',
    limit: 200,
    input: (size) => ({
      questions: [
        {
          prompt: 'Which?',
          answerFormat: 'SINGLE_SELECT',
          options: times(size, (index) => `No. ${index}`),
          order: 1,
        },
      ],
    }),
    field: 'questions[0].options',
  },
];

const BODY_BYTES = 1024 * 1024;

/** Decision 15 (section 8, rule 7): every maximum, at it and one past it. */
export function decisionsOnLimits(subject: () => Subject): void {
  describe('8.7 and decision 15, maximum sizes', () => {
    let partner: Partner;
    let refused: Partner;
    let kept: Job;

    before(async () => {
      partner = await Partner.of(subject());
      refused = await Partner.of(subject());
      kept = await refused.draft(completeListing());
    });

    for (const { name, limit, input, field } of SIZED) {
      it(`8.7 ${name}: ${limit} are accepted and kept whole, ${limit + 1} are refused (decision 15)`, async () => {
        const atLimit = input(limit);
        const created = await partner.draft(atLimit);
        assert.deepEqual(pick(contentOf(await partner.job(created.id)), atLimit), atLimit);
        const past = input(limit + 1);
        await storingNothing(refused, () => assertInputRefused(refused, kept, past, field));
      });
    }

    it('8.7 title: its characters are counted as people count them, 500 signs of two code units too (decision 15)', async () => {
      await partner.draft({ title: '🛠'.repeat(500) });
      const attempt = () => assertInputRefused(refused, kept, { title: '🛠'.repeat(501) }, 'title');
      await storingNothing(refused, attempt);
    });

    it('8.7 the number of locations: 50 are accepted, 51 are refused (decision 15)', async () => {
      const found = itemsIn<LocationSuggestion>(await partner.search('?q=san&limit=50'));
      const more = itemsIn<LocationSuggestion>(await partner.search('?q=bo&limit=1'));
      const locations = [...found, ...more].map(locationInput);
      assert.equal((await partner.draft({ locations: locations.slice(0, 50) })).locations.length, 50);
      await storingNothing(refused, () => assertInputRefused(refused, kept, { locations }, 'locations'));
    });

    it('8.7 the number of budgets: 51 are refused for their number too (decision 15)', async () => {
      const budgets = times(51, () => ({ window: 'DAILY', budgetCents: 1 }));
      const answer = await storingNothing(refused, () => refused.create({ budgets }));
      const { fields } = assertRefused(answer, 422, 'VALIDATION_FAILED');
      assert.match(fields?.budgets ?? '', /50/);
    });

    it('8.7 the body: 1 MiB is read, a byte more is 413 PAYLOAD_TOO_LARGE (decision 15)', async () => {
      const padded = (bytes: number) => '{"title":"x"}'.padEnd(bytes, ' ');
      jobIn(await partner.callWithText('POST', '/jobs', padded(BODY_BYTES)), 201);
      const create = () => refused.callWithText('POST', '/jobs', padded(BODY_BYTES + 1));
      assertRefused(await storingNothing(refused, create), 413, 'PAYLOAD_TOO_LARGE');
      const update = () => refused.callWithText('PATCH', `/jobs/${kept.id}`, padded(BODY_BYTES + 1));
      assertRefused(await changingNothing(refused, kept, update), 413, 'PAYLOAD_TOO_LARGE');
    });

    it('8.7 the body: its bytes are counted, not its characters (decision 15)', async () => {
      const body = `{"title":"x","note":"${'ü'.repeat(BODY_BYTES / 2)}"}`;
      const create = () => refused.callWithText('POST', '/jobs', body);
      assertRefused(await storingNothing(refused, create), 413, 'PAYLOAD_TOO_LARGE');
    });
  });
}

function pick(content: JobContent, like: Partial<JobContent>): Partial<JobContent> {
  return Object.fromEntries(Object.entries(content).filter(([field]) => field in like));
}
