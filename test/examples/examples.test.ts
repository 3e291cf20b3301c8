import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { checkJobInput } from '../../src/contract/check.ts';
import { completenessGaps } from '../../src/contract/gate.ts';
import { EMPTY_CONTENT, type JobContent, type JobInput, type LocationInput } from '../../src/contract/job.ts';
import { fieldName } from '../../src/contract/problems.ts';
import { checkFiles } from '../../src/listings/check/check-files.ts';
import { expandPaths } from '../../src/listings/read/paths.ts';
import { openPlaces } from '../../src/places/index/open.ts';
import { PLACES_PATH } from '../http/subject.ts';
import wrongExamples from './wrong-examples.json' with { type: 'json' };

const examples = new URL('../../examples/', import.meta.url);
const SCHEMA = '../../schemas/job-file.json';

type JobFile = Omit<JobInput, 'locations'> & { $schema: string; locations?: (LocationInput | string)[] };

const namesIn = (folder: string): string[] => readdirSync(new URL(folder, examples)).sort();
const textOf = (path: string): string => readFileSync(new URL(path, examples), 'utf8');
const fileOf = (path: string): JobFile => JSON.parse(textOf(path));

const NAMES = namesIn('jobs/');

describe('the example listings', () => {
  it('are valid and complete, in places that exist', async () => {
    const places = openPlaces(PLACES_PATH);
    for (const [folder, count] of [
      ['jobs', NAMES.length],
      ['shared-defaults', namesIn('shared-defaults/').length - 1],
    ] as const) {
      const files = await expandPaths([fileURLToPath(new URL(folder, examples))]);
      const report = await checkFiles(files, { stdin: Readable.from([]) }, { draft: false, places });
      assert.deepEqual([report.listings, report.findings], [count, []], folder);
    }
    places.close();
  });
});

describe('the wrong examples', () => {
  /** The fields that the contract refuses, and those that a live listing still lacks. */
  const expected: Readonly<Record<string, { refused: string[]; gaps: string[] }>> = wrongExamples;

  it('are these and one that is no JSON', () =>
    assert.deepEqual(namesIn('wrong/'), [...Object.keys(expected), 'malformed.json'].sort()));

  for (const [name, { refused, gaps }] of Object.entries(expected))
    it(`${name} is refused for exactly its own faults`, () => {
      const { $schema, ...listing } = fileOf(`wrong/${name}`);
      const answer = checkJobInput(listing);
      const problems = answer.ok ? [] : answer.problems;
      assert.deepEqual(problems.map(({ path }) => fieldName(path)).sort(), [...refused].sort());
      const missing = completenessGaps({ ...EMPTY_CONTENT, ...(listing as Partial<JobContent>) });
      const fields = missing.map(({ path }) => fieldName(path));
      assert.deepEqual(fields, gaps);
      assert.equal($schema, SCHEMA);
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
      textOf('README.md').matchAll(/\]\(((?:jobs|wrong|shared-defaults)\/[^)]+)\)/g),
      ([, path]) => path,
    );
    const present = ['jobs', 'wrong', 'shared-defaults'].flatMap((folder) =>
      namesIn(`${folder}/`).map((name) => `${folder}/${name}`),
    );
    assert.deepEqual(linked.sort(), present.sort());
  });
});
