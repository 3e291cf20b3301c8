import type { JobUpdate } from '../../src/contract/job.ts';
import { AUSTIN, completeListing } from './listing.ts';
import { Partner } from './partner.ts';
import {
  assertInvalid,
  assertRefused,
  assertWrongState,
  changingNothing,
  storingNothing,
} from './refusal.ts';
import type { Subject } from './subject.ts';

/** Section 7: each row of the error table under its condition, and the rules below it. */
export function section7(subject: () => Subject): void {
  describe('7 Errors', () => {
    let partner: Partner;
    let termless: Partner;
    let cardless: Partner;

    before(async () => {
      partner = await Partner.of(subject());
      termless = await Partner.of(subject(), { terms: false });
      cardless = await Partner.of(subject(), { card: false });
    });

    it('7 401 INVALID_SERVICE_KEY: missing, unknown or revoked partner key', async () => {
      const revoked = partner.withKey(await subject().issueKey(partner.companyId));
      await subject().revokeKey(revoked.companyId, revoked.key);
      for (const stranger of [partner.withKey(''), partner.withKey('sk_ext_unknown'), revoked]) {
        const answer = await storingNothing(partner, () => stranger.create({ title: 'x' }));
        assertRefused(answer, 401, 'INVALID_SERVICE_KEY');
      }
    });

    it('7 402 PAYMENT_METHOD_REQUIRED: publishing while no card is on file', async () => {
      const job = await cardless.draft(completeListing());
      const answer = await changingNothing(cardless, job, () => cardless.move(job.id, 'publish'));
      assertRefused(answer, 402, 'PAYMENT_METHOD_REQUIRED');
      await subject().addCard(cardless.companyId);
      await cardless.moved(job.id, 'publish');
    });

    it('7 404 NOT_FOUND: the job does not exist or belongs to another company', async () => {
      const job = await partner.draft();
      assertRefused(await partner.get(job.id + 1_000_000), 404, 'NOT_FOUND');
      const attempt = () => termless.update(job.id, { title: 'Mine now' });
      assertRefused(await changingNothing(partner, job, attempt), 404, 'NOT_FOUND');
    });

    it('7 409 AGREEMENT_OUTDATED: publishing while the current employer terms are not accepted', async () => {
      const job = await termless.draft(completeListing());
      const answer = await changingNothing(termless, job, () => termless.move(job.id, 'publish'));
      assertRefused(answer, 409, 'AGREEMENT_OUTDATED');
      await subject().acceptTerms(termless.companyId);
      await termless.moved(job.id, 'publish');
    });

    for (const changes of [
      { qualifications: [{ text: 'Other', kind: 'REQUIRED', order: 1 }] },
      { questions: [{ prompt: 'Why?', answerFormat: 'TEXT', order: 1 }] },
    ] satisfies JobUpdate[]) {
      const [field] = Object.keys(changes);
      it(`7 409 JOB_FROZEN: changing \`${field}\` of a job that has applications`, async () => {
        const job = await partner.live();
        await subject().apply(job.id);
        const attempt = () => partner.update(job.id, changes);
        assertRefused(await changingNothing(partner, job, attempt), 409, 'JOB_FROZEN');
      });
    }

    it('7 422 VALIDATION_FAILED: bad input - `fields` maps each offending field name to a text', async () => {
      const answer = await storingNothing(partner, () => partner.create({ title: 7, salaryMin: 'much' }));
      assertInvalid(answer, 'title', 'salaryMin');
    });

    it('7 422 VALIDATION_FAILED: incomplete listing - `fields` maps each offending field name to a text', async () => {
      const payload = completeListing({ publish: true, jobType: null, description: '' });
      assertInvalid(await storingNothing(partner, () => partner.create(payload)), 'jobType', 'description');
    });

    it('7 INVALID_TRANSITION: a lifecycle operation not allowed from the current state, as 409 (decision 7)', async () => {
      const job = await partner.draft(completeListing());
      for (const transition of ['pause', 'resume', 'close'] as const) {
        assertWrongState(await changingNothing(partner, job, () => partner.move(job.id, transition)));
      }
    });

    it('7 rule 1: when a publish gate fails on create-and-publish, nothing is created', async () => {
      const company = await Partner.of(subject(), { terms: false, card: false });
      const payload = completeListing({ publish: true, locations: [AUSTIN] });
      const attempt = () => company.create(payload);
      assertInvalid(await storingNothing(company, () => company.create({ ...payload, title: '' })), 'title');
      assertRefused(await storingNothing(company, attempt), 409, 'AGREEMENT_OUTDATED');
      await subject().acceptTerms(company.companyId);
      assertRefused(await storingNothing(company, attempt), 402, 'PAYMENT_METHOD_REQUIRED');
    });

    it('7 rule 2: an edit that would leave a live job incomplete is rejected whole, and nothing changes', async () => {
      const job = await partner.live();
      const changes = {
        title: 'Other',
        locations: [AUSTIN],
        budgets: [{ window: 'DAILY', budgetCents: 1 }],
        questions: [{ prompt: 'Why?', answerFormat: 'TEXT', order: 1 }],
        qualifications: [],
        salaryMax: null,
      };
      const answer = await changingNothing(partner, job, () => partner.update(job.id, changes));
      assertInvalid(answer, 'qualifications', 'salaryMax');
    });

    it('7 rule 3: a free-typed location and applicant basics as a question are 422 VALIDATION_FAILED (decisions 11 and 12)', async () => {
      const input = {
        locations: [{ city: 'Boston', stateProvince: 'Massachusetts', country: 'United States' }],
        questions: [{ prompt: 'What is your email address?', answerFormat: 'TEXT', order: 1 }],
      };
      const answer = await storingNothing(partner, () => partner.create(input));
      assertInvalid(answer, 'locations[0].locationId', 'questions[0].prompt');
    });

    it('7 rule 4: when several gates fail, completeness, terms and payment method are answered in this order (decision 13)', async () => {
      const company = await Partner.of(subject(), { terms: false, card: false });
      const job = await company.draft(completeListing({ jobType: null }));
      const publish = () => changingNothing(company, job, () => company.move(job.id, 'publish'));
      assertInvalid(await publish(), 'jobType');
      await company.updated(job.id, { jobType: 'FULL_TIME' });
      assertRefused(await publish(), 409, 'AGREEMENT_OUTDATED');
      await subject().acceptTerms(company.companyId);
      assertRefused(await publish(), 402, 'PAYMENT_METHOD_REQUIRED');
      await subject().addCard(company.companyId);
      await company.moved(job.id, 'publish');
    });
  });
}
