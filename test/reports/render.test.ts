import assert from 'node:assert/strict';
import { PartnerError } from '../../src/contract/errors.ts';
import { RUN_REPORTS, renderReport } from '../../src/reports/formats.ts';
import { applyJson, planJson } from '../../src/reports/json.ts';
import { BUNDLED_ENGINE, type Run } from '../../src/reports/run.ts';
import documents from './documents.json' with { type: 'json' };
import {
  APPLY_RUN,
  expected,
  FINDING,
  HOSTILE,
  HOSTILE_ITEM,
  HOSTILE_RUN,
  outcomeOf,
  PLAN_RUN,
  planItem,
  runOf,
} from './sample-run.ts';

const PLANNED = { items: [], notices: [], unchanged: 0, live: 0 };

/** A run that stopped because of invalid listings. */
const STOPPED = runOf({
  command: 'apply',
  plan: undefined,
  error: new PartnerError('VALIDATION_FAILED', {
    message: '3 of 9 listings are invalid. Nothing was sent',
    fields: { 'jobs/x.json:3:12 salaryMin': 'must be a whole number' },
    hint: 'mend them',
  }),
  found: { findings: [FINDING], errors: 1501, warnings: 0, listingsWithErrors: 3 },
});

const MANY: Run = runOf({
  plan: {
    ...PLANNED,
    items: Array.from({ length: 10_000 }, (_, index) => planItem({ key: `${'|'.repeat(1000)}${index}` })),
  },
});

describe('the --json output of a plan', () => {
  it('has every item with changes and notes, and the totals', () => {
    const { plan } = PLAN_RUN;
    assert.ok(plan);
    const value = JSON.parse(
      JSON.stringify(planJson({ ...plan, items: plan.items.slice(2) }, documents.plan.places)),
    );
    assert.deepEqual(value, documents.plan);
  });
});

describe('the --json output of an apply', () => {
  it('has every outcome with its error, and the totals', () => {
    const json = applyJson(APPLY_RUN.outcomes.slice(1, 2), APPLY_RUN.plan, 12_340);
    const value = JSON.parse(JSON.stringify(json));
    assert.deepEqual(value, documents.apply);
  });
});

describe('a run on the bundled engine', () => {
  it("is marked in every report, so that it isn't mistaken for one on a server", () => {
    const run = runOf({ server: 'http://localhost/v1', target: BUNDLED_ENGINE });
    for (const format of RUN_REPORTS) assert.match(renderReport(format, run), /bundled engine/, format);
  });
});

describe('a run as json', () => {
  it('adds the server, the time and the findings to the --json output', () => {
    const { items, notices, summary, ...about } = JSON.parse(renderReport('json', STOPPED));
    assert.deepEqual(about, { ...documents.stopped, findings: [FINDING] });
    assert.deepEqual([items, notices, summary.failed], [[], [], 0]);
    assert.equal(JSON.parse(renderReport('json', PLAN_RUN)).items.length, 4);
  });

  it('preserves hostile text with escapes', () => {
    const [item] = JSON.parse(renderReport('json', HOSTILE_RUN)).items;
    assert.equal(item.key, HOSTILE);
    assert.equal(item.error.message, HOSTILE);
  });
});

describe('a run as annotations', () => {
  it('has a warning per held or unchanged listing, and nothing for changes', () =>
    assert.equal(renderReport('github', PLAN_RUN), expected('plan-github.txt')));

  it("has an error per failed or unknown listing, and one for all that weren't attempted", () =>
    assert.equal(renderReport('github', APPLY_RUN), expected('apply-github.txt')));

  it('has one annotation per invalid listing, and none for warnings or unneeded drafts', () => {
    const more = { ...FINDING, line: 1, field: 'title', message: 'is missing', hint: 'add it' };
    const findings = [FINDING, { ...FINDING, index: 1 }, more, { ...more, level: 'warning' } as const];
    const draft = { ...planItem({}), file: undefined, jobId: 7, status: 'DRAFT' };
    const plan = { ...PLANNED, notices: [draft] };
    const found = { findings, errors: 1501, warnings: 1, listingsWithErrors: 2 };
    assert.equal(renderReport('github', runOf({ plan, found })), expected('findings-github.txt'));
  });

  it('has one command per listing with any text', () => {
    const lines = renderReport('github', HOSTILE_RUN).trimEnd().split('\n');
    assert.equal(lines.length, 2);
    const [, properties = ''] = /^::error (.*?)::/.exec(lines[0] ?? '') ?? [];
    assert.match(properties, /^file=[^,]*%2C[^,]*,line=1,title=[^,]*$/);
  });
});

describe('a run as junit', () => {
  it('has one suite per file. Failed, unknown and held listings are failures, and unattempted ones are skipped', () =>
    assert.equal(renderReport('junit', APPLY_RUN), expected('apply-junit.xml')));

  it('reports neither invalid listings nor omitted findings as passed', () =>
    assert.equal(renderReport('junit', STOPPED), expected('stopped-junit.xml')));

  it('is well-formed XML with any text', () => {
    const text = renderReport('junit', HOSTILE_RUN);
    assert.equal(text.match(/<testcase /g)?.length, 1);
    assert.doesNotMatch(text.replace(/<\/?[a-z?][^<>]*>/g, ''), /[<>]|&(?!(?:amp|lt|gt|quot);)/);
  });
});

describe('a run as markdown', () => {
  it('has a heading, the counts, the problems, then the changes', () => {
    assert.equal(renderReport('markdown', APPLY_RUN), expected('apply-run.md'));
  });

  it('has the planned changes of a plan', () => {
    const text = renderReport('markdown', PLAN_RUN);
    assert.match(text, /### To close\n\n.*\n.*\n\| gone\.json \| 14 \| closes job 14 permanently \|\n/);
    const expected =
      /\| b\.json item 3 "Welder" \| 12 \| updates job 12: salaryMax \\\$80,000 → \\\$95,000; jobLevel /;
    assert.match(text, expected);
    assert.match(
      text,
      /### Not changed\n\n.*\n.*\n\| p\.json \| 15 \| PAUSED \| somebody has paused it \|\n/,
    );
  });

  it('reports that nothing was sent, the reason, and the number of omitted findings', () =>
    assert.match(
      renderReport('markdown', STOPPED),
      /^Nothing was sent: 1,501 problems in 3 listings\n\n\*\*VALIDATION\\_FAILED\*\*: 3 of 9 listings are invalid\. Nothing was sent\n\n→ mend them\n[\s\S]*\| Problems in the files \| 1,501 \|\n[\s\S]*\n\n… and 1,500 more\n$/m,
    ));

  it('has at most 500 rows and 1 MiB', () => {
    const text = renderReport('markdown', MANY);
    assert.match(text, /\n\n… and 9,500 more\n$/);
    assert.equal(text.split('\n').filter((line) => line.startsWith('| \\|')).length, 500);
    const wide = Array.from({ length: 500 }, () =>
      outcomeOf({ ...HOSTILE_ITEM, key: '\u202e'.repeat(600) }, { result: 'updated' }),
    );
    const long = renderReport('markdown', runOf({ command: 'apply', outcomes: wide }));
    assert.ok(Buffer.byteLength(long) < 1024 * 1024);
    assert.match(long, /\n\n… and \d+ more\n$/);
  });

  it('has one row per listing, without markup or links from its texts', () => {
    const rows = renderReport('markdown', HOSTILE_RUN)
      .split('\n')
      .filter((line) => line.startsWith('| x'));
    assert.equal(rows.length, 1);
    const [row = ''] = rows;
    assert.equal(row.replace(/\\./g, '').split('|').length, 6);
    assert.doesNotMatch(row.replace(/\\./g, ''), /[`<>[\]&*_$#!@]|:\/\/|www\./);
  });
});

describe('a partly applied listing', () => {
  const FROZEN = {
    code: 'FROZEN',
    message: 'its questions can no longer change',
    hint: 'take them out',
  } as const;
  const partly = planItem({
    action: 'update',
    jobId: 12,
    notes: [FROZEN],
    changes: [{ field: 'title', from: 'a', to: 'b' }],
  });
  const planned = runOf({ plan: { ...PLANNED, items: [partly] } });
  const unpublished = runOf({
    command: 'apply',
    outcomes: [outcomeOf(partly, { result: 'updated', error: new PartnerError('AGREEMENT_OUTDATED') })],
  });

  it('has the change and the problem in each report', () => {
    assert.match(
      renderReport('github', planned),
      /^::warning .*title=FROZEN::a\.json: its questions can no longer change; take them out\nPlan: /,
    );
    const expected = /<system-out>.*title a → b; its questions can no longer change; take/;
    assert.match(renderReport('junit', planned), expected);
    const message = /\| updates job 12: title a → b; its questions can no longer/;
    assert.match(renderReport('markdown', planned), message);
    assert.match(
      renderReport(
        'markdown',
        runOf({ command: 'apply', outcomes: [outcomeOf(partly, { result: 'updated' })] }),
      ),
      /\| a\.json \| 12 \| updates job 12: title a → b; its questions can no longer change; take them out \|/,
    );
  });

  it('is an error if the publish after an update was refused', () => {
    assert.match(renderReport('github', unpublished), /^::error .*title=AGREEMENT_OUTDATED::/);
    assert.match(renderReport('junit', unpublished), /type="AGREEMENT_OUTDATED"/);
    const expected = /### Partly done\n\n.*\n.*\n\| a\.json \| 12 \| AGREEMENT/;
    assert.match(renderReport('markdown', unpublished), expected);
  });
});

describe('every report', () => {
  it('contains no control sequences for a terminal or a log', () => {
    for (const format of RUN_REPORTS) {
      for (const run of [HOSTILE_RUN, runOf({ plan: { ...PLANNED, items: [HOSTILE_ITEM] } })]) {
        const text = renderReport(format, run);
        assert.doesNotMatch(text, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]|\p{Surrogate}/u, format);
        assert.ok(text.endsWith('\n') && !text.endsWith('\n\n'));
      }
    }
  });
});
