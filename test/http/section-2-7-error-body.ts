import assert from 'node:assert/strict';
import { Partner } from './partner.ts';
import { assertInvalid, assertRefused } from './refusal.ts';
import type { Subject } from './subject.ts';

/** Section 2.7: the one shape of every refusal. `assertRefused` holds the shape itself. */
export function section27(subject: () => Subject): void {
  describe('2.7 Error body', () => {
    let partner: Partner;

    before(async () => {
      partner = await Partner.of(subject());
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

    it('2.7 fields: absent where no field is at fault = 2.7 code and message: always present', async () => {
      const missing = assertRefused(await partner.get(987_654_321), 404, 'NOT_FOUND');
      assert.ok(!('fields' in missing));
      const keyless = assertRefused(await partner.withKey('').list(), 401, 'INVALID_SERVICE_KEY');
      assert.ok(!('fields' in keyless));
    });
  });
}
