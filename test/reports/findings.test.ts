import assert from 'node:assert/strict';
import type { Paint } from '../../src/cli/terminal/view.ts';
import type { Report } from '../../src/listings/check/check-files.ts';
import { type Finding, RULES } from '../../src/listings/check/finding.ts';
import { createTally } from '../../src/listings/check/tally.ts';
import { CHECK_FORMATS } from '../../src/reports/formats.ts';
import { parseXml } from '../cli/xml.ts';
import { expected, FINDING, renderCheck } from './sample-run.ts';

const { hint: _, ...UNHINTED } = FINDING;

function found(fields: Partial<Finding>): Finding {
  return { ...UNHINTED, file: 'jobs/a.json', ...fields };
}

function reportOf(...findings: Finding[]): Report {
  const names = [...new Set(['jobs/a.json', ...findings.map(({ file }) => file)])];
  const tally = createTally();
  const keys = new Set(findings.map(({ file, index }) => `${index} ${file}`));
  for (const key of keys)
    tally.add({ findings: findings.filter(({ file, index }) => `${index} ${file}` === key) });
  const files = names.map((file) => ({ file, listings: 2 }));
  return { files, listings: names.length * 2, ...tally.totals() };
}

const CLEAN = reportOf();
const HOSTILE = 'x\u001b[2J\u009b\r\n::error::no\u202e\u200b%,:<&>"\'\u0000\ud800';

describe('findings as text', () => {
  it('has one line per finding, grouped by file, with the hint below it, then the summary', () => {
    const report = reportOf(
      found({ hint: 'write 85000' }),
      found({ index: 1, line: 10, field: '', rule: 'json-syntax', message: 'a comma is missing' }),
      found({ file: 'b.json', level: 'warning', field: 'remoteCountry', message: 'names the country' }),
    );
    assert.equal(renderCheck('text', report), expected('findings.txt').trimEnd());
  });

  for (const [report, summary] of [
    [CLEAN, '2 listings in 1 file: no problems found'],
    [reportOf(found({})), '1 problem in 1 of 2 listings'],
    [reportOf(found({}), found({ line: 4 })), '2 problems in 1 of 2 listings'],
    [reportOf(found({ level: 'warning' })), 'no problems in 2 listings, 1 warning'],
  ] as const)
    it(`has the summary: ${summary}`, () =>
      assert.equal(renderCheck('text', report).split('\n').at(-1), summary));

  it('colors only positions, levels and hints, and only if colors are supported', () => {
    const paint: Paint = (style, text) => `<${style}>${text}</${style}>`;
    const [line, hint] = renderCheck('text', reportOf(found({ hint: 'h' })), paint).split('\n');
    assert.equal(line, '<dim>jobs/a.json:3:12:</dim> <red>error:</red> salaryMin: must be a whole number');
    assert.equal(hint, '    <dim>h</dim>');
    for (const format of CHECK_FORMATS.filter((other) => other !== 'text'))
      assert.doesNotMatch(renderCheck(format, reportOf(found({})), paint), /<(?:dim|red)>/);
  });
});

describe('findings with hostile text', () => {
  const hostile = reportOf(found({ file: HOSTILE, field: HOSTILE, message: HOSTILE, hint: HOSTILE }));

  for (const format of CHECK_FORMATS)
    it(`contain no control or bidirectional characters as ${format}`, () => {
      const text = renderCheck(format, hostile).replaceAll('\n', '');
      assert.doesNotMatch(text, /[\u0000-\u001f\u007f-\u009f\u200b\u202a-\u202e]/);
    });

  it('add no lines to a report', () => {
    assert.equal(renderCheck('text', hostile).split('\n').length, 4);
    const github = renderCheck('github', hostile).split('\n');
    assert.equal(github.length, 2);
    assert.equal(github.filter((line) => line.startsWith('::')).length, 1);
  });
});

describe('findings as json', () => {
  it('have counts, files and findings', () => {
    const finding = found({ hint: 'write 85000' });
    assert.deepEqual(JSON.parse(renderCheck('json', reportOf(finding, found({ level: 'warning' })))), {
      listings: 2,
      errors: 1,
      warnings: 1,
      files: [{ file: 'jobs/a.json', listings: 2 }],
      findings: [finding, found({ level: 'warning' })],
    });
  });
});

describe('findings as github', () => {
  it('have one workflow command per finding, and the summary as a plain line', () => {
    const report = reportOf(
      found({ hint: 'write 85000' }),
      found({ level: 'warning', field: '', rule: 'json-syntax' }),
    );
    assert.equal(renderCheck('github', report), expected('findings-hints-github.txt').trimEnd());
  });

  it('escape the separators of a command', () => {
    const finding = found({ file: 'a,b:c%.json', field: 'x::y,z', message: '100% :: a, b' });
    const wanted = '::error file=a%2Cb%3Ac%25.json,line=3,col=12,title=x%3A%3Ay%2Cz::x::y,z: 100%25 :: a, b';
    assert.equal(renderCheck('github', reportOf(finding)).split('\n')[0], wanted);
  });
});

describe('findings as junit', () => {
  it('have one suite per file and one case per listing', () => {
    const report = reportOf(
      found({ index: 1, hint: 'write 85000' }),
      found({ index: 1, line: 4 }),
      found({ level: 'warning' }),
    );
    assert.equal(renderCheck('junit', report), expected('findings-junit.xml').trimEnd());
  });

  it('are well-formed XML with any text', () => {
    const hostile = found({ file: HOSTILE, field: HOSTILE, message: HOSTILE, hint: HOSTILE });
    const xml = renderCheck('junit', reportOf(hostile));
    assert.ok(parseXml(xml).length > 3);
    assert.doesNotMatch(xml, /&(?!amp;|lt;|gt;|quot;)/);
    assert.doesNotMatch(xml, /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u);
  });
});

describe('findings as sarif', () => {
  const log = JSON.parse(
    renderCheck(
      'sarif',
      reportOf(found({ hint: 'write 85000' }), found({ file: './jöbs/a b#1.json', level: 'warning' })),
    ),
  );
  const [run] = log.runs;

  it('are SARIF 2.1.0 with one run, its tool and its rules', () => {
    assert.deepEqual([log.version, log.runs.length, run.tool.driver.name], ['2.1.0', 1, 'partner']);
    assert.match(log.$schema, /sarif-2\.1\.0/);
    const ids = run.tool.driver.rules.map(({ id }: { id: string }) => id);
    assert.deepEqual(ids, Object.keys(RULES));
    for (const { shortDescription } of run.tool.driver.rules) assert.match(shortDescription.text, /\.$/);
  });

  it('have the rule, the relative URI, and the line and column in code points', () => {
    const [first, second] = run.results;
    const region = { startLine: 3, startColumn: 12 };
    assert.equal(run.columnKind, 'unicodeCodePoints');
    assert.deepEqual(first, {
      ruleId: 'invalid-value',
      ruleIndex: Object.keys(RULES).indexOf('invalid-value'),
      level: 'error',
      message: { text: 'salaryMin: must be a whole number; write 85000' },
      locations: [{ physicalLocation: { artifactLocation: { uri: 'jobs/a.json' }, region } }],
    });
    assert.equal(second.level, 'warning');
    assert.equal(second.locations[0].physicalLocation.artifactLocation.uri, './j%C3%B6bs/a%20b%231.json');
  });
});
