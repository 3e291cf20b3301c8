import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { checkJobInput } from '../../src/contract/check.ts';
import { completenessGaps } from '../../src/contract/gate.ts';
import { EMPTY_CONTENT, type JobContent, type JobInput, type LocationInput } from '../../src/contract/job.ts';
import { fieldName } from '../../src/contract/problems.ts';
import {
  ANSWER_FORMATS,
  BUDGET_WINDOWS,
  JOB_LEVELS,
  JOB_TYPES,
  QUALIFICATION_KINDS,
  REMOTE_OPTIONS,
  SALARY_PERIODS,
} from '../../src/contract/values.ts';
import { openPlaces } from '../../src/engine/places/open.ts';
import { checkFiles } from '../../src/listings/check/check-files.ts';
import { expandPaths } from '../../src/listings/read/paths.ts';
import { PLACES_PATH } from '../http/subject.ts';

const examples = new URL('../../examples/', import.meta.url);
const SCHEMA = '../../schemas/job-file.json';

type JobFile = Omit<JobInput, 'locations'> & { $schema: string; locations?: (LocationInput | string)[] };

const namesIn = (folder: string): string[] => readdirSync(new URL(folder, examples)).sort();
const textOf = (path: string): string => readFileSync(new URL(path, examples), 'utf8');
const fileOf = (path: string): JobFile => JSON.parse(textOf(path));
const unique = (values: unknown[]): unknown[] => [...new Set(values)].sort();

const NAMES = namesIn('jobs/');
const FILES = NAMES.map((name) => fileOf(`jobs/${name}`));

describe('the example listings', () => {
  it('are valid and complete, in places that exist', async () => {
    const places = openPlaces(PLACES_PATH);
    const files = await expandPaths([fileURLToPath(new URL('jobs', examples))]);
    const report = await checkFiles(files, { stdin: Readable.from([]) }, { draft: false, places });
    places.close();
    assert.deepEqual([report.listings, report.findings], [NAMES.length, []]);
  });

  for (const [index, name] of NAMES.entries()) {
    const file = FILES[index] as JobFile;

    it(`${name} reads as a listing of its own`, () => {
      assert.equal(Object.keys(file)[0], '$schema');
      assert.equal(file.$schema, SCHEMA);
      assert.ok((file.description ?? '').split('\n\n').length >= 3, 'several paragraphs');
      for (const list of [file.qualifications ?? [], file.questions ?? []]) {
        assert.deepEqual(
          list.map(({ order }) => order),
          list.map((_, at) => at + 1),
        );
      }
      assert.ok((file.qualifications ?? []).filter(({ kind }) => kind === 'REQUIRED').length >= 1);
    });
  }
});

describe('the example listings together', () => {
  it('use every value of every set', () => {
    const text = JSON.stringify(FILES);
    const sets = [REMOTE_OPTIONS, JOB_TYPES, JOB_LEVELS, SALARY_PERIODS, ANSWER_FORMATS, BUDGET_WINDOWS];
    const values = [...sets.flat(), ...QUALIFICATION_KINDS];
    assert.deepEqual(
      values.filter((value) => !text.includes(`"${value}"`)),
      [],
    );
  });

  it('are at least twelve, with a title and an opportunityId of their own', () => {
    assert.ok(FILES.length >= 12);
    assert.equal(unique(FILES.map(({ title }) => title)).length, FILES.length);
    const ids = FILES.flatMap(({ opportunityId }) => opportunityId ?? []);
    assert.equal(unique(ids).length, ids.length);
  });
});

describe('the wrong examples', () => {
  /** The fields that the contract refuses, and those that a live listing still lacks. */
  const expected: Readonly<Record<string, { refused: string[]; gaps: string[] }>> = {
    'draft-only.json': {
      refused: [],
      gaps: ['remoteCountry', 'jobLevel', 'salaryMin', 'bidPerQualifiedApplicantCents', 'qualifications'],
    },
    'not-allowed.json': {
      refused: [
        'locations[0].locationId',
        'bidPerQualifiedApplicantCents',
        'questions[0].prompt',
        'questions[1].prompt',
        'questions[2].prompt',
        'questions[3].options',
        'budgets[1].window',
        'budgets[2].budgetCents',
      ],
      gaps: [],
    },
    'typos-and-gaps.json': {
      refused: ['titel', 'remoteOption', 'jobType', 'jobLevel', 'salaryPeriod'],
      gaps: ['title', 'salaryMax', 'bidPerQualifiedApplicantCents', 'qualifications'],
    },
  };

  it('are these and one that is no JSON', () => {
    assert.deepEqual(namesIn('wrong/'), [...Object.keys(expected), 'malformed.json'].sort());
  });

  for (const [name, { refused, gaps }] of Object.entries(expected)) {
    it(`${name} is refused for exactly its own faults`, () => {
      const { $schema, ...listing } = fileOf(`wrong/${name}`);
      const answer = checkJobInput(listing);
      const problems = answer.ok ? [] : answer.problems;
      assert.deepEqual(problems.map(({ path }) => fieldName(path)).sort(), [...refused].sort());
      const missing = completenessGaps({ ...EMPTY_CONTENT, ...(listing as Partial<JobContent>) });
      assert.deepEqual(
        missing.map(({ path }) => fieldName(path)),
        gaps,
      );
      assert.equal($schema, SCHEMA);
    });
  }

  it('typos-and-gaps.json: each fault of spelling comes with what was meant', () => {
    const { $schema, ...listing } = fileOf('wrong/typos-and-gaps.json');
    const answer = checkJobInput(listing);
    const hints = answer.ok ? [] : answer.problems.map(({ path, hint }) => [fieldName(path), hint]);
    assert.deepEqual(Object.fromEntries(hints), {
      titel: 'did you mean title?',
      remoteOption: 'did you mean IN_PERSON?',
      jobType: 'write "FULL_TIME"',
      jobLevel: 'write "MID"',
      salaryPeriod: 'did you mean HOURLY?',
    });
  });

  it('malformed.json is no JSON for one comma, at the line and column that the README gives', () => {
    const text = textOf('wrong/malformed.json');
    assert.throws(() => JSON.parse(text), SyntaxError);
    const [, line, column] = /malformed.*line (\d+), column (\d+)/.exec(textOf('README.md')) ?? [];
    const lines = text.split('\n');
    const faulty = lines[Number(line) - 1] ?? '';
    assert.equal(faulty[Number(column) - 1], ',');
    lines[Number(line) - 1] = faulty.slice(0, Number(column) - 1) + faulty.slice(Number(column));
    assert.doesNotThrow(() => JSON.parse(lines.join('\n')));
  });
});

describe('examples/README.md', () => {
  it('lists every example, each once, and nothing else', () => {
    const linked = Array.from(
      textOf('README.md').matchAll(/\]\(((?:jobs|wrong)\/[^)]+)\)/g),
      ([, path]) => path,
    );
    const present = ['jobs', 'wrong'].flatMap((folder) =>
      namesIn(`${folder}/`).map((name) => `${folder}/${name}`),
    );
    assert.deepEqual(linked.filter((path) => path?.endsWith('.json')).sort(), present.sort());
  });
});
