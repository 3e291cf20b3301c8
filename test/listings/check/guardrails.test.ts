import assert from 'node:assert/strict';
import type { JobContent } from '../../../src/contract/job.ts';
import { bidOffMedian, guardrails, type SpendRules } from '../../../src/listings/check/guardrails.ts';
import { COMPLETE_LISTING } from '../../contract/complete-listing.ts';
import markup from '../../contract/markup.json' with { type: 'json' };

/** The rule and the field of all that is found in a listing that differs from a complete one in these fields. */
function found(fields: Partial<JobContent>, isLive = true, rules: SpendRules = {}): string[] {
  return guardrails({ ...COMPLETE_LISTING, ...fields }, isLive, rules).map(
    ({ rule, path }) => `${rule} ${path.join('.')}`,
  );
}

const BID = 'bidPerQualifiedApplicantCents';

describe('guardrails', () => {
  it('have nothing to say of a usual listing, nor of one that is empty in parts', () => {
    assert.deepEqual(found({}), []);
    assert.deepEqual(found({ salaryMin: null, salaryMax: null, [BID]: null, description: '' }), []);
  });

  it('warn of a bid below $1 and above $500, and of no other', () => {
    const warned = [1, 99, 100, 50_000, 50_001].map(
      (bid) => found({ [BID]: bid, budgets: [] }, false).length,
    );
    assert.deepEqual(warned, [1, 1, 0, 0, 1]);
  });

  it('warn of a live listing without a cap, not of a draft, and not where the cap is zero', () => {
    assert.deepEqual(found({ budgets: [] }), ['no-cap budgets']);
    assert.deepEqual(found({ budgets: [] }, false), []);
    assert.deepEqual(found({ budgets: [{ window: 'DAILY', budgetCents: 0 }] }), []);
  });

  it('warn of the pay of a year below 1,000 and of an hour above 1,000', () => {
    const expected = ['unusual-value salaryMin'];
    assert.deepEqual(found({ salaryMin: 90, salaryMax: 120, salaryPeriod: 'ANNUAL' }), expected);
    assert.deepEqual(found({ salaryMin: 34, salaryMax: 90_000 }), ['unusual-value salaryMax']);
    assert.deepEqual(found({ salaryMin: 1000, salaryMax: 1000, salaryPeriod: 'ANNUAL' }), []);
    assert.deepEqual(found({ salaryMin: 1000, salaryMax: 1000 }), []);
  });

  it('warn of a country that is none', () => {
    const warned = (country: string) => found({ remoteOption: 'REMOTE', remoteCountry: country });
    for (const country of ['USA', 'us', 'UK', 'United States', 'the United States'])
      assert.deepEqual(warned(country), [], country);
    for (const country of ['Deutschland', 'Worldwide'])
      assert.deepEqual(warned(country), ['unusual-value remoteCountry'], country);
  });

  for (const [description, isMarkup] of Object.entries(markup))
    it(`${JSON.stringify(description)} ${isMarkup ? 'holds markup' : 'is plain text'}`, () =>
      assert.deepEqual(found({ description }), isMarkup ? ['shown-literally description'] : []));

  it('look through a hundred thousand brackets or stars at once', () => {
    for (const sign of ['[', '**', '<p ', '&', '#'])
      found({ description: sign.repeat(100_000 / sign.length) });
  });

  it('forbid what the rules of a company do not allow, and lift the warning for what they do', () => {
    assert.deepEqual(found({}, true, { maxBidCents: 1799 }), [`spend-rule ${BID}`]);
    assert.deepEqual(found({ [BID]: 60_000, budgets: [] }, false, { maxBidCents: 60_000 }), []);
    assert.deepEqual(found({ budgets: [] }, true, { requireBudget: true }), ['spend-rule budgets']);
    assert.deepEqual(found({ budgets: [] }, false, { requireBudget: true }), []);
  });

  it('call a bid far off the median from ten times of it, and to a tenth of it', () => {
    const off = [100, 150, 151, 14_999, 15_000].map((bid) => bidOffMedian(bid, 1500) !== undefined);
    assert.deepEqual(off, [true, true, false, false, true]);
    const expected = 'a bid of $1.50 is low: the median of these listings, $33.00, is 22 times as high';
    assert.equal(bidOffMedian(150, 3300), expected);
  });
});
