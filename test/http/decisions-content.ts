import assert from 'node:assert/strict';
import { fixture } from '../fixture.ts';
import { contentOf, fullListing } from './listing.ts';
import { Partner } from './partner.ts';
import { assertInputRefused, assertRefused, changingNothing, storingNothing } from './refusal.ts';
import type { Subject } from './subject.ts';

/** Decisions 11, 22 and 26. */
export function decisionsOnContent(subject: () => Subject): void {
  describe('decision 11, applicant basics as questions', () => {
    const partner = fixture('all tests', () => Partner.of(subject()));
    const kept = fixture('all tests', () => partner.draft({ questions: fullListing().questions }));

    it('decision 11, a prompt that as a whole asks for a basic is refused on create and update', async () => {
      const prompts = ['What is your first name?', 'Phone number', 'Please upload your resume'];
      await storingNothing(partner, async () => {
        for (const prompt of prompts) {
          const questions = [...fullListing().questions, { prompt, answerFormat: 'TEXT', order: 3 }];
          await assertInputRefused(partner, kept, { questions }, 'questions[2].prompt');
        }
      });
    });

    it('decision 11, a prompt that only mentions one is accepted', async () => {
      const prompt = 'Describe your email marketing experience';
      const job = await partner.draft({ questions: [{ prompt, answerFormat: 'TEXTAREA', order: 1 }] });
      assert.equal(job.questions[0]?.prompt, prompt);
    });
  });

  describe('decision 22, frozen fields sent unchanged', () => {
    const partner = fixture('all tests', () => Partner.of(subject()));
    const frozen = fixture('all tests', () => partner.frozen(fullListing()));

    it('decision 22, equal content is no change: accepted, with the other fields of the update', async () => {
      const { qualifications, questions } = fullListing();
      const changes = { qualifications, questions, title: 'Other title' };
      assert.deepEqual(await partner.updated(frozen.id, changes), { ...frozen, title: 'Other title' });
    });

    it('decision 22, the whole listing sent again changes nothing and is accepted', async () => {
      const before = await partner.job(frozen.id);
      assert.deepEqual(await partner.updated(frozen.id, contentOf(before)), before);
    });

    for (const [name, changes] of [
      ['a kind', { qualifications: fullListing().qualifications.map((q) => ({ ...q, kind: 'REQUIRED' })) }],
      ['an order', { questions: fullListing().questions.map((q) => ({ ...q, order: q.order + 1 })) }],
      [
        'a blank',
        { qualifications: fullListing().qualifications.map((q) => ({ ...q, text: `${q.text} ` })) },
      ],
      [
        'the order of options',
        {
          questions: fullListing().questions.map((q) =>
            q.options === undefined ? q : { ...q, options: [...q.options].reverse() },
          ),
        },
      ],
    ] as const)
      it(`decision 22, ${name} that differs is a change: 409 JOB_FROZEN`, async () => {
        const answer = await changingNothing(partner, frozen, () => partner.update(frozen.id, changes));
        assertRefused(answer, 409, 'JOB_FROZEN');
      });
  });

  describe('decision 26, ids of qualifications and questions', () => {
    const partner = fixture('all tests', () => Partner.of(subject()));

    for (const field of ['qualifications', 'questions'] as const) {
      it(`decision 26, ${field}: an entry whose content is unchanged keeps its id, a changed or new one gets a new id`, async () => {
        const job = await partner.draft(fullListing());
        const [first, second] = fullListing()[field];
        assert.ok(first && second);
        const changed = { ...first, order: 9 };
        const updated = await partner.updated(job.id, { [field]: [second, changed] });
        const before = job[field].map(({ id }) => id);
        const [keptId, newId] = updated[field].map(({ id }) => id);
        assert.equal(keptId, before[1]);
        assert.ok(newId !== undefined && !before.includes(newId));
        assert.deepEqual((await partner.job(job.id))[field], updated[field]);
      });

      it(`decision 26, ${field}: the same set sent again keeps every id, equal entries have their own`, async () => {
        const [entry] = fullListing()[field];
        const job = await partner.draft({ [field]: [entry, entry] });
        const ids = job[field].map(({ id }) => id);
        assert.equal(new Set(ids).size, 2);
        assert.deepEqual((await partner.updated(job.id, { [field]: [entry, entry] }))[field], job[field]);
        const third = await partner.updated(job.id, { [field]: [entry, entry, entry] });
        assert.equal(new Set(third[field].map(({ id }) => id)).size, 3);
      });
    }

    it('decision 26, ids are not shared between jobs of the same content', async () => {
      const [one, two] = [await partner.draft(fullListing()), await partner.draft(fullListing())];
      for (const field of ['qualifications', 'questions'] as const) {
        const ids = [...one[field], ...two[field]].map(({ id }) => id);
        assert.equal(new Set(ids).size, 4);
      }
    });
  });
}
