import assert from 'node:assert/strict';
import { budgetWarnings, completenessGaps, draftWarnings } from '../../src/contract/gate.ts';
import { EMPTY_CONTENT, type JobContent } from '../../src/contract/job.ts';
import { BUDGET_WINDOWS } from '../../src/contract/values.ts';
import { COMPLETE_LISTING } from './complete-listing.ts';
import gate from './gate.json' with { type: 'json' };

const REMOTE: Partial<JobContent> = { remoteOption: 'REMOTE', remoteCountry: 'Canada', locations: [] };

const gapsOf = (fields: object, base: Partial<JobContent> = REMOTE) =>
  completenessGaps({ ...COMPLETE_LISTING, ...base, ...fields }).map(({ path }) => String(path[0]));

describe('gate 1', () => {
  for (const [name, fields] of Object.entries(gate.complete))
    it(`is passed by ${name}`, () => assert.deepEqual(gapsOf(fields), []));

  it('is passed by a listing with every field', () => assert.deepEqual(gapsOf({}, {}), []));

  it('names any combination of gaps whole, in the order of the specification', () => {
    const empty: Readonly<Record<string, unknown>> = EMPTY_CONTENT;
    for (let chosen = 0; chosen < 2 ** gate.required.length; chosen++) {
      const missing = gate.required.filter((_, index) => (chosen >> index) & 1);
      const fields = Object.fromEntries(missing.map((field) => [field, empty[field]]));
      assert.deepEqual(gapsOf(fields, {}), missing);
    }
    const reversed = Object.fromEntries(Object.entries(EMPTY_CONTENT).reverse()) as JobContent;
    const all = completenessGaps(reversed);
    const paths = all.map(({ path }) => path);
    assert.deepEqual(
      paths,
      gate.required.map((field) => [field]),
    );
    assert.ok(all.every(({ kind, message }) => kind === 'incomplete' && message !== ''));
  });
});

describe('a draft is warned about what contradicts itself (decision 24)', () => {
  const warningsOf = (fields: object) =>
    draftWarnings({ ...EMPTY_CONTENT, ...fields }).map(({ path }) => String(path[0]));

  for (const { fields, warned } of gate.drafts)
    it(`${JSON.stringify(fields)}: ${warned.join() || 'nothing'}`, () =>
      assert.deepEqual(warningsOf(fields), warned));

  it('a complete listing: nothing', () => assert.deepEqual(warningsOf(COMPLETE_LISTING), []));
});

describe('a cap below the bid is warned about: no applicant fits it', () => {
  const warned = (bidPerQualifiedApplicantCents: number | null, ...caps: number[]): string[] => {
    const budgets = caps.map((budgetCents, at) => ({
      window: BUDGET_WINDOWS[at] ?? 'LIFETIME',
      budgetCents,
    }));
    return budgetWarnings({ budgets, bidPerQualifiedApplicantCents }).map(({ message }) => message);
  };

  it('with the window and both amounts in dollars, each cap by itself', () =>
    assert.deepEqual(warned(4500, 50, 4499), [
      'the DAILY cap of $0.50 is less than one bid ($45.00): the bundled engine hides this job, and other servers may charge one applicant per window ($45.00)',
      'the WEEKLY cap of $44.99 is less than one bid ($45.00): the bundled engine hides this job, and other servers may charge one applicant per window ($45.00)',
    ]));
  it('not a cap that one bid fills, nor one of zero, which stops all spending on purpose', () =>
    assert.deepEqual([...warned(4500, 4500), ...warned(1, 0)], []));
});
