import assert from 'node:assert/strict';
import type { FieldChange, Plan, PlanItem } from '../../../src/bulk/plan/plan-item.ts';
import { type PlanWords, planView } from '../../../src/bulk/view/plan.ts';
import { changeLines } from '../../../src/bulk/view/plan-diff.ts';
import { viewOf } from '../../../src/cli/terminal/view.ts';
import { widthOf } from '../../../src/cli/terminal/width.ts';
import { fakeStreams } from '../../cli/terminal/fake-streams.ts';
import { planItem } from '../report/sample-run.ts';

const on = (columns: number, colour = false) => viewOf(fakeStreams({ isTerminal: true, columns, colour }), 0);
const inPipe = viewOf(fakeStreams(), 0);

const WORDS: PlanWords = { summary: 'Plan: 1 to create', next: '`partner jobs apply jobs/` does it' };

const item = (given: Partial<PlanItem>): PlanItem => planItem({ key: 'jobs/nurse.json', ...given });

const FROZEN = {
  code: 'FROZEN',
  message: 'the questions changed in the file, and the job has applications',
  hint: 'take the old questions back into the file',
} as const;

const PLAN: Plan = {
  unchanged: 0,
  live: 0,
  items: [
    item({ publish: true }),
    item({
      key: 'jobs/welders.json#2',
      action: 'update',
      jobId: 12,
      status: 'DRAFT',
      publish: true,
      changes: [
        { field: 'salaryMax', from: 80_000, to: 95_000 },
        { field: 'bidPerQualifiedApplicantCents', from: 1500, to: 1750 },
        { field: 'jobLevel', from: null, to: 'SENIOR' },
      ],
    }),
    item({ key: 'jobs/cook.json', action: 'publish', jobId: 13, status: 'DRAFT', publish: true }),
    item({
      key: 'jobs/lost.json',
      notes: [{ code: 'JOB_GONE', message: 'a new one takes the place of job 9' }],
    }),
    item({ key: 'jobs/moved.json', action: 'record', jobId: 14, status: 'ACTIVE' }),
    item({ key: 'jobs/cut.json', action: 'settle' }),
    item({ key: 'jobs/asked.json', action: 'held', jobId: 15, status: 'ACTIVE', notes: [FROZEN] }),
    item({ key: 'jobs/gone.json', action: 'close', jobId: 16, status: 'PAUSED' }),
  ],
  notices: [
    {
      key: 'jobs/rest.json',
      file: 'jobs/rest.json',
      line: 1,
      jobId: 17,
      status: 'PAUSED',
      changes: [],
      notes: [{ code: 'PAUSED', message: 'it is to be live, and somebody has paused it' }],
    },
  ],
};

describe('the plan for people', () => {
  const words: PlanWords = {
    ...WORDS,
    places: [{ text: 'Austin', displayName: 'Austin, Texas, United States', locationId: 4671654 }],
  };

  it('is a block a listing, as a diff, then places, summary and what to type next', () => {
    assert.equal(
      planView(PLAN, words, on(80)),
      `+ create  jobs/nurse.json · goes live
~ update  jobs/welders.json#2 · job 12 DRAFT · goes live
  salaryMax                      $80,000 → $95,000
  bidPerQualifiedApplicantCents  $15.00 → $17.50
  jobLevel                       (none) → SENIOR
^ publish jobs/cook.json · job 13 DRAFT
+ create  jobs/lost.json
  !  a new one takes the place of job 9
= record  jobs/moved.json · job 14 ACTIVE
? settle  jobs/cut.json
! held    jobs/asked.json · job 15 ACTIVE
  !  the questions changed in the file, and the job has applications
     → take the old questions back into the file
- close   jobs/gone.json · job 16 PAUSED

Left as they are
  jobs/rest.json · job 17 PAUSED
  !  it is to be live, and somebody has paused it

Places
  "Austin"  → Austin, Texas, United States (4671654)

Plan: 1 to create
→ \`partner jobs apply jobs/\` does it
`,
    );
  });

  it('fits 40 columns, and is the same on a wide terminal as on a usual one', () => {
    const narrow = planView(PLAN, words, on(40));
    for (const line of narrow.split('\n')) assert.ok(widthOf(line) <= 40, line);
    assert.match(narrow, /^ {2}salaryMax\n {4}\$80,000 → \$95,000$/m);
    assert.equal(planView(PLAN, words, on(200)), planView(PLAN, words, on(80)));
  });

  it('loses nothing without colour: a coloured plan is the same text', () => {
    const coloured = planView(PLAN, words, on(80, true));
    assert.match(coloured, /^\x1b\[32m\+ create/);
    assert.equal(coloured.replace(/\x1b\[\d+m/g, ''), planView(PLAN, words, on(80)));
  });

  it('cuts a long plan, and never what is held before a create', () => {
    const creates = Array.from({ length: 9999 }, (_, index) => item({ key: `jobs/${index}.json` }));
    const plan = { items: [...creates, ...PLAN.items.slice(6, 7)], notices: [] };
    const lines = planView(plan, WORDS, on(80)).split('\n');
    assert.equal(lines[0], '! held    jobs/asked.json · job 15 ACTIVE');
    assert.equal(lines[301], '+ create  jobs/298.json');
    assert.equal(lines[302], '… and 9,700 more (`--json` or a pipe shows all)');
  });
});

describe('the plan in a pipe', () => {
  it('is a tab-separated row a listing, whole and without a summary', () => {
    assert.equal(
      planView(PLAN, WORDS, inPipe),
      [
        'create\tjobs/nurse.json\t\tpublish\t\t\t',
        'update\tjobs/welders.json#2\t12\tpublish\tsalaryMax,bidPerQualifiedApplicantCents,jobLevel\t\tsalaryMax $80,000 → $95,000; bidPerQualifiedApplicantCents $15.00 → $17.50; jobLevel (none) → SENIOR',
        'publish\tjobs/cook.json\t13\tpublish\t\t\t',
        'create\tjobs/lost.json\t\t\t\tJOB_GONE\t',
        'record\tjobs/moved.json\t14\t\t\t\t',
        'settle\tjobs/cut.json\t\t\t\t\t',
        'held\tjobs/asked.json\t15\t\t\tFROZEN\t',
        'close\tjobs/gone.json\t16\t\t\t\t',
        'none\tjobs/rest.json\t17\t\t\tPAUSED\t',
        '',
      ].join('\n'),
    );
  });

  it('keeps its columns and lines whatever a key holds', () => {
    const plan = { items: [item({ key: 'a\tb\n\x1b[2Jc\u202e.json' })], notices: [] };
    assert.equal(planView(plan, WORDS, inPipe), 'create\ta b c.json\t\t\t\t\t\n');
  });
});

describe('what changes in a field', () => {
  const changed = (field: FieldChange['field'], from: unknown, to: unknown, columns = 100) =>
    changeLines([{ field, from, to }], on(columns));

  it('is which entries of a list came, went and changed, without the ids of the server', () => {
    const from = [
      { id: 'a', text: 'ICU experience', kind: 'DESIRED', order: 0 },
      { id: 'b', text: 'Active RN license', kind: 'REQUIRED', order: 1 },
      { id: 'c', text: 'BLS', kind: 'REQUIRED', order: 2 },
      { id: 'd', text: 'ACLS', kind: 'REQUIRED', order: 3 },
    ];
    const to = [
      { text: 'Night shifts', kind: 'DESIRED', order: 4 },
      { text: 'ICU experience', kind: 'REQUIRED', order: 0 },
      { text: 'Active RN license', kind: 'REQUIRED', order: 1 },
      { text: 'BLS or ACLS', kind: 'REQUIRED', order: 2 },
    ];
    assert.equal(
      changed('qualifications', from, to),
      `  qualifications  ~ desired: ICU experience → required: ICU experience
                  ~ required: BLS → required: BLS or ACLS
                  - required: ACLS
                  + desired: Night shifts
`,
    );
  });

  it('is shown for questions, places and caps in their own words', () => {
    const prompt = 'Which shifts?';
    assert.equal(
      changed(
        'questions',
        [{ prompt, answerFormat: 'TEXT', order: 0 }],
        [{ prompt, answerFormat: 'MULTI_SELECT', options: ['Days', 'Nights'], order: 0 }],
      ),
      `  questions  ~ Which shifts? (a line of text) → Which shifts? (pick one or more: Days · Nights)
`,
    );
    const austin = { locationId: 1, city: 'Austin', stateProvince: 'Texas', country: 'United States' };
    assert.equal(
      changed('locations', [{ ...austin, displayName: 'Austin' }], [austin, { locationId: 2, city: '東京' }]),
      '  locations  + 東京 (2)\n',
    );
    assert.equal(
      changed(
        'budgets',
        [{ window: 'DAILY', budgetCents: 10_000 }],
        [
          { window: 'DAILY', budgetCents: 12_000, notes: 'Q4' },
          { window: 'LIFETIME', budgetCents: 0 },
        ],
      ),
      `  budgets  ~ daily $100.00 → daily $120.00 · Q4
           + lifetime $0.00
`,
    );
  });

  it('is, of a long text, how much and what stands at the first difference', () => {
    const start = `${'A hospital in Austin. '.repeat(100)}Six patients`;
    assert.equal(
      changed('description', `${start} at most.`, `${start} or seven at most.${' More.'.repeat(50)}`),
      `  description  7 characters became 316
               - …patients at most.
               + …patients or seven at most. More. More. More. More. More. M…
`,
    );
    assert.equal(
      changed('description', '', 'a\nb'),
      '  description  3 characters added\n               + a b\n',
    );
    assert.equal(
      changed('description', 'a\nb', ''),
      '  description  3 characters removed\n               - a b\n',
    );
  });

  it('shows control, bidi and zero-width characters as their codes', () => {
    assert.equal(changed('title', 'Welder', 'Wel\u200bder'), '  title  Welder → Wel\\u200bder\n');
    assert.equal(
      changed('description', 'Line one\nLine two', 'Line one\r\nLine two'),
      `  description  1 character added
               - Line one\\u000aLine two
               + Line one\\u000d\\u000aLine two
`,
    );
  });

  it('names the file of each value that listings share, for a new job all of them', () => {
    const shared = 'jobs/_defaults.yaml';
    const origins = { jobType: shared, budgets: shared, jobLevel: 'jobs/east/_defaults.yaml' };
    const changes: FieldChange[] = [
      { field: 'title', from: 'Cook', to: 'Chef' },
      { field: 'jobType', from: null, to: 'CONTRACT' },
      { field: 'budgets', from: [], to: [{ window: 'DAILY', budgetCents: 100 }] },
    ];
    const items = [item({ origins }), item({ key: 'b.json', action: 'update', jobId: 3, changes, origins })];
    assert.equal(
      planView({ items, notices: [] }, { summary: 'Plan' }, on(80)),
      `+ create  jobs/nurse.json
  from jobs/_defaults.yaml       jobType, budgets
  from jobs/east/_defaults.yaml  jobLevel
~ update  b.json · job 3
  title    Cook → Chef
  jobType  (none) → CONTRACT (from jobs/_defaults.yaml)
  budgets  + daily $1.00 (from jobs/_defaults.yaml)

Plan
`,
    );
  });

  it('never brings an escape sequence to the terminal', () => {
    const hostile = '\x1b]0;x\x07\x1b[2JA\u202eB\tC';
    const text = changeLines(
      [
        { field: 'title', from: hostile, to: 'B' },
        { field: 'qualifications', from: [{ text: hostile, kind: hostile }], to: [] },
        { field: 'x\x1b[2J' as 'title', from: { a: hostile }, to: Number.POSITIVE_INFINITY },
      ],
      on(80),
    );
    assert.equal(
      text,
      `  title           \\u001b]0;x\\u0007\\u001b[2JA\\u202eB C → B
  qualifications  - AB C: \\u001b]0;x\\u0007\\u001b[2JA\\u202eB C
  x               {"a":"\\u001b]0;x\\u0007\\u001b[2JA\\u202eB\\tC"} → null
`,
    );
  });
});
