import assert from 'node:assert/strict';
import type { FieldChange, Plan, PlanItem, PlanNotice } from '../../src/bulk/plan/plan-item.ts';
import { shellWord, toView } from '../../src/cli/terminal/view.ts';
import { getWidth } from '../../src/cli/terminal/width.ts';
import { PartnerError } from '../../src/contract/errors.ts';
import { changeLines } from '../../src/reports/changes.ts';
import { type Applied, applyView, type PlanWords, planView } from '../../src/reports/text.ts';
import { fakeStreams } from '../cli/terminal/fake-streams.ts';
import sample from './plan.json' with { type: 'json' };
import { expected, planItem } from './sample-run.ts';

const on = (columns: number, colour = false) => toView(fakeStreams({ isTerminal: true, columns, colour }), 0);
const inPipe = toView(fakeStreams(), 0);

const WORDS: PlanWords = { summary: 'Plan: 1 to create', next: '`partner jobs apply jobs/` does it' };

const item = (given: Partial<PlanItem>): PlanItem => planItem({ key: 'jobs/nurse.json', ...given });

const PLAN: Plan = {
  unchanged: 0,
  live: 0,
  items: sample.items.map((each) => item(each as Partial<PlanItem>)),
  notices: sample.notices as PlanNotice[],
};

describe('the plan in a terminal', () => {
  const words: PlanWords = {
    ...WORDS,
    places: [{ text: 'Austin', displayName: 'Austin, Texas, United States', locationId: 4671654 }],
  };

  it('has one block per listing like a diff, then places, summary and next step', () =>
    assert.equal(planView(PLAN, words, on(80)), expected('plan.txt')));

  it('fits 40 columns, and is the same with 80 and 200 columns', () => {
    const narrow = planView(PLAN, words, on(40));
    for (const line of narrow.split('\n')) assert.ok(getWidth(line) <= 40, line);
    assert.match(narrow, /^ {2}salaryMax\n {4}\$80,000 → \$95,000$/m);
    assert.equal(planView(PLAN, words, on(200)), planView(PLAN, words, on(80)));
  });

  it('has the same text with and without colors', () => {
    const coloured = planView(PLAN, words, on(80, true));
    assert.match(coloured, /^\x1b\[32m\+ create/);
    assert.equal(coloured.replace(/\x1b\[\d+m/g, ''), planView(PLAN, words, on(80)));
  });

  it('omits creates of a long plan before held listings', () => {
    const creates = Array.from({ length: 9999 }, (_, index) => item({ key: `jobs/${index}.json` }));
    const plan = { items: [...creates, ...PLAN.items.slice(6, 7)], notices: [] };
    const lines = planView(plan, WORDS, on(80)).split('\n');
    assert.equal(lines[0], '! held    jobs/asked.json · job 15 ACTIVE');
    assert.equal(lines[301], '+ create  jobs/298.json');
    assert.equal(lines[302], '… and 9,700 more (`--json` or a pipe shows all)');
  });
});

describe('the plan in a pipe', () => {
  it('has one complete tab-separated row per listing, without a summary', () =>
    assert.equal(planView(PLAN, WORDS, inPipe), expected('plan.tsv')));

  it('keeps its columns and lines with any key', () => {
    const plan = { items: [item({ key: 'a\tb\n\x1b[2Jc\u202e.json' })], notices: [] };
    assert.equal(planView(plan, WORDS, inPipe), 'create\ta b c.json\t\t\t\t\t\ta b c.json\n');
  });
});

describe('the change of a field', () => {
  const changed = (field: FieldChange['field'], from: unknown, to: unknown) =>
    changeLines([{ field, from, to }], on(100));

  for (const { promise, field, from, to, lines } of sample.changed)
    it(promise, () =>
      assert.equal(changed(field as FieldChange['field'], from, to), `${lines.join('\n')}\n`),
    );

  it('shows the size and the first difference of a long text', () => {
    const start = `${'A hospital in Austin. '.repeat(100)}Six patients`;
    assert.equal(
      changed('description', `${start} at most.`, `${start} or seven at most.${' More.'.repeat(50)}`),
      expected('change-long.txt'),
    );
  });

  it('shows the file of each shared value, and all of them for a new job', () => {
    const shared = { file: 'jobs/_defaults.yaml' };
    const origins = {
      jobType: shared,
      budgets: shared,
      jobLevel: { file: 'jobs/east/_defaults.yaml', rule: 2, value: 'MID' },
    };
    const changes: FieldChange[] = [
      { field: 'title', from: 'Cook', to: 'Chef' },
      { field: 'jobType', from: null, to: 'CONTRACT' },
      { field: 'budgets', from: [], to: [{ window: 'DAILY', budgetCents: 100 }] },
    ];
    const items = [item({ origins }), item({ key: 'b.json', action: 'update', jobId: 3, changes, origins })];
    assert.equal(
      planView({ items, notices: [] }, { summary: 'Plan' }, on(80)),
      expected('plan-defaults.txt'),
    );
  });

  it('contains no escape sequences', () => {
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

const APPLY_WORDS = { summary: 'Apply: 1 created in 1.2 s', command: 'partner jobs apply jobs/' };

function outcome(key: string, given: Partial<Applied>): Applied {
  return { item: { key, notes: [] }, result: 'created', jobId: undefined, error: undefined, ...given };
}

const INCOMPLETE = new PartnerError('VALIDATION_FAILED', {
  message: 'the listing is incomplete',
  fields: { title: 'is required to publish' },
  hint: 'set title',
});
const OUTCOMES: readonly Applied[] = [
  outcome('jobs/a.json', { jobId: 12 }),
  outcome('jobs/b.json', { result: 'failed', jobId: 13, error: INCOMPLETE }),
  outcome("jobs/it's.json#1", {
    result: 'unknown',
    error: new PartnerError('OUTCOME_UNKNOWN', { message: 'the connection broke' }),
  }),
  outcome('jobs/d.json', {
    result: 'held',
    jobId: 15,
    item: { key: 'jobs/d.json', notes: [{ code: 'CLOSED', message: 'the job was closed' }] },
  }),
  outcome('jobs/e.json', { result: 'left', error: new PartnerError('AGREEMENT_OUTDATED') }),
  outcome('jobs/f.json', { result: 'left', error: new PartnerError('AGREEMENT_OUTDATED') }),
  outcome('jobs/g.json', { result: 'left' }),
];

describe('the result of an apply', () => {
  it('shows the reason and the next step for each unfinished listing', () =>
    assert.equal(applyView(OUTCOMES, APPLY_WORDS, on(90)), expected('apply.txt')));

  it('shows refused publishes and locked fields of applied listings', () => {
    const notes = [
      { code: 'FROZEN', message: 'its questions can no longer change', hint: 'take them out' } as const,
    ];
    const partly = [
      outcome('jobs/a.json', {
        result: 'updated',
        jobId: 12,
        error: new PartnerError('TIMED_OUT', { hint: 'again' }),
      }),
      outcome('jobs/b.json', { result: 'updated', jobId: 13, item: { key: 'jobs/b.json', notes } }),
      outcome('jobs/c.json', {
        item: { key: 'jobs/c.json', notes: [{ code: 'MOVED', message: 'it was b' }] },
      }),
    ];
    assert.equal(applyView(partly, APPLY_WORDS, on(80)), expected('apply-partly.txt'));
    assert.match(applyView(partly.slice(1), APPLY_WORDS, on(80)), /✓ Apply/);
  });

  it('has one tab-separated row per listing in a pipe', () =>
    assert.equal(
      applyView(OUTCOMES.slice(0, 5), APPLY_WORDS, inPipe),
      [
        'created\tjobs/a.json\t12\t\t\tjobs/a.json',
        'failed\tjobs/b.json\t13\tVALIDATION_FAILED\tthe listing is incomplete\tjobs/b.json',
        "unknown\tjobs/it's.json#1\t\tOUTCOME_UNKNOWN\tthe connection broke\tjobs/it's.json listing 2",
        'held\tjobs/d.json\t15\tCLOSED\tthe job was closed\tjobs/d.json',
        "left\tjobs/e.json\t\tAGREEMENT_OUTDATED\tcan't publish: the current employer terms aren't accepted\tjobs/e.json",
        '',
      ].join('\n'),
    ));

  it('removes control characters from the message, code and fields of a server', () => {
    const error = new PartnerError('SERVER_FAILED', {
      message: 'a\tb\n\x1b[2Jc',
      serverCode: 'X\x1b[1mY',
      fields: { 'title\x1b[2J': '\u202egpj.exe' },
    });
    const hostile = [outcome('a\x1b[31m.json', { result: 'failed', error })];
    assert.equal(applyView(hostile, APPLY_WORDS, inPipe), 'failed\ta.json\t\tXY\ta b c\ta.json\n');
    assert.match(applyView(hostile, APPLY_WORDS, on(80)), /a\.json\n {5}XY: a b c\n {5}title: gpj\.exe\n/);
  });
});

describe('a key in a command', () => {
  it('is quoted so that a shell reads the same key', () => {
    assert.equal(shellWord('jobs/a-1.json'), 'jobs/a-1.json');
    assert.equal(shellWord('jobs/a b$(x).json'), "'jobs/a b$(x).json'");
    assert.equal(shellWord("a'\x1b[2J.json"), "$'a\\'\\u001b[2J.json'");
    assert.equal(shellWord('~/a.json'), "'~/a.json'");
  });
});
