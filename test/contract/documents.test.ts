import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as jobs from '../../src/contract/job.ts';
import {
  ANSWER_FORMATS,
  BUDGET_WINDOWS,
  JOB_LEVELS,
  JOB_STATUSES,
  JOB_TYPES,
  LIMITS,
  LISTING_DAYS,
  QUALIFICATION_KINDS,
  REMOTE_OPTIONS,
  SALARY_PERIODS,
} from '../../src/contract/values.ts';

const read = (name: string): string => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');
const jobFiles = read('job-files.md');
const lifecycle = read('lifecycle.md');

/** The part of a document under a heading, up to the next one. */
function under(document: string, heading: string): string {
  const [, rest = ''] = document.split(`${heading}\n`);
  return rest.split(/^#/m)[0] ?? '';
}

/** The first cells of the table rows that are a name in code. */
function namesIn(section: string): string[] {
  return Array.from(section.matchAll(/^\| `([^`]+)` \|/gm), ([, name]) => name ?? '');
}

describe('docs/job-files.md says what the contract takes', () => {
  const tables: readonly (readonly [heading: string, names: readonly string[]])[] = [
    ['## The fields', Object.keys(jobs.JobInputSchema.shape)],
    ['### Locations', Object.keys(jobs.LocationInputSchema.shape)],
    ['### Qualifications', Object.keys(jobs.QualificationInputSchema.shape)],
    ['### Questions', [...Object.keys(jobs.QuestionInputSchema.shape), ...ANSWER_FORMATS]],
    ['### Budgets', Object.keys(jobs.BudgetInputSchema.shape)],
  ];
  for (const [heading, names] of tables)
    it(`every field of "${heading}", each once`, () =>
      assert.deepEqual(namesIn(under(jobFiles, heading)).toSorted(), names.toSorted()));

  const values = [REMOTE_OPTIONS, JOB_TYPES, JOB_LEVELS, SALARY_PERIODS, QUALIFICATION_KINDS, BUDGET_WINDOWS];
  it('every value of every closed set', () => {
    for (const value of values.flat()) assert.ok(jobFiles.includes(`\`${value}\``), value);
  });

  it('every limit', () => {
    const limits = [
      `up to ${LIMITS.titleCharacters} characters`,
      `up to ${LIMITS.descriptionCharacters.toLocaleString('en')} characters`,
      `up to ${LIMITS.textCharacters.toLocaleString('en')} characters`,
      `up to ${LIMITS.arrayEntries} [questions]`,
      `1 to ${LIMITS.questionOptions} texts`,
      `${LIMITS.bodyBytes / 2 ** 20} MiB`,
      Number.MAX_SAFE_INTEGER.toLocaleString('en'),
    ];
    for (const limit of limits) assert.ok(jobFiles.includes(limit), limit);
  });

  it('null for just the fields that take it', () => {
    const rows = under(jobFiles, '## The fields')
      .split('\n')
      .filter((line) => line.startsWith('| `'));
    for (const [field, empty] of Object.entries(jobs.EMPTY_CONTENT)) {
      const [, , , values] = rows.find((row) => row.startsWith(`| \`${field}\``))?.split('|') ?? [];
      assert.equal(values?.endsWith('null '), empty === null, field);
    }
  });
});

describe('docs/lifecycle.md describes the states of a job', () => {
  it('every state, each once', () => assert.deepEqual(namesIn(lifecycle), [...JOB_STATUSES]));

  it('how long a listing runs', () => assert.ok(lifecycle.includes(`${LISTING_DAYS} days later`)));

  it('every field that only the server sets', () => {
    const readOnly = Object.keys(jobs.JobSchema.shape).filter(
      (field) => !Object.hasOwn(jobs.EMPTY_CONTENT, field),
    );
    const section = under(lifecycle, '## Read-only fields');
    for (const field of readOnly) assert.ok(section.includes(`\`${field}\``), field);
  });
});
