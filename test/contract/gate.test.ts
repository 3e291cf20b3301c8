import assert from 'node:assert/strict';
import { budgetWarnings, completenessGaps, draftWarnings, publishGate } from '../../src/contract/gate.ts';
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

const BID = 'bidPerQualifiedApplicantCents';
const REMOTE: Partial<JobContent> = { remoteOption: 'REMOTE', remoteCountry: 'Canada', locations: [] };

const gapsOf = (fields: Partial<JobContent>): string[] =>
  completenessGaps({ ...COMPLETE_LISTING, ...fields }).map(({ path }) => String(path[0]));

describe('gate 1', () => {
  const complete: Readonly<Record<string, Partial<JobContent>>> = {
    'everything a live listing requires': {},
    'a HYBRID job with a location': { remoteOption: 'HYBRID' },
    'a REMOTE job with a country and no location': REMOTE,
    'no opportunityId, atsJobUrl, questions and budgets': {
      opportunityId: null,
      atsJobUrl: null,
      questions: [],
      budgets: [],
    },
    'salaryMin equal to salaryMax': { salaryMin: 30, salaryMax: 30 },
    'an unpaid salary range of 0 to 0, and a bid of one cent': { salaryMin: 0, salaryMax: 0, [BID]: 1 },
  };
  for (const [name, fields] of Object.entries(complete)) {
    it(`is passed by ${name}`, () => assert.deepEqual(gapsOf(fields), []));
  }

  const { locations } = COMPLETE_LISTING;
  const others: readonly (readonly [string, Partial<JobContent>, string])[] = [
    ['a title of spaces', { title: ' \n\t' }, 'title'],
    ['a description of spaces', { description: '   ' }, 'description'],
    ['REMOTE without a country', { ...REMOTE, remoteCountry: null }, 'remoteCountry'],
    ['REMOTE with a blank country', { ...REMOTE, remoteCountry: ' ' }, 'remoteCountry'],
    ['REMOTE with a location alone', { ...REMOTE, remoteCountry: null, locations }, 'remoteCountry'],
    ['HYBRID without a location', { remoteOption: 'HYBRID', locations: [] }, 'locations'],
    ['IN_PERSON without a location', { locations: [] }, 'locations'],
    ['IN_PERSON with a remote country alone', { locations: [], remoteCountry: 'Canada' }, 'locations'],
    ['salaryMin above salaryMax', { salaryMin: 31, salaryMax: 30 }, 'salaryMin'],
    ['a bid of 0', { [BID]: 0 }, BID],
    [
      'qualifications that are all DESIRED',
      { qualifications: [{ text: 'Patience', kind: 'DESIRED', order: 1 }] },
      'qualifications',
    ],
    ...GAPS.map(([field, missing]) => [`a listing without ${field}`, missing, field] as const),
  ];
  for (const [name, fields, gap] of others) {
    it(`is not passed by ${name}: ${gap} is named alone`, () => assert.deepEqual(gapsOf(fields), [gap]));
  }

  it('names any combination of gaps whole, in the order of the specification', () => {
    for (let chosen = 0; chosen < 2 ** GAPS.length; chosen++) {
      const gaps = GAPS.filter((_, index) => (chosen >> index) & 1);
      const fields: Partial<JobContent> = Object.assign({}, ...gaps.map(([, missing]) => missing));
      assert.deepEqual(
        gapsOf(fields),
        gaps.map(([field]) => field),
      );
    }
    const reversed = Object.fromEntries(Object.entries(EMPTY_CONTENT).reverse()) as JobContent;
    const all = completenessGaps(reversed);
    assert.deepEqual(
      all.map(({ path }) => path),
      GAPS.map(([field]) => [field]),
    );
    assert.ok(all.every(({ kind, message }) => kind === 'incomplete' && message !== ''));
  });
});

describe('a draft is warned about what contradicts itself (decision 24)', () => {
  for (const [fields, warned] of [
    [{}, []],
    [{ salaryMin: 5 }, []],
    [{ remoteOption: 'REMOTE' }, ['remoteCountry']],
    [{ remoteOption: 'HYBRID' }, ['locations']],
    [{ remoteOption: 'IN_PERSON' }, ['locations']],
    [{ salaryMin: 2, salaryMax: 1 }, ['salaryMin']],
    [COMPLETE_LISTING, []],
  ] as readonly (readonly [Partial<JobContent>, readonly string[]])[]) {
    const name = fields === COMPLETE_LISTING ? 'a complete listing' : JSON.stringify(fields);
    it(`${name}: ${warned.join() || 'nothing'}`, () => {
      const found = draftWarnings({ ...EMPTY_CONTENT, ...fields }).map(({ path }) => String(path[0]));
      assert.deepEqual(found, warned);
    });
  }
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
  it('not a cap that one bid fills, nor one of zero, which stops all spending on purpose', () => {
    assert.deepEqual([...warned(4500, 4500), ...warned(1, 0)], []);
  });
});

describe('the three publish gates are answered in order: completeness, terms, card', () => {
  for (const [listing, termsAccepted, cardOnFile, code] of [
    [EMPTY_CONTENT, false, false, 'VALIDATION_FAILED'],
    [EMPTY_CONTENT, true, false, 'VALIDATION_FAILED'],
    [EMPTY_CONTENT, false, true, 'VALIDATION_FAILED'],
    [EMPTY_CONTENT, true, true, 'VALIDATION_FAILED'],
    [COMPLETE_LISTING, false, false, 'AGREEMENT_OUTDATED'],
    [COMPLETE_LISTING, false, true, 'AGREEMENT_OUTDATED'],
    [COMPLETE_LISTING, true, false, 'PAYMENT_METHOD_REQUIRED'],
    [COMPLETE_LISTING, true, true, 'passed'],
  ] as const) {
    const complete = listing === COMPLETE_LISTING ? 'complete' : 'incomplete';
    it(`${complete}, terms ${termsAccepted}, card ${cardOnFile}: ${code}`, () => {
      const given = publishGate(listing, { termsAccepted, cardOnFile });
      assert.equal(given.passed ? 'passed' : given.code, code);
      if ('gaps' in given) assert.deepEqual(given.gaps, completenessGaps(listing));
    });
  }
});
