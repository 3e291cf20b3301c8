import assert from 'node:assert/strict';
import type { JobInput } from '../../src/contract/job.ts';
import { ALL_GAPS, GAPS } from './gaps.ts';
import { AUSTIN, completeListing } from './listing.ts';
import { Partner } from './partner.ts';
import { assertInvalid, changingNothing, storingNothing } from './refusal.ts';
import type { Subject } from './subject.ts';

const EMPTY: Readonly<Record<string, unknown>> = { title: '', description: '', qualifications: [] };

/** Listings at the edge of gate 1 that are complete. */
const JUST_COMPLETE: readonly (readonly [name: string, listing: JobInput])[] = [
  ['REMOTE with a country and no location', {}],
  [
    'HYBRID with one location and no country',
    { remoteOption: 'HYBRID', remoteCountry: null, locations: [AUSTIN] },
  ],
  [
    'IN_PERSON with one location and no country',
    { remoteOption: 'IN_PERSON', remoteCountry: null, locations: [AUSTIN] },
  ],
  ['`salaryMin` = `salaryMax`', { salaryMin: 40, salaryMax: 40, salaryPeriod: 'HOURLY' }],
  ['a bid of 1 cent', { bidPerQualifiedApplicantCents: 1 }],
  [
    'one REQUIRED qualification after a DESIRED one',
    {
      qualifications: [
        { text: 'Own tools', kind: 'DESIRED', order: 1 },
        { text: 'Licence', kind: 'REQUIRED', order: 2 },
      ],
    },
  ],
  [
    'no `opportunityId`, `atsJobUrl`, questions or budgets',
    { opportunityId: null, atsJobUrl: null, questions: [], budgets: [] },
  ],
];

/** Section 8, publish gate 1, for publish and create; for edits see section 3, rule 3, for gates 2 and 3 section 4. */
export function section8PublishGates(subject: () => Subject): void {
  describe('8 Publish gates', () => {
    let partner: Partner;

    before(async () => {
      partner = await Partner.of(subject());
    });

    for (const { name, change, field } of GAPS) {
      it(`8 gate 1 completeness: publish without ${name} is 422 with that field`, async () => {
        const job = await partner.draft(completeListing(change));
        const answer = await changingNothing(partner, job, () => partner.move(job.id, 'publish'));
        assertInvalid(answer, field);
      });

      it(`8 gate 1 completeness: create with \`publish: true\` without ${name} is 422 with that field`, async () => {
        const payload = completeListing({ ...change, publish: true });
        assertInvalid(await storingNothing(partner, () => partner.create(payload)), field);
      });
    }

    it('8 gate 1 completeness: each gap is reported, all at once, on publish, create and the edit of a live job', async () => {
      const draft = await partner.draft();
      const publish = () => partner.move(draft.id, 'publish');
      assertInvalid(await changingNothing(partner, draft, publish), ...ALL_GAPS);
      const create = () => partner.create({ publish: true });
      assertInvalid(await storingNothing(partner, create), ...ALL_GAPS);
      const live = await partner.live();
      const emptied = Object.fromEntries(
        Object.keys(completeListing()).map((field) => [field, EMPTY[field] ?? null]),
      );
      const edit = () => partner.update(live.id, { ...emptied, remoteCountry: 'United States' });
      assertInvalid(await changingNothing(partner, live, edit), ...ALL_GAPS);
    });

    for (const [name, listing] of JUST_COMPLETE) {
      it(`8 gate 1 completeness: ${name} is complete`, async () => {
        const { id } = await partner.draft(completeListing(listing));
        assert.equal((await partner.moved(id, 'publish')).status, 'ACTIVE');
        assert.equal((await partner.live(listing)).status, 'ACTIVE');
      });
    }
  });
}
