import assert from 'node:assert/strict';
import { chmod, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { COMPLETE_LISTING } from '../contract/complete-listing.ts';
import { fixture } from '../fixture.ts';
import { withEngine } from './homes.ts';
import { foundBy, refusedBy } from './refusal.ts';

const LISTING = JSON.stringify(COMPLETE_LISTING, null, 2);

const NO_JOB_FILES: readonly (readonly [string, content: string | Uint8Array, at: string, says: RegExp])[] = [
  ['malformed JSON', '{\n  "title": "Nurse",\n  "jobLevel": MID\n}', '3:15', /MID must be in double quotes/],
  ['an empty file', '', '1:1', /the file is empty/],
  ['a PDF', Buffer.from('%PDF-1.7\n%âãÏÓ\n1 0 obj', 'latin1'), '1:1', /expected text, got a PDF/],
  ['Latin-1', Buffer.from('{"title": "Pfleger in München"}', 'latin1'), '1:24', /isn't UTF-8/],
  [
    'UTF-16',
    Buffer.from(`\ufeff${LISTING}`, 'utf16le'),
    '1:1',
    /expected UTF-8 text, got UTF-16 \(little-endian\)/,
  ],
  ['HTML', '<!doctype html>\n<h1>Nurse</h1>', '1:1', /expected JSON, got a web page \(HTML\)/],
];

/** Reading nothing takes about 55 MiB; reading all of a 50 MB file as text takes three times that. */
const MEMORY_MAX_KIB = 128 * 1024;

describe('a file that is no job file', () => {
  const home = fixture('all tests', withEngine);

  for (const [what, content, at, says] of NO_JOB_FILES)
    it(`is refused where it is ${what}, at ${at}: nothing is stored`, async () => {
      const file = await home.file('listing.json', content);
      const [[finding], error] = await Promise.all([foundBy(home, file), refusedBy(home, file)]);
      assert.equal(`${finding?.line}:${finding?.column}`, at);
      assert.match(finding?.message ?? '', says);
      assert.equal(error.code, 'FILE_INVALID');
      assert.ok(error.message.startsWith(`${file}:${at}: `), error.message);
      assert.match(error.message, says);
      assert.ok(error.hint, 'nothing says how to mend it');
    });

  it('is refused unread where it has 50 MB, from the disk and from a pipe: nothing is stored', async () => {
    const file = join(home.path, 'large.json');
    const handle = await open(file, 'w');
    await handle.write('{"title": "');
    await handle.truncate(50 * 1024 * 1024);
    await handle.close();
    const large = Buffer.alloc(50 * 1024 * 1024, ' ');
    const [named, piped, [finding]] = await Promise.all([
      home.observe(['jobs', 'create', file, '--json']),
      home.observe('jobs create - --json', { stdin: large }),
      foundBy(home, file),
    ]);
    for (const run of [named, piped]) {
      assert.equal(run.code, 3, run.stderr);
      assert.match(run.stdout, /\(maximum 32 MiB\)/);
      assert.ok(run.peakKib < MEMORY_MAX_KIB, `${run.peakKib} KiB`);
    }
    assert.match(finding?.message ?? '', /has 50 MiB/);
    assert.equal(home.storedJobs(), 0);
  });

  it('is refused where it is a directory, with exit 2', async () => {
    const directory = join(home.path, 'jobs');
    await mkdir(directory);
    const error = await refusedBy(home, directory, 2);
    assert.equal(error.code, 'FILE_UNREADABLE');
    assert.match(error.message, /it is a directory/);
  });

  it('is refused where it is missing, with exit 2 and the nearest name that there is', async () => {
    const file = await home.file('night-nurse.json', LISTING);
    const missing = file.replace('night', 'nigth');
    const [error, validated] = await Promise.all([
      refusedBy(home, missing, 2),
      home.run(['jobs', 'validate', missing, '--json']),
    ]);
    assert.equal(validated.code, 2);
    assert.deepEqual((validated.json() as { error: unknown }).error, error);
    assert.equal(error.code, 'FILE_UNREADABLE');
    assert.equal(error.hint, `did you mean ${file}?`);
  });

  it('is refused where it may not be read, with exit 2', async () => {
    const other = await home.copy();
    const file = await other.file('secret.json', LISTING);
    await chmod(file, 0);
    await other.handOver();
    const run = await other.run(['jobs', 'create', file, '--json'], { asNobody: true });
    assert.equal(run.code, 2);
    assert.match(run.stdout, /FILE_UNREADABLE.*permission denied/s);
  });

  it('is refused by create where it holds several listings, and taken by validate', async () => {
    const file = await home.file('two.ndjson', `${JSON.stringify(COMPLETE_LISTING)}\n`.repeat(2));
    const [error, report] = await Promise.all([
      refusedBy(home, file),
      home.must<{ listings: number; errors: number }>(['jobs', 'validate', file]),
    ]);
    assert.match(error.message, /expected one listing in .*, got 2/);
    assert.match(String(error.hint), /To create several jobs, use `partner jobs apply`/);
    assert.deepEqual([report.listings, report.errors], [2, 0]);
  });
});
