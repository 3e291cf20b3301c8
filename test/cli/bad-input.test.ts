import assert from 'node:assert/strict';
import { COMPLETE_LISTING } from '../contract/complete-listing.ts';
import { withEngine } from './homes.ts';
import type { Home } from './partner.ts';
import { type Finding, foundBy, refusedBy, textAt } from './refusal.ts';

const [AUSTIN] = COMPLETE_LISTING.locations;
const [LICENSE] = COMPLETE_LISTING.questions;

interface Fault {
  /** As a test's name says it. */
  readonly what: string;
  /** What the listing has instead of the complete one's. */
  readonly changes: object;
  /** Each field that is at fault, with what is said of it. */
  readonly faults: Readonly<Record<string, RegExp>>;
  /** What stands at the place of the first fault. */
  readonly at: RegExp;
}

const question = (prompt: string, order = 1): object => ({ prompt, answerFormat: 'TEXT', order });

const FAULTS: readonly Fault[] = [
  {
    what: 'an unknown field, with the nearest known one',
    changes: { titel: 'Nurse' },
    faults: { titel: /is not a known field.*did you mean title\?/ },
    at: /^"titel"/,
  },
  {
    what: 'an unknown field of an entry, with the nearest known one',
    changes: { qualifications: [{ text: 'A', knd: 'REQUIRED', kind: 'REQUIRED', order: 1 }] },
    faults: { 'qualifications[0].knd': /did you mean kind\?/ },
    at: /^"knd"/,
  },
  {
    what: 'a value outside its set, with the nearest one in it',
    changes: { jobType: 'FULLTIME' },
    faults: { jobType: /FULL_TIME, PART_TIME, CONTRACT, INTERNSHIP.*write "FULL_TIME"/ },
    at: /^"FULLTIME"/,
  },
  {
    what: 'two budgets for one window',
    changes: {
      budgets: [
        { window: 'DAILY', budgetCents: 100 },
        { window: 'WEEKLY', budgetCents: 100 },
        { window: 'DAILY', budgetCents: 200 },
      ],
    },
    faults: { 'budgets[2].window': /DAILY is given twice, first in budgets\[0\]/ },
    at: /^"DAILY"/,
  },
  {
    what: 'negative cents',
    changes: { bidPerQualifiedApplicantCents: -100, budgets: [{ window: 'DAILY', budgetCents: -1 }] },
    faults: {
      bidPerQualifiedApplicantCents: /must be 0 or more, not -100/,
      'budgets[0].budgetCents': /must be 0 or more, not -1/,
    },
    at: /^-100/,
  },
  {
    what: 'fractional cents',
    changes: { bidPerQualifiedApplicantCents: 12.5, budgets: [{ window: 'DAILY', budgetCents: 99.99 }] },
    faults: {
      bidPerQualifiedApplicantCents: /whole number, not 12\.5/,
      'budgets[0].budgetCents': /whole number, not 99\.99/,
    },
    at: /^12\.5/,
  },
  {
    what: 'a place that was typed freely',
    changes: { locations: [{ city: 'Austin', stateProvince: 'TX', country: 'USA' }] },
    faults: { 'locations[0]': /has no locationId.*write the place as text: "Austin, TX, USA"/ },
    at: /^\{/,
  },
  {
    what: 'a place whose name is none',
    changes: { locations: ['Qwxzzyville'] },
    faults: { 'locations[0]': /no place is called "Qwxzzyville".*partner locations search/ },
    at: /^"Qwxzzyville"/,
  },
  {
    what: 'a place whose name is that of several, with each of them',
    changes: { locations: ['Springfield'] },
    faults: { 'locations[0]': /id \d+ Springfield, Illinois.*region/ },
    at: /^"Springfield"/,
  },
  {
    what: 'a place id that does not go with its city',
    changes: { locations: [{ ...AUSTIN, city: 'Boston' }] },
    faults: { 'locations[0].locationId': /4671654 is Austin, Texas/ },
    at: /^4671654/,
  },
  {
    what: 'a place id that does not go with its region',
    changes: { locations: [{ ...AUSTIN, stateProvince: 'Minnesota' }] },
    faults: { 'locations[0].locationId': /4671654 is Austin, Texas/ },
    at: /^4671654/,
  },
  {
    what: 'a place id that there is not',
    changes: { locations: [{ ...AUSTIN, locationId: 1 }] },
    faults: { 'locations[0].locationId': /no place has the id 1\b/ },
    at: /^1/,
  },
  {
    what: 'each of the applicant basics, asked as a question',
    changes: {
      questions: [
        question('First name'),
        question('What is your last name?', 2),
        question('Please enter your email address', 3),
        question('Phone number (with area code)', 4),
        question('Which city do you live in?', 5),
        question('Upload your resume / CV', 6),
      ],
    },
    faults: Object.fromEntries(
      ['first name', 'last name', 'email', 'phone', 'location', 'resume'].map((basic, index) => [
        `questions[${index}].prompt`,
        new RegExp(`asks for the applicant's ${basic},.*leave this question out`),
      ]),
    ),
    at: /^"First name"/,
  },
  {
    what: 'options on a TEXT question',
    changes: { questions: [{ ...LICENSE, answerFormat: 'TEXT' }] },
    faults: { 'questions[0].options': /TEXT takes no options; only SINGLE_SELECT and MULTI_SELECT do/ },
    at: /^\[/,
  },
  {
    what: 'a SELECT question without options, and one with the same option twice',
    changes: {
      questions: [
        { prompt: 'Which shift?', answerFormat: 'SINGLE_SELECT', order: 1 },
        { prompt: 'Which days?', answerFormat: 'MULTI_SELECT', options: ['Monday', 'Monday'], order: 2 },
      ],
    },
    faults: { 'questions[0].options': /at least one option/, 'questions[1].options[1]': /distinct/ },
    at: /^\{/,
  },
  {
    what: 'text that is longer than its field may be',
    changes: { title: 'x'.repeat(501), description: 'x'.repeat(100_001) },
    faults: {
      title: /has 501 characters; at most 500/,
      description: /has 100001 characters; at most 100000/,
    },
    at: /^"xxx/,
  },
  {
    what: 'more entries than an array may have',
    changes: { budgets: Array.from({ length: 51 }, () => ({ window: 'DAILY', budgetCents: 1 })) },
    faults: { budgets: /has 51 entries; at most 50/ },
    at: /^\[/,
  },
];

describe('a listing that the contract does not allow', () => {
  let home: Home;
  before(async () => {
    home = await withEngine();
  });

  for (const { what, changes, faults, at } of FAULTS) {
    it(`is refused for ${what}: nothing is stored`, async () => {
      const file = await home.file('listing.json', { ...COMPLETE_LISTING, ...changes });
      const [findings, error] = await Promise.all([foundBy(home, file), refusedBy(home, file)]);
      assert.equal(error.code, 'VALIDATION_FAILED');
      for (const [field, says] of Object.entries(faults)) {
        const found = findings.find((finding) => finding.field === field);
        assert.match(`${found?.message}; ${found?.hint}`, says, `validate: ${JSON.stringify(findings)}`);
        assert.match(error.fields?.[field] ?? '', says, `create: ${JSON.stringify(error)}`);
        assert.ok(error.fields?.[field]?.includes(`(line ${found?.line}, column ${found?.column})`));
      }
      const [first] = findings;
      assert.match(await textAt(file, first as Finding), at);
    });
  }

  it('is refused for a whole number past 2^53, shown as it was written: nothing is stored', async () => {
    const written = JSON.stringify({ ...COMPLETE_LISTING, salaryMax: 0 }, null, 2);
    const file = await home.file(
      'big.json',
      written.replace('"salaryMax": 0', '"salaryMax": 9007199254740993'),
    );
    const [[finding], error] = await Promise.all([foundBy(home, file), refusedBy(home, file)]);
    assert.equal(finding?.field, 'salaryMax');
    assert.match(finding.message, /^9007199254740993 would not arrive as it is written/);
    assert.match(await textAt(file, finding), /^9007199254740993/);
    assert.match(error.fields?.salaryMax ?? '', /^9007199254740993 .*\(line \d+, column \d+\)/);
  });

  it('is refused for a field that is given twice: nothing is stored', async () => {
    const file = await home.file('twice.json', '{\n  "title": "Nurse",\n  "title": "Welder"\n}');
    const [findings, error] = await Promise.all([foundBy(home, file), refusedBy(home, file)]);
    assert.ok(findings.some(({ field, line }) => field === 'title' && line === 3));
    assert.match(error.fields?.title ?? '', /given twice, first in line 2/);
  });

  it('is told of all its faults at once', async () => {
    const changes = Object.assign({}, ...FAULTS.slice(0, 6).map((fault) => fault.changes));
    const file = await home.file('all.json', { ...COMPLETE_LISTING, ...changes, salaryMin: 'x' });
    const [findings, error] = await Promise.all([foundBy(home, file), refusedBy(home, file)]);
    const fields = [
      'titel',
      'jobType',
      'salaryMin',
      'bidPerQualifiedApplicantCents',
      'budgets[0].budgetCents',
    ];
    for (const field of fields) {
      assert.ok(
        findings.some((finding) => finding.field === field),
        field,
      );
      assert.ok(error.fields?.[field], field);
    }
  });

  it('is taken where a question only mentions an applicant basic', async () => {
    const prompts = [
      'Describe your email marketing experience',
      'Which phone systems have you supported?',
      'Would you move to another city for this job?',
      'Name three tools that you use daily',
      'What would your last manager say of your resume?',
    ];
    const questions = prompts.map((prompt, index) => question(prompt, index + 1));
    const taken = await home.copy();
    const file = await taken.file('mentions.json', { ...COMPLETE_LISTING, questions });
    const [report, job] = await Promise.all([
      taken.must<{ errors: number }>(['jobs', 'validate', file]),
      taken.must<{ questions: { prompt: string }[] }>(['jobs', 'create', file]),
    ]);
    assert.equal(report.errors, 0);
    assert.deepEqual(
      job.questions.map(({ prompt }) => prompt),
      prompts,
    );
  });

  it('leaves no job behind, whichever of the above it was', async () => {
    assert.deepEqual(await home.must('jobs list'), { items: [] });
  });
});
