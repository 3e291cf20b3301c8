import assert from 'node:assert/strict';
import type { Job, JobContent } from '../../src/contract/job.ts';
import { ON_ANY_SERVER } from './any-server.ts';
import { allShown, BOSTON, contentOf, fullListing, MUNICH } from './listing.ts';
import { jobIn, Partner } from './partner.ts';
import {
  assertInputRefused,
  assertInvalid,
  assertRefused,
  changingNothing,
  storingNothing,
} from './refusal.ts';
import type { Subject } from './subject.ts';

type FieldRow = readonly [
  field: keyof JobContent,
  type: string,
  accepts: readonly unknown[],
  refuses: readonly unknown[],
];

const NO_STRINGS = [7, true, ['text'], { text: 'text' }] as const;
const NO_ARRAYS = [null, 'text', 7, {}] as const;
const SOME_TEXT = 'Köchin & “chef” – 🧑‍🍳 <b>50 %</b>\n\tzweite Zeile';

const SALARY = [
  'integer or null, whole dollars',
  [85_000, 0, 2 ** 53 - 1, null],
  [1.5, '85000', -1, 2 ** 53, true, [1], {}],
] as const;
const SETS = fullListing();
const URIS = ['https://ats.example/jobs/1?a=b&c=%20#d', 'urn:job:1', 'mailto:jobs@ats.example', 'x-ats:1'];
const NO_URIS = ['ats.example/jobs/1', '/jobs/1', 'two words', '', ' x-ats:1', 'x-ats:%zz'];

/** Rows of values of which one word is right, and the wrong spellings of it. */
const oneOf = (values: readonly string[], wrong: readonly string[]) =>
  [[...values, 'null'].join(', '), [...values, null], [...wrong, '', ...NO_STRINGS]] as const;

const FIELDS: readonly FieldRow[] = [
  ['title', 'string', ['Cook', '', SOME_TEXT], [null, ...NO_STRINGS]],
  ['description', 'string', ['Cooks.', '', SOME_TEXT], [null, ...NO_STRINGS]],
  ['remoteOption', ...oneOf(['REMOTE', 'HYBRID', 'IN_PERSON'], ['ON_SITE', 'remote'])],
  ['remoteCountry', 'string or null', ['Germany', SOME_TEXT, null], NO_STRINGS],
  ['jobType', ...oneOf(['FULL_TIME', 'PART_TIME', 'CONTRACT', 'INTERNSHIP'], ['FULLTIME', 'full_time'])],
  ['jobLevel', ...oneOf(['ENTRY', 'MID', 'SENIOR'], ['JUNIOR', 'mid'])],
  ['locations', 'array of LocationInput', [[BOSTON], [MUNICH, BOSTON], []], NO_ARRAYS],
  ['salaryMin', ...SALARY],
  ['salaryMax', ...SALARY],
  ['salaryPeriod', ...oneOf(['ANNUAL', 'HOURLY'], ['MONTHLY', 'annual'])],
  ['bidPerQualifiedApplicantCents', 'integer or null, cents', [1500, ...SALARY[1]], SALARY[2]],
  ['opportunityId', 'string or null', ['OPP-1', SOME_TEXT, null], NO_STRINGS],
  ['atsJobUrl', 'string (URI) or null', [...URIS, null], [...NO_URIS, ...NO_STRINGS]],
  ['qualifications', 'array of QualificationInput', [SETS.qualifications, []], NO_ARRAYS],
  ['questions', 'array of QuestionInput', [SETS.questions, []], NO_ARRAYS],
  ['budgets', 'array of BudgetInput', [SETS.budgets, []], NO_ARRAYS],
];

/** Of what is refused there, some is valid by the letter of the specification (decisions 30 and 31). */
const OF_OUR_OWN: readonly string[] = [
  'salaryMin',
  'salaryMax',
  'bidPerQualifiedApplicantCents',
  'atsJobUrl',
];

/** Section 2.2, each row twice: what is accepted on create and update, and what is refused with nothing stored. */
export function section22(subject: () => Subject): void {
  describe('2.2 JobInput (request body of create and update)', () => {
    let partner: Partner;
    let refused: Partner;
    let kept: Job;

    before(async () => {
      partner = await Partner.of(subject());
      refused = await Partner.of(subject());
      kept = await refused.draft(refused.fullListing());
    });

    for (const [field, type, accepts, refuses] of FIELDS) {
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

      const tag = OF_OUR_OWN.includes(field) ? '' : ON_ANY_SERVER;
      it(`2.2 ${field}: ${type} - refuses ${allShown(refuses)}${tag}`, async () => {
        await storingNothing(refused, async () => {
          for (const value of refuses) await assertInputRefused(refused, kept, { [field]: value }, field);
        });
      });
    }

    for (const field of ['locations', 'qualifications', 'questions', 'budgets'] as const) {
      it(`2.2 ${field}: an entry that is no object is refused at its index`, async () => {
        await storingNothing(refused, async () => {
          for (const entry of [null, 'text', 7, [], [[]]]) {
            // A text among locations is a place typed freely (decision 12).
            const isPlace = field === 'locations' && typeof entry === 'string';
            const at = isPlace ? 'locations[1].locationId' : `${field}[1]`;
            const input = { [field]: [...fullListing()[field].slice(0, 1), entry] };
            await assertInputRefused(refused, kept, input, at);
          }
        });
      });

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

    it('2.2 publish: boolean, default false, create only - true publishes, false and nothing leave a DRAFT', async () => {
      assert.equal((await partner.live()).status, 'ACTIVE');
      assert.equal((await partner.draft({ ...fullListing(), publish: false })).status, 'DRAFT');
      assert.equal((await partner.draft(fullListing())).status, 'DRAFT');
    });

    it('2.2 publish: boolean - refuses "true", 1, null, []', async () => {
      await storingNothing(refused, async () => {
        for (const publish of ['true', 1, null, []]) {
          assertInvalid(await refused.create({ ...fullListing(), publish }), 'publish');
        }
      });
    });

    it('2.2 publish: refused on update, whatever its value', async () => {
      for (const publish of [true, false]) {
        const attempt = () => refused.update(kept.id, { title: 'Other', publish });
        assertInvalid(await changingNothing(refused, kept, attempt), 'publish');
      }
    });

    it('2.2 all fields are optional: {} creates an empty draft, and an update of {} changes nothing', async () => {
      const empty = await partner.draft({});
      assert.equal(empty.status, 'DRAFT');
      assert.deepEqual(await partner.updated(empty.id, {}), empty);
    });

    it('2.2 the body is one JSON object: null, an array, a string and a number are refused @any-server', async () => {
      await storingNothing(refused, async () => {
        for (const body of [null, [], [{ title: 'x' }], 'title', 7, true]) {
          assertRefused(await refused.create(body), 422, 'VALIDATION_FAILED');
          assertRefused(await refused.update(kept.id, body), 422, 'VALIDATION_FAILED');
        }
      });
    });

    for (const [name, character] of [
      ['a NUL character', '\u0000'],
      ['half a surrogate pair', '\ud83d'],
    ] as const) {
      it(`2.2 text with ${name} is refused or kept whole, never answered as one thing and stored as another`, async () => {
        const odd = `before${character}after`;
        for (const field of ['title', 'description', 'remoteCountry', 'opportunityId'] as const) {
          const answer = await partner.create({ [field]: odd });
          if (answer.status === 422) assertInvalid(answer, field);
          else assert.equal((await partner.job(jobIn(answer, 201).id))[field], odd);
        }
      });
    }

    it('2.2 numbers past what JSON numbers hold, and exponents, are judged by their value', async () => {
      const withSalary = (text: string) => refused.callWithText('POST', '/jobs', `{"salaryMin": ${text}}`);
      for (const text of ['1e999', '-1e999', '9007199254740993', '1e-1', '123456789012345678901234567890']) {
        assertInvalid(await storingNothing(refused, () => withSalary(text)), 'salaryMin');
      }
      const created = jobIn(await partner.callWithText('POST', '/jobs', '{"salaryMin": 8.5e4}'), 201);
      assert.equal(created.salaryMin, 85_000);
    });
  });
}
