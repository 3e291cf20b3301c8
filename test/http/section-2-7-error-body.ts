import assert from 'node:assert/strict';
import { completeListing } from './listing.ts';
import { type Answer, Partner } from './partner.ts';
import { assertInvalid, assertRefused } from './refusal.ts';
import type { Subject } from './subject.ts';

/** Section 2.7: the one shape of every refusal. `assertRefused` holds the shape itself. */
export function section27(subject: () => Subject): void {
  describe('2.7 Error body', () => {
    let partner: Partner;

    before(async () => {
      partner = await Partner.of(subject());
    });

    it('2.7 code and message: always present, as text, whatever the status', async () => {
      const unsettled = await Partner.of(subject(), { terms: false, card: false });
      const cardless = await Partner.of(subject(), { card: false });
      const { id } = await partner.draft();
      const answers: [Answer, number, string][] = [
        [await partner.withKey('sk_ext_nobody').list(), 401, 'INVALID_SERVICE_KEY'],
        [await cardless.create(completeListing({ publish: true })), 402, 'PAYMENT_METHOD_REQUIRED'],
        [await partner.get(987_654_321), 404, 'NOT_FOUND'],
        [await unsettled.create(completeListing({ publish: true })), 409, 'AGREEMENT_OUTDATED'],
        [await partner.move(id, 'pause'), 409, 'INVALID_TRANSITION'],
        [await partner.create({ title: 7 }), 422, 'VALIDATION_FAILED'],
      ];
      for (const [answer, status, code] of answers) assertRefused(answer, status, code);
    });

    it('2.7 fields: maps each offending field name to a text, all of them at once', async () => {
      const answer = await partner.create({
        title: 7,
        jobType: 'FULLTIME',
        salaryMin: 1.5,
        colour: 'red',
        qualifications: [{ text: 'x', kind: 'MUST', order: 1 }],
        budgets: [{ window: 'DAILY', budgetCents: -1 }],
      });
      assertInvalid(
        answer,
        'title',
        'jobType',
        'salaryMin',
        'colour',
        'qualifications[0].kind',
        'budgets[0].budgetCents',
      );
    });

    it('2.7 fields: absent where no field is at fault', async () => {
      const missing = assertRefused(await partner.get(987_654_321), 404, 'NOT_FOUND');
      assert.ok(!('fields' in missing));
      const keyless = assertRefused(await partner.withKey('').list(), 401, 'INVALID_SERVICE_KEY');
      assert.ok(!('fields' in keyless));
    });
  });
}
