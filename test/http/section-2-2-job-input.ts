import assert from 'node:assert/strict';
import type { JobContent } from '../../src/contract/job.ts';
import { fixture } from '../fixture.ts';
import { ON_ANY_SERVER } from './any-server.ts';
import fields from './fields.json' with { type: 'json' };
import { allShown, contentOf, fullListing } from './listing.ts';
import { jobIn, Partner } from './partner.ts';
import * as refusal from './refusal.ts';
import type { Subject } from './subject.ts';

const SET_FIELDS = ['locations', 'qualifications', 'questions', 'budgets'] as const;
const SETS = SET_FIELDS.map((field) => {
  const set = fullListing()[field];
  const [accepts, refuses] = [
    [set, set.toReversed(), []],
    [null, 'text', 7, {}],
  ];
  return { field, type: 'array', isOurDecision: false, accepts, refuses };
});

/** Section 2.2, two tests per row: accepted values, and refused values that store nothing. */
export function section22(subject: () => Subject): void {
  describe('2.2 JobInput (request body of create and update)', () => {
    const partner = fixture('all tests', () => Partner.of(subject()));
    const refused = fixture('all tests', () => Partner.of(subject()));
    const kept = fixture('all tests', () => refused.draft(refused.fullListing()));

    for (const { field: name, type, isOurDecision, accepts, refuses } of [...fields, ...SETS]) {
      const field = name as keyof JobContent;

      it(`2.2 ${field}: ${type} - accepts ${allShown(accepts)}`, async () => {
        const { id } = await partner.draft();
        for (const value of accepts) {
          const created = jobIn(await partner.create({ [field]: value }), 201);
          assert.deepEqual(contentOf(created)[field], value);
          assert.deepEqual(contentOf(await partner.job(created.id))[field], value);
          assert.deepEqual(contentOf(jobIn(await partner.update(id, { [field]: value }), 200))[field], value);
          assert.deepEqual(contentOf(await partner.job(id))[field], value);
        }
      });

      // The specification itself allows some of the refused values (decisions 30 and 31).
      const tag = isOurDecision ? '' : ON_ANY_SERVER;
      it(`2.2 ${field}: ${type} - refuses ${allShown(refuses)}${tag}`, async () =>
        await refusal.storingNothing(refused, async () => {
          for (const value of refuses)
            await refusal.assertInputRefused(refused, kept, { [field]: value }, field);
        }));
    }

    for (const field of SET_FIELDS) {
      it(`2.2 ${field}: an entry that is no object is refused at its index`, async () =>
        await refusal.storingNothing(refused, async () => {
          for (const entry of [null, 'text', 7, [], [[]]]) {
            // A string in `locations` is a place typed freely (decision 12).
            const isPlace = field === 'locations' && typeof entry === 'string';
            const at = isPlace ? 'locations[1].locationId' : `${field}[1]`;
            const input = { [field]: [...fullListing()[field].slice(0, 1), entry] };
            await refusal.assertInputRefused(refused, kept, input, at);
          }
        }));

      it(`2.2 ${field}: the set sent becomes the entire new set, and a field that is not sent stays @any-server`, async () => {
        if (field === 'locations') partner.places();
        const listing = partner.fullListing();
        const { id } = await partner.draft(listing);
        const [, second] = listing[field];
        const changed = await partner.updated(id, { [field]: [second] });
        assert.deepEqual(contentOf(changed), { ...listing, [field]: [second] });
        assert.deepEqual((await partner.updated(id, { [field]: [] }))[field], []);
        assert.deepEqual(contentOf(await partner.job(id)), { ...listing, [field]: [] });
      });
    }

    it('2.2 publish: boolean - refuses "true", 1, null, []', async () =>
      await refusal.storingNothing(refused, async () => {
        for (const publish of ['true', 1, null, []])
          refusal.assertInvalid(await refused.create({ ...fullListing(), publish }), 'publish');
      }));

    it('2.2 publish: refused on update, whatever its value', async () => {
      for (const publish of [true, false]) {
        const attempt = () => refused.update(kept.id, { title: 'Other', publish });
        refusal.assertInvalid(await refusal.changingNothing(refused, kept, attempt), 'publish');
      }
    });

    it('2.2 all fields are optional: {} creates an empty draft, and an update of {} changes nothing', async () => {
      const empty = await partner.draft({});
      assert.equal(empty.status, 'DRAFT');
      assert.deepEqual(await partner.updated(empty.id, {}), empty);
    });

    it('2.2 the body is one JSON object: null, an array, a string and a number are refused @any-server', async () =>
      await refusal.storingNothing(refused, async () => {
        for (const body of [null, [], [{ title: 'x' }], 'title', 7, true]) {
          refusal.assertRefused(await refused.create(body), 422, 'VALIDATION_FAILED');
          refusal.assertRefused(await refused.update(kept.id, body), 422, 'VALIDATION_FAILED');
        }
      }));

    for (const [name, character] of [
      ['a NUL character', '\u0000'],
      ['half a surrogate pair', '\ud83d'],
    ] as const)
      it(`2.2 text with ${name} is refused or kept whole, never answered as one thing and stored as another`, async () => {
        const odd = `before${character}after`;
        for (const field of ['title', 'description', 'remoteCountry', 'opportunityId'] as const) {
          const answer = await partner.create({ [field]: odd });
          if (answer.status === 422) refusal.assertInvalid(answer, field);
          else assert.equal((await partner.job(jobIn(answer, 201).id))[field], odd);
        }
      });

    it('2.2 numbers past what JSON numbers hold, and exponents, are judged by their value', async () => {
      const withSalary = (text: string) => refused.callWithText('POST', '/jobs', `{"salaryMin": ${text}}`);
      for (const text of ['1e999', '-1e999', '9007199254740993', '1e-1', '123456789012345678901234567890'])
        refusal.assertInvalid(await refusal.storingNothing(refused, () => withSalary(text)), 'salaryMin');
      const created = jobIn(await partner.callWithText('POST', '/jobs', '{"salaryMin": 8.5e4}'), 201);
      assert.equal(created.salaryMin, 85_000);
    });
  });
}
