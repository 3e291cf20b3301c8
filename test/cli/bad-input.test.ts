import assert from 'node:assert/strict';
import { COMPLETE_LISTING } from '../contract/complete-listing.ts';
import { withEngine } from './homes.ts';
import type { Home } from './partner.ts';
import { type Finding, foundBy, refusedBy, textAt } from './refusal.ts';

const [AUSTIN] = COMPLETE_LISTING.locations;

/** By fault: what differs from a complete listing, the field, what is said of it, and the text at its place. */
const FAULTS: Readonly<Record<string, readonly [changes: object, field: string, says: RegExp, at: RegExp]>> =
  {
    'an unknown field': [
      { titel: 'Nurse' },
      'titel',
      /is not a known field.*did you mean title\?/,
      /^"titel"/,
    ],
    'an unknown field of an entry': [
      { qualifications: [{ text: 'A', knd: 'REQUIRED', kind: 'REQUIRED', order: 1 }] },
      ...(['qualifications[0].knd', /did you mean kind\?/, /^"knd"/] as const),
    ],
    'a value outside its set': [
      { jobType: 'FULLTIME' },
      ...(['jobType', /FULL_TIME, PART_TIME.*write "FULL_TIME"/, /^"FULLTIME"/] as const),
    ],
    'negative cents': [
      { bidPerQualifiedApplicantCents: -100 },
      ...(['bidPerQualifiedApplicantCents', /must be 0 or more, not -100/, /^-100/] as const),
    ],
    'two budgets for one window': [
      { budgets: ['DAILY', 'WEEKLY', 'DAILY'].map((window) => ({ window, budgetCents: 100 })) },
      ...(['budgets[2].window', /DAILY is given twice, first in budgets\[0\]/, /^"DAILY"/] as const),
    ],
    'a place that was typed freely': [
      { locations: [{ city: 'Austin', stateProvince: 'TX', country: 'USA' }] },
      ...(['locations[0]', /has no locationId.*write the place as text: "Austin, TX, USA"/, /^\{/] as const),
    ],
    'an unknown place': [
      { locations: ['Qwxzzyville'] },
      ...(['locations[0]', /no place is called "Qwxzzyville".*partner locations search/, /^"Qwx/] as const),
    ],
    'one of several places': [
      { locations: ['Springfield'] },
      ...(['locations[0]', /id \d+ Springfield, Illinois.*region/, /^"Springfield"/] as const),
    ],
    'a place id of another city': [
      { locations: [{ ...AUSTIN, city: 'Boston' }] },
      ...(['locations[0].locationId', /4671654 is Austin, Texas/, /^4671654/] as const),
    ],
    'an applicant basic, asked as a question': [
      { questions: [{ prompt: 'Please enter your email address', answerFormat: 'TEXT', order: 1 }] },
      ...([
        'questions[0].prompt',
        /asks for the applicant's email,.*leave this question out/,
        /^"Plea/,
      ] as const),
    ],
    'a text that is too long': [
      { title: 'x'.repeat(501) },
      ...(['title', /has 501 characters; at most 500/, /^"xxx/] as const),
    ],
  };

describe('a listing that the contract does not allow', () => {
  let home: Home;
  before(async () => {
    home = await withEngine();
  });

  for (const [what, [changes, field, says, at]] of Object.entries(FAULTS)) {
    it(`is refused by validate and create for ${what}, at its place: nothing is stored`, async () => {
      const file = await home.file('listing.json', { ...COMPLETE_LISTING, ...changes });
      const [findings, error] = await Promise.all([foundBy(home, file), refusedBy(home, file)]);
      const found = findings.find((finding) => finding.field === field) as Finding;
      assert.match(`${found.message}; ${found.hint}`, says);
      assert.equal(error.code, 'VALIDATION_FAILED');
      assert.match(error.fields?.[field] ?? '', says);
      assert.ok(error.fields?.[field]?.includes(`(line ${found.line}, column ${found.column})`));
      assert.match(await textAt(file, found), at);
    });
  }

  it('is refused for a whole number past 2^53, shown as it was written: nothing is stored', async () => {
    const written = JSON.stringify({ ...COMPLETE_LISTING, salaryMax: 0 });
    const file = await home.file(
      'big.json',
      written.replace('"salaryMax":0', '"salaryMax":9007199254740993'),
    );
    const [[finding], error] = await Promise.all([foundBy(home, file), refusedBy(home, file)]);
    assert.match(finding?.message ?? '', /^9007199254740993 would not arrive as it is written/);
    assert.match(error.fields?.salaryMax ?? '', /^9007199254740993 .*\(line \d+, column \d+\)/);
  });

  it('is refused with all its faults at once', async () => {
    const changes = { titel: 'Nurse', jobType: 'FULLTIME', salaryMin: 'x', budgets: [{ window: 'DAILY' }] };
    const file = await home.file('all.json', { ...COMPLETE_LISTING, ...changes });
    const [findings, error] = await Promise.all([foundBy(home, file), refusedBy(home, file)]);
    const fields = ['budgets[0].budgetCents', 'jobType', 'salaryMin', 'titel'];
    assert.deepEqual(findings.map(({ field }) => field).sort(), fields);
    assert.deepEqual(Object.keys(error.fields ?? {}).sort(), fields);
  });

  it('is none where a place with the right id is spelled otherwise: it is stored as it is called', async () => {
    const place = { locationId: 3448439, city: 'Sao Paulo', stateProvince: 'SAO PAULO', country: 'brazil' };
    const taken = await home.copy();
    const file = await taken.file('place.json', { ...COMPLETE_LISTING, locations: [place] });
    await taken.must(['jobs', 'validate', file]);
    const { locations } = await taken.must<{ locations: { city: string }[] }>(['jobs', 'create', file]);
    assert.equal(locations[0]?.city, 'São Paulo');
  });
});
