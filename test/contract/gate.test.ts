import assert from 'node:assert/strict';
import {
  budgetWarnings,
  completenessGaps,
  draftWarnings,
  type GateFacts,
  publishGate,
} from '../../src/contract/gate.ts';
import { EMPTY_CONTENT, type JobContent } from '../../src/contract/job.ts';
import { BUDGET_WINDOWS } from '../../src/contract/values.ts';
import { COMPLETE_LISTING } from './complete-listing.ts';

/** Each requirement of a live listing (section 8, gate 1), in its order, and how a listing misses it. */
const GAPS: readonly (readonly [field: keyof JobContent, missing: Partial<JobContent>])[] = [
  ['title', { title: '' }],
  ['description', { description: '' }],
  ['remoteOption', { remoteOption: null }],
  ['jobType', { jobType: null }],
  ['jobLevel', { jobLevel: null }],
  ['salaryMin', { salaryMin: null }],
  ['salaryMax', { salaryMax: null }],
  ['salaryPeriod', { salaryPeriod: null }],
  ['bidPerQualifiedApplicantCents', { bidPerQualifiedApplicantCents: null }],
  ['qualifications', { qualifications: [] }],
];

const onSite = COMPLETE_LISTING;
const remote: JobContent = {
  ...onSite,
  remoteOption: 'REMOTE',
  remoteCountry: 'Canada',
  locations: [],
};
const noFacts: GateFacts = { termsAccepted: false, cardOnFile: false };
const allFacts: GateFacts = { termsAccepted: true, cardOnFile: true };

const gapFields = (listing: JobContent): string[] =>
  completenessGaps(listing).map(({ path }) => String(path[0]));

describe('gate 1: a listing is complete', () => {
  it('with everything a live listing requires', () => assert.deepEqual(completenessGaps(onSite), []));

  it('when it is HYBRID and has a location', () => {
    assert.deepEqual(completenessGaps({ ...onSite, remoteOption: 'HYBRID' }), []);
  });

  it('when it is REMOTE, names a country and has no location', () => {
    assert.deepEqual(completenessGaps(remote), []);
  });

  it('without opportunityId, atsJobUrl, questions and budgets', () => {
    const bare = { ...onSite, opportunityId: null, atsJobUrl: null, questions: [], budgets: [] };
    assert.deepEqual(completenessGaps(bare), []);
  });

  it('with salaryMin equal to salaryMax', () => {
    assert.deepEqual(completenessGaps({ ...onSite, salaryMin: 30, salaryMax: 30 }), []);
  });

  it('with an unpaid salary range of 0 to 0, and a bid of one cent', () => {
    const least = { ...onSite, salaryMin: 0, salaryMax: 0, bidPerQualifiedApplicantCents: 1 };
    assert.deepEqual(completenessGaps(least), []);
  });
});

describe('gate 1: each gap alone is named', () => {
  for (const [field, missing] of GAPS) {
    it(`${field} is missing`, () => assert.deepEqual(gapFields({ ...onSite, ...missing }), [field]));
  }

  const others: readonly (readonly [string, JobContent, string])[] = [
    ['a title of spaces', { ...onSite, title: ' \n\t' }, 'title'],
    ['a description of spaces', { ...onSite, description: '   ' }, 'description'],
    ['REMOTE without a country', { ...remote, remoteCountry: null }, 'remoteCountry'],
    ['REMOTE with a blank country', { ...remote, remoteCountry: ' ' }, 'remoteCountry'],
    [
      'REMOTE with a location instead of a country',
      { ...remote, remoteCountry: null, locations: onSite.locations },
      'remoteCountry',
    ],
    ['HYBRID without a location', { ...onSite, remoteOption: 'HYBRID', locations: [] }, 'locations'],
    ['IN_PERSON without a location', { ...onSite, locations: [] }, 'locations'],
    [
      'IN_PERSON with a remote country instead of a location',
      { ...onSite, locations: [], remoteCountry: 'Canada' },
      'locations',
    ],
    ['salaryMin above salaryMax', { ...onSite, salaryMin: 31, salaryMax: 30 }, 'salaryMin'],
    ['a bid of 0', { ...onSite, bidPerQualifiedApplicantCents: 0 }, 'bidPerQualifiedApplicantCents'],
    [
      'qualifications that are all DESIRED',
      { ...onSite, qualifications: [{ text: 'Patience', kind: 'DESIRED', order: 1 }] },
      'qualifications',
    ],
  ];
  for (const [name, listing, field] of others) {
    it(name, () => assert.deepEqual(gapFields(listing), [field]));
  }
});

describe('gate 1: all gaps are named at once', () => {
  const fields = GAPS.map(([field]) => field);

  it('an empty draft names every requirement, in the order of the specification', () => {
    assert.deepEqual(gapFields(EMPTY_CONTENT), fields);
  });

  it('any combination of gaps is named whole and in that order', () => {
    for (let chosen = 0; chosen < 2 ** GAPS.length; chosen++) {
      const gaps = GAPS.filter((_, index) => (chosen >> index) & 1);
      const listing = Object.assign({ ...onSite }, ...gaps.map(([, missing]) => missing));
      assert.deepEqual(
        gapFields(listing),
        gaps.map(([field]) => field),
      );
    }
  });

  it('in whatever order the listing holds its fields', () => {
    const reversed = Object.fromEntries(Object.entries(EMPTY_CONTENT).reverse()) as JobContent;
    assert.deepEqual(gapFields(reversed), fields);
  });

  it('each as what only a live listing needs, with a message', () => {
    for (const gap of completenessGaps(EMPTY_CONTENT)) {
      assert.equal(gap.kind, 'incomplete');
      assert.notEqual(gap.message, '');
    }
  });
});

describe('a draft is warned about what contradicts itself (decision 24)', () => {
  const warned = (listing: Partial<JobContent>): string[] =>
    draftWarnings({ ...EMPTY_CONTENT, ...listing }).map(({ path }) => String(path[0]));

  it('and not about what it merely lacks', () => assert.deepEqual(warned({}), []));
  it('not about half a salary range', () => assert.deepEqual(warned({ salaryMin: 5 }), []));
  it('REMOTE without a country', () => {
    assert.deepEqual(warned({ remoteOption: 'REMOTE' }), ['remoteCountry']);
  });
  it('HYBRID and IN_PERSON without a location', () => {
    assert.deepEqual(warned({ remoteOption: 'HYBRID' }), ['locations']);
    assert.deepEqual(warned({ remoteOption: 'IN_PERSON' }), ['locations']);
  });
  it('salaryMin above salaryMax', () => {
    assert.deepEqual(warned({ salaryMin: 2, salaryMax: 1 }), ['salaryMin']);
  });
  it('nothing in a complete listing', () => assert.deepEqual(draftWarnings(onSite), []));
});

describe('a cap below the bid is warned about: no applicant fits it', () => {
  const warned = (bidPerQualifiedApplicantCents: number | null, ...caps: number[]): string[] => {
    const budgets = caps.map((budgetCents, at) => ({
      window: BUDGET_WINDOWS[at] ?? 'LIFETIME',
      budgetCents,
    }));
    return budgetWarnings({ budgets, bidPerQualifiedApplicantCents }).map(({ message }) => message);
  };

  it('with the window and both amounts in dollars, each cap by itself', () => {
    assert.deepEqual(warned(4500, 50, 4499), [
      'the DAILY cap of $0.50 is less than one bid ($45.00): candidates will not see this job',
      'the WEEKLY cap of $44.99 is less than one bid ($45.00): candidates will not see this job',
    ]);
  });
  it('not a cap that one bid fills', () => assert.deepEqual(warned(4500, 4500), []));
  it('not a cap of zero, which stops all spending on purpose', () => assert.deepEqual(warned(1, 0), []));
  it('none while there is no bid', () => {
    assert.deepEqual(warned(null, 50), []);
    assert.deepEqual(warned(0, 50), []);
  });
  it('none without caps', () => assert.deepEqual(warned(4500), []));
});

describe('the three publish gates are answered in order: completeness, terms, card', () => {
  const answer = (listing: JobContent, facts: GateFacts): string => {
    const given = publishGate(listing, facts);
    return given.passed ? 'passed' : given.code;
  };
  const rows: readonly (readonly [JobContent, GateFacts, string])[] = [
    [EMPTY_CONTENT, noFacts, 'VALIDATION_FAILED'],
    [EMPTY_CONTENT, { termsAccepted: true, cardOnFile: false }, 'VALIDATION_FAILED'],
    [EMPTY_CONTENT, { termsAccepted: false, cardOnFile: true }, 'VALIDATION_FAILED'],
    [EMPTY_CONTENT, allFacts, 'VALIDATION_FAILED'],
    [onSite, noFacts, 'AGREEMENT_OUTDATED'],
    [onSite, { termsAccepted: false, cardOnFile: true }, 'AGREEMENT_OUTDATED'],
    [onSite, { termsAccepted: true, cardOnFile: false }, 'PAYMENT_METHOD_REQUIRED'],
    [onSite, allFacts, 'passed'],
  ];
  for (const [listing, { termsAccepted, cardOnFile }, code] of rows) {
    const complete = listing === onSite ? 'complete' : 'incomplete';
    it(`${complete}, terms ${termsAccepted}, card ${cardOnFile}: ${code}`, () => {
      assert.equal(answer(listing, { termsAccepted, cardOnFile }), code);
    });
  }

  it('a failed completeness gate carries every gap', () => {
    const given = publishGate(EMPTY_CONTENT, allFacts);
    assert.deepEqual('gaps' in given ? given.gaps : [], completenessGaps(EMPTY_CONTENT));
  });
});
