import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { FieldChange, Plan, PlanItem, PlanNotice } from '../../../src/bulk/plan/plan-item.ts';
import { type PlanWords, planView } from '../../../src/bulk/view/plan.ts';
import { changeLines } from '../../../src/bulk/view/plan-diff.ts';
import { viewOf } from '../../../src/cli/terminal/view.ts';
import { widthOf } from '../../../src/cli/terminal/width.ts';
import { fakeStreams } from '../../cli/terminal/fake-streams.ts';
import { planItem } from '../report/sample-run.ts';
import sample from './plan.json' with { type: 'json' };

const on = (columns: number, colour = false) => viewOf(fakeStreams({ isTerminal: true, columns, colour }), 0);
const inPipe = viewOf(fakeStreams(), 0);

const WORDS: PlanWords = { summary: 'Plan: 1 to create', next: '`partner jobs apply jobs/` does it' };

const item = (given: Partial<PlanItem>): PlanItem => planItem({ key: 'jobs/nurse.json', ...given });

const PLAN: Plan = {
  unchanged: 0,
  live: 0,
  items: sample.items.map((each) => item(each as Partial<PlanItem>)),
  notices: sample.notices as PlanNotice[],
};

describe('the plan for people', () => {
  const words: PlanWords = {
    ...WORDS,
    places: [{ text: 'Austin', displayName: 'Austin, Texas, United States', locationId: 4671654 }],
  };

  it('is a block a listing, as a diff, then places, summary and what to type next', () => {
    assert.equal(planView(PLAN, words, on(80)), readFileSync(new URL('plan.txt', import.meta.url), 'utf8'));
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
    assert.equal(planView(PLAN, WORDS, inPipe), readFileSync(new URL('plan.tsv', import.meta.url), 'utf8'));
  });

  it('keeps its columns and lines whatever a key holds', () => {
    const plan = { items: [item({ key: 'a\tb\n\x1b[2Jc\u202e.json' })], notices: [] };
    assert.equal(planView(plan, WORDS, inPipe), 'create\ta b c.json\t\t\t\t\t\n');
  });
});

describe('what changes in a field', () => {
  const changed = (field: FieldChange['field'], from: unknown, to: unknown) =>
    changeLines([{ field, from, to }], on(100));

  for (const { promise, field, from, to, lines } of sample.changed) {
    it(promise, () =>
      assert.equal(changed(field as FieldChange['field'], from, to), `${lines.join('\n')}\n`),
    );
  }

  it('is, of a long text, how much and what stands at the first difference', () => {
    const start = `${'A hospital in Austin. '.repeat(100)}Six patients`;
    assert.equal(
      changed('description', `${start} at most.`, `${start} or seven at most.${' More.'.repeat(50)}`),
      `  description  7 characters became 316
               - …patients at most.
               + …patients or seven at most. More. More. More. More. More. M…
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
