import assert from 'node:assert/strict';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import * as yaml from 'yaml';
import { buildSheet, writeCsv, writeXlsx } from '../../src/listings/write/sheet.ts';
import { markdownParts, markdownText, yamlDocument, yamlText } from '../../src/listings/write/yaml.ts';
import { COMPLETE } from '../listings/listing.ts';
import { together } from './bulk.ts';
import { EXAMPLES, type Home, newHome } from './partner.ts';

const it = together();

async function bodiesOf(name: string): Promise<string[]> {
  const home = await newHome();
  const path = join(EXAMPLES, 'formats', name);
  const { code, stderr } = await home.run(`jobs apply ${path} --state state.json --debug`);
  assert.equal(code, 0, stderr);
  return Array.from(stderr.matchAll(/^> (\{.*)$/gm), ([, body = '']) => body).sort();
}

/** Each wrong value names its field, so that the test can find where a finding must start. */
const WRONG: Readonly<Record<string, unknown>> = {
  ...COMPLETE,
  remoteOption: 'wrong place of work',
  jobType: 'wrong type',
  jobLevel: 'wrong level',
  salaryMin: 'wrong pay',
  salaryPeriod: 'wrong time',
  locations: ['Wrongtown, Texas'],
  atsJobUrl: 'wrong address',
  questions: [{ prompt: 'What is your email address?', answerFormat: 'TEXT', order: 1 }],
};

const PLACES: Readonly<Record<string, unknown>> = {
  'locations[0]': 'Wrongtown',
  'questions[0].prompt': 'What is your email',
};

interface Found {
  readonly field: string;
  readonly line: number;
  readonly column: number;
  readonly cell?: string;
  readonly level: string;
}

describe('job files of other formats', () => {
  it('make the same ten jobs of the same ten listings, byte for byte', async () => {
    const bodies = await bodiesOf('jobs.json');
    assert.equal(bodies.length, 10);
    for (const name of ['jobs.yaml', 'markdown', 'jobs.csv', 'jobs.xlsx'])
      assert.deepEqual(await bodiesOf(name), bodies, name);
  });

  it('have each wrong value found at its place', async () => {
    const wrong = WRONG as Parameters<typeof writeCsv>[0][number];
    const files = {
      'wrong.json': JSON.stringify(wrong, null, 2),
      'wrong.yaml': yamlText(yamlDocument(yaml, wrong)),
      'wrong.md': markdownText(markdownParts(yaml, wrong)),
      'wrong.csv': writeCsv([wrong]),
      'wrong.xlsx': await writeXlsx([wrong]),
    };
    const [, row = []] = buildSheet([wrong]);
    for (const [name, content] of Object.entries(files)) {
      const home = await newHome();
      const { stdout } = await home.run(['jobs', 'validate', await home.file(name, content), '--json']);
      const { findings } = JSON.parse(stdout) as { findings: Found[] };
      const errors = findings.filter(({ level }) => level === 'error');
      const fields = Object.keys(WRONG).filter((field) => String(WRONG[field]).startsWith('wrong'));
      const actual = errors.map(({ field }) => field).sort();
      assert.deepEqual(actual, [...fields, ...Object.keys(PLACES)].sort(), name);
      for (const { field, line, column, cell } of errors) {
        const begins = new RegExp(`^["']?${PLACES[field] ?? WRONG[field]}`, 'i');
        const at = row.findIndex((text) => begins.test(text));
        const inText = String(content)
          .replace('\ufeff', '')
          .split('\n')
          [line - 1]?.slice(column - 1);
        if (name.endsWith('.xlsx')) assert.equal(cell, `${String.fromCharCode(65 + at)}2`, field);
        else assert.match(inText ?? '', begins, `${name}: ${field}`);
      }
    }
  });

  it('may begin with the table that partner schema --csv prints: its listings can go live', async () => {
    const home = await newHome();
    const { stdout } = await home.run('schema --csv');
    const path = await home.file('jobs.csv', stdout);
    const { listings, findings } = await home.must<{ listings: number; findings: unknown[] }>(
      `jobs validate ${path}`,
    );
    assert.deepEqual([listings, findings], [2, []]);
  });
});

const TEXTS = {
  title: ' NO: 24/7 – Welder (m/f/d) 🔥',
  description: 'One:\n\n---\n- a list\n- of two, "quoted"; and so on\n\n# Not a heading',
};

async function exported(home: Home, id: number, format: string): Promise<string> {
  const path = join(home.path, `exported.${format}`);
  const file = openSync(path, 'w');
  const { code, stderr } = await home.run(`jobs export ${id} --format ${format}`, { stdout: file });
  closeSync(file);
  assert.equal(code, 0, stderr);
  return path;
}

describe('jobs export', () => {
  it('writes a job in each format so that it makes the same job again', async () => {
    const home = await newHome();
    const changes = ['--title', TEXTS.title, '--description', TEXTS.description];
    await home.must(['jobs', 'create', join(EXAMPLES, 'jobs/icu-nurse-boston.json'), ...changes]);
    const before = await home.must('jobs export 1');
    for (const format of ['json', 'yaml', 'md', 'csv', 'xlsx']) {
      const { id } = await home.must<{ id: number }>(['jobs', 'create', await exported(home, 1, format)]);
      assert.deepEqual(await home.must(`jobs export ${id}`), before, format);
    }
  });

  it('says what a table leaves out, and is JSON alone under --json', async () => {
    const home = await newHome();
    const file = await home.file('job.json', { title: 'Welder', description: 'One\u202e\r\nTwo\u001b[31m' });
    await home.must(['jobs', 'create', file]);
    const { stdout, stderr } = await home.run('jobs export 1 --format csv');
    assert.match(stdout, /"One\nTwo"/);
    assert.match(stderr, /invisible characters are omitted.*--format yaml/s);
    assert.equal((await home.run('jobs export 1 --format yaml')).stderr, '');
    assert.equal((await home.run('jobs export 1 --format yaml --json')).code, 2);
  });
});
