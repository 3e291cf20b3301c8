import assert from 'node:assert/strict';
import type { Job, JobContent, LocationSuggestion } from '../../src/contract/job.ts';
import { completeListing, contentOf, locationInput } from './listing.ts';
import { itemsIn, jobIn, Partner } from './partner.ts';
import { assertInputRefused, assertRefused, changingNothing, storingNothing } from './refusal.ts';
import type { Subject } from './subject.ts';

/** An input of a size, what the size is of, its limit, and the field that a refusal names. */
type Sized = readonly [
  name: string,
  limit: number,
  input: (size: number) => Partial<JobContent>,
  field: string,
];

const text = (size: number) => 'x'.repeat(size);
const times = <T>(size: number, entry: (index: number) => T): T[] =>
  Array.from({ length: size }, (_, i) => entry(i));
const qualification = (text: string, order: number) => ({ text, kind: 'DESIRED' as const, order });
const question = (prompt: string, order: number) => ({ prompt, answerFormat: 'TEXT' as const, order });
const select = (options: string[]) => ({
  questions: [{ prompt: 'Which?', answerFormat: 'MULTI_SELECT' as const, options, order: 1 }],
});
const notes = (size: number) => [{ window: 'DAILY' as const, budgetCents: 1, notes: text(size) }];

const SIZED: readonly Sized[] = [
  ['title', 500, (size) => ({ title: text(size) }), 'title'],
  ['description', 100_000, (size) => ({ description: text(size) }), 'description'],
  ['remoteCountry', 2000, (size) => ({ remoteCountry: text(size) }), 'remoteCountry'],
  ['opportunityId', 2000, (size) => ({ opportunityId: text(size) }), 'opportunityId'],
  ['atsJobUrl', 2000, (size) => ({ atsJobUrl: `https://ats.example/${text(size - 20)}` }), 'atsJobUrl'],
  [
    'a qualification’s text',
    2000,
    (size) => ({ qualifications: [qualification(text(size), 1)] }),
    'qualifications[0].text',
  ],
  ['a question’s prompt', 2000, (size) => ({ questions: [question(text(size), 1)] }), 'questions[0].prompt'],
  ['an option’s text', 2000, (size) => select([text(size)]), 'questions[0].options[0]'],
  ['a budget’s notes', 2000, (size) => ({ budgets: notes(size) }), 'budgets[0].notes'],
  [
    'the number of qualifications',
    50,
    (size) => ({ qualifications: times(size, (index) => qualification(`No. ${index}`, index)) }),
    'qualifications',
  ],
  [
    'the number of questions',
    50,
    (size) => ({ questions: times(size, (index) => question(`Why no. ${index}?`, index)) }),
    'questions',
  ],
  [
    'the number of options',
    200,
    (size) => select(times(size, (index) => `No. ${index}`)),
    'questions[0].options',
  ],
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

    for (const [name, limit, input, field] of SIZED) {
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
