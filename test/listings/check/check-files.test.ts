import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { checkFiles } from '../../../src/listings/check/check-files.ts';
import { checkListing } from '../../../src/listings/check/findings.ts';
import { renderFindings } from '../../../src/listings/check/formats/render.ts';
import { COMPLETE, listingIn } from '../listing.ts';
import { fewPlaces } from '../places.ts';

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
    return checkFiles(
      { names: given },
      { stdin: Readable.from([stdin]) },
      { draft: false, places: fewPlaces },
    );
  }

  it('checks every listing of every file, in the order of files and lines', async () => {
    const { files, listings, findings } = await report(
      {
        'b.json': JSON.stringify([COMPLETE, { ...COMPLETE, jobLevel: 'X' }, { ...COMPLETE, title: ' ' }]),
        'a.ndjson': `${JSON.stringify(COMPLETE)}\n{"a":}\n${JSON.stringify({ ...COMPLETE, salaryMin: 90_000 })}\n`,
        'c.json': '',
      },
      JSON.stringify({ ...COMPLETE, jobType: 'FULL' }),
    );
    assert.deepEqual(
      files.map(({ file, listings }) => `${file.split('/').at(-1)} ${listings}`),
      ['stdin 1', 'b.json 3', 'a.ndjson 3', 'c.json 1'],
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

  it('says how far it is while it reads, and stops where it is interrupted', async () => {
    const line = `${JSON.stringify(COMPLETE)}\n`;
    const checking = { draft: false, places: fewPlaces };
    const stdin = () => Readable.from([`{}\n${line.repeat(600)}`]);
    const told: number[] = [];
    await checkFiles({ names: ['-'] }, { stdin: stdin() }, checking, (listings) => told.push(listings));
    assert.deepEqual(told, [256, 512]);
    const interruption = new AbortController();
    const input = { stdin: stdin(), interrupted: interruption.signal };
    const stopped = checkFiles({ names: ['-'] }, input, checking, () => interruption.abort());
    await assert.rejects(stopped, { code: 'INTERRUPTED' });
  });

  it('lets the event loop have its turn among many small files', async () => {
    let turns = 0;
    const timer = setInterval(() => turns++, 0);
    const path = join(directory, 'small.json');
    await writeFile(path, JSON.stringify(Array(2_000).fill({})));
    await checkFiles({ names: [path] }, { stdin: Readable.from([]) }, { draft: true, places: fewPlaces });
    clearInterval(timer);
    assert.ok(turns > 2, `${turns}`);
  });

  it('points at the first hundred of twenty thousand findings of one listing, and counts the rest, in little time', () => {
    const fields = Array.from({ length: 20_000 }, (_, index) => `"x${index}":1`).join(',');
    const before = process.cpuUsage();
    const checking = { draft: false, places: fewPlaces };
    const { findings, omitted } = checkListing(listingIn(`{${fields}}`), checking);
    const unknown = findings.filter(({ rule }) => rule === 'unknown-field');
    assert.deepEqual(
      unknown.map(({ line, column }) => [line, column]),
      unknown.map(({ field }) => [1, fields.indexOf(`"${field}"`) + 2]),
    );
    assert.equal(findings.length, 100);
    assert.deepEqual(omitted, { error: 20_000 + (100 - unknown.length) - 100, warning: 0 });
    // Of this process alone: how busy the machine is has no say.
    const { user, system } = process.cpuUsage(before);
    assert.ok(user + system < 5_000_000);
  });

  it('shows the first thousand of any number of findings, and counts the rest', async () => {
    const wrong = JSON.stringify({ ...COMPLETE, jobLevel: 'X' });
    const found = await report({ 'wrong.ndjson': `${wrong}\n`.repeat(2_500), 'last.json': '{' });
    assert.equal(found.findings.length, 1_000);
    assert.equal(found.findings.at(-1)?.line, 1_000);
    assert.deepEqual([found.errors, found.listingsWithErrors, found.listings], [2_501, 2_501, 2_501]);
    assert.match(
      renderFindings('text', found),
      /\n\nand 1,501 more\n\n2501 problems in 2501 of 2501 listings$/,
    );
    assert.match(renderFindings('github', found), /\nand 1,501 more\n/);
    const { errors, omitted } = JSON.parse(renderFindings('json', found));
    assert.deepEqual([errors, omitted], [2_501, 1_501]);
    assert.equal(JSON.parse(renderFindings('sarif', found)).runs[0].properties.omitted, 1_501);
    const junit = renderFindings('junit', found);
    assert.match(junit, /tests="2501" failures="2501"/);
    assert.match(junit, /<failure message="and 1,501 more"/);
    // None of those whose findings are left out is told as passed.
    assert.equal(junit.match(/<testcase/g)?.length, 1_001);
  });

  it('shows an error, however many warnings stand before it', async () => {
    const crossed = JSON.stringify({ ...COMPLETE, salaryMin: 90_000 });
    const path = join(directory, 'warnings.ndjson');
    await writeFile(path, `${`${crossed}\n`.repeat(1_200)}{`);
    const found = await checkFiles(
      { names: [path] },
      { stdin: Readable.from([]) },
      { draft: true, places: fewPlaces },
    );
    assert.deepEqual([found.errors, found.warnings], [1, 1_200]);
    assert.deepEqual(
      found.findings.filter(({ level }) => level === 'error').map(({ line }) => line),
      [1_201],
    );
  });
});
