import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { checkFiles } from '../../src/intake/check-files.ts';
import { renderFindings } from '../../src/intake/formats/render.ts';
import { COMPLETE } from './listing.ts';
import { fewPlaces } from './places.ts';

describe('checkFiles', () => {
  let directory: string;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'intake-check-'));
  });
  after(() => rm(directory, { recursive: true }));

  async function report(files: Record<string, string>, stdin = '') {
    const names = await Promise.all(
      Object.entries(files).map(async ([name, content]) => {
        const path = join(directory, name);
        await writeFile(path, content);
        return path;
      }),
    );
    const given = stdin === '' ? names : ['-', ...names];
    return checkFiles(given, Readable.from([stdin]), { draft: false, places: fewPlaces });
  }

  it('checks every listing of every file, in the order of files and lines', async () => {
    const { files, listings, findings } = await report(
      {
        'b.json': JSON.stringify(
          [COMPLETE, { ...COMPLETE, jobLevel: 'X' }, { ...COMPLETE, title: ' ' }],
          null,
          1,
        ),
        'a.ndjson': `${JSON.stringify(COMPLETE)}\n{"a":}\n${JSON.stringify({ ...COMPLETE, salaryMin: 90_000 })}\n`,
        'c.json': '',
      },
      JSON.stringify({ ...COMPLETE, jobType: 'FULL' }),
    );
    assert.deepEqual(
      files.map(({ file, listings }) => [file.split('/').at(-1), listings]),
      [
        ['stdin', 1],
        ['b.json', 3],
        ['a.ndjson', 3],
        ['c.json', 1],
      ],
    );
    assert.equal(listings, 8);
    assert.deepEqual(
      findings.map(({ file, index, rule, field }) => `${file.split('/').at(-1)}[${index}] ${rule} ${field}`),
      [
        'stdin[0] invalid-value jobType',
        'b.json[1] invalid-value jobLevel',
        'b.json[2] incomplete title',
        'a.ndjson[1] json-syntax ',
        'a.ndjson[2] incomplete salaryMin',
        'c.json[0] file-content ',
      ],
    );
  });

  it('counts what cannot be read as a listing, so that the summary adds up', async () => {
    const summary = renderFindings(
      'text',
      await report({ 'd.json': '{', 'e.json': JSON.stringify(COMPLETE) }),
    );
    assert.match(summary, /\n\n1 problem in 1 of 2 listings$/);
  });

  it('points at each of twenty thousand findings on one line, in little time', async () => {
    const fields = Array.from({ length: 20_000 }, (_, index) => `"x${index}":1`).join(',');
    const startedAt = performance.now();
    const { findings } = await report({ 'many.json': `{${fields}}` });
    const last = findings.findLast(({ rule }) => rule === 'unknown-field');
    assert.deepEqual(
      [last?.field, last?.line, last?.column],
      ['x19999', 1, fields.length - '"x19999":1'.length + 2],
    );
    assert.ok(performance.now() - startedAt < 5000);
  });
});
