import assert from 'node:assert/strict';
import type { JobContent } from '../../../src/contract/job.ts';
import { bidOffMedian, guardrails, type SpendRules } from '../../../src/listings/check/guardrails.ts';
import { COMPLETE_LISTING } from '../../contract/complete-listing.ts';
import markup from '../../contract/markup.json' with { type: 'json' };

/** Returns rule and field of the problems in a complete listing with these changes. */
function found(fields: Partial<JobContent>, isLive = true, rules: SpendRules = {}): string[] {
  return guardrails({ ...COMPLETE_LISTING, ...fields }, isLive, rules).map(
    ({ rule, path }) => `${rule} ${path.join('.')}`,
  );
}

const BID = 'bidPerQualifiedApplicantCents';

describe('guardrails', () => {
  it('accept a usual listing, and one with empty fields', () => {
    assert.deepEqual(found({}), []);
    assert.deepEqual(found({ salaryMin: null, salaryMax: null, [BID]: null, description: '' }), []);
  });

  it('warn about a bid below $1 or above $500 only', () => {
    const warned = [1, 99, 100, 50_000, 50_001].map(
      (bid) => found({ [BID]: bid, budgets: [] }, false).length,
    );
    assert.deepEqual(warned, [1, 1, 0, 0, 1]);
  });

  it('warn about a live listing without a cap, but not about a draft or a cap of 0', () => {
    assert.deepEqual(found({ budgets: [] }), ['no-cap budgets']);
    assert.deepEqual(found({ budgets: [] }, false), []);
    assert.deepEqual(found({ budgets: [{ window: 'DAILY', budgetCents: 0 }] }), []);
  });

  it('warn about a salary below 1,000 a year or above 1,000 an hour', () => {
    const expected = ['unusual-value salaryMin'];
    assert.deepEqual(found({ salaryMin: 90, salaryMax: 120, salaryPeriod: 'ANNUAL' }), expected);
    assert.deepEqual(found({ salaryMin: 34, salaryMax: 90_000 }), ['unusual-value salaryMax']);
    assert.deepEqual(found({ salaryMin: 1000, salaryMax: 1000, salaryPeriod: 'ANNUAL' }), []);
    assert.deepEqual(found({ salaryMin: 1000, salaryMax: 1000 }), []);
  });

  it('warn about a title that looks like another value, such as a postal code or a full job posting', () => {
    for (const title of ['78701', '$20 - $30', 'Cook\n\tAcme LLC\nAustin, TX'])
      assert.deepEqual(found({ title }), ['unusual-value title'], title);
    for (const title of ['QA', '2nd shift cook', 'Cook\n', '看護師 2'])
      assert.deepEqual(found({ title }), [], title);
  });

  it('warn about an unknown country', () => {
    const warned = (country: string) => found({ remoteOption: 'REMOTE', remoteCountry: country });
    for (const country of ['USA', 'us', 'UK', 'United States', 'the United States'])
      assert.deepEqual(warned(country), [], country);
    for (const country of ['Deutschland', 'Worldwide'])
      assert.deepEqual(warned(country), ['unusual-value remoteCountry'], country);
  });

  for (const [description, isMarkup] of Object.entries(markup))
    it(`${isMarkup ? 'warn about' : 'accept'} ${JSON.stringify(description)}`, () =>
      assert.deepEqual(found({ description }), isMarkup ? ['shown-literally description'] : []));

  it('check 100,000 brackets or stars quickly', () => {
    for (const sign of ['[', '**', '<p ', '&', '#'])
      found({ description: sign.repeat(100_000 / sign.length) });
  });

  it("refuse bids and missing caps by the spend rules, and don't warn about allowed bids", () => {
    assert.deepEqual(found({}, true, { maxBidCents: 1799 }), [`spend-rule ${BID}`]);
    assert.deepEqual(found({ [BID]: 60_000, budgets: [] }, false, { maxBidCents: 60_000 }), []);
    assert.deepEqual(found({ budgets: [] }, true, { requireBudget: true }), ['spend-rule budgets']);
    assert.deepEqual(found({ budgets: [] }, false, { requireBudget: true }), []);
  });

  it('warn about a bid of ten times the median or more, or a tenth or less', () => {
    const off = [100, 150, 151, 14_999, 15_000].map((bid) => bidOffMedian(bid, 1500) !== undefined);
    assert.deepEqual(off, [true, true, false, false, true]);
    const expected = 'a bid of $1.50 is low: the median of these listings, $33.00, is 22 times as high';
    assert.equal(bidOffMedian(150, 3300), expected);
  });
});
