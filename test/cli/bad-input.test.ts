import assert from 'node:assert/strict';
import { chmod, open, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { COMPLETE_LISTING } from '../contract/complete-listing.ts';
import { fixture } from '../fixture.ts';
import faults from './bad-input.json' with { type: 'json' };
import { withEngine } from './homes.ts';
import { newHome } from './partner.ts';
import { type Finding, foundBy, refusedBy, textAt } from './refusal.ts';

const LISTING = JSON.stringify(COMPLETE_LISTING, null, 2);

/** Reading nothing takes about 55 MiB; reading all of a 50 MB file as text takes three times that. */
const MEMORY_MAX_KIB = 128 * 1024;

describe('a file that is no job file', () => {
  const home = fixture('all tests', withEngine);

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

describe('a listing that the contract does not allow', () => {
  const home = fixture('all tests', withEngine);

  for (const { fault, changes, field, says: pattern, at } of faults) {
    const says = new RegExp(pattern);
    it(`is refused by validate and create for ${fault}, at its place: nothing is stored`, async () => {
      const file = await home.file('listing.json', { ...COMPLETE_LISTING, ...changes });
      const [findings, error] = await Promise.all([foundBy(home, file), refusedBy(home, file)]);
      const found = findings.find((finding) => finding.field === field) as Finding;
      assert.match(`${found.message}; ${found.hint}`, says);
      assert.equal(error.code, 'VALIDATION_FAILED');
      assert.match(error.fields?.[field] ?? '', says);
      assert.ok(error.fields?.[field]?.includes(`(line ${found.line}, column ${found.column})`));
      assert.match(await textAt(file, found), new RegExp(at));
    });
  }

  it('is refused for a whole number past 2^53, shown as it was written: nothing is stored', async () => {
    const written = JSON.stringify({ ...COMPLETE_LISTING, salaryMax: 0 });
    const file = await home.file(
      'big.json',
      written.replace('"salaryMax":0', '"salaryMax":9007199254740993'),
    );
    const [[finding], error] = await Promise.all([foundBy(home, file), refusedBy(home, file)]);
    assert.match(finding?.message ?? '', /^9007199254740993 can't be stored exactly/);
    assert.match(error.fields?.salaryMax ?? '', /^9007199254740993 .*\(line \d+, column \d+\)/);
  });

  it('is refused with all its faults at once', async () => {
    const changes = { titel: 'Nurse', jobType: 'FULLTIME', salaryMin: 'x', budgets: [{ window: 'DAILY' }] };
    const file = await home.file('all.json', { ...COMPLETE_LISTING, ...changes });
    const [findings, error] = await Promise.all([foundBy(home, file), refusedBy(home, file)]);
    const fields = ['budgets[0].budgetCents', 'jobType', 'salaryMin', 'titel'];
    assert.deepEqual(findings.map(({ field }) => field).sort(), fields);
    assert.deepEqual(Object.keys(error.fields ?? {}).sort(), fields);
  });

  it('is none where a place with the right id is spelled otherwise: it is stored as it is called', async () => {
    const place = { locationId: 3448439, city: 'Sao Paulo', stateProvince: 'SAO PAULO', country: 'brazil' };
    const taken = await home.copy();
    const file = await taken.file('place.json', { ...COMPLETE_LISTING, locations: [place] });
    await taken.must(['jobs', 'validate', file]);
    const { locations } = await taken.must<{ locations: { city: string }[] }>(['jobs', 'create', file]);
    assert.equal(locations[0]?.city, 'São Paulo');
  });
});

describe('a damaged configuration', () => {
  const RUBBISH: Readonly<Record<string, string | Uint8Array>> = {
    'cut off': '{"current": "acme", "profiles": {"acme": {"baseUrl": "https://api.exa',
    'of another shape': '[1, 2, 3]',
    'with a wrong key': '{"profiles": {"acme": {"baseUrl": "https://api.example.com/v1", "key": "hunter2"}}}',
    binary: Buffer.alloc(300, 0xa5),
  };
  for (const [what, rubbish] of Object.entries(RUBBISH))
    it(`is refused with exit 2 by every command that reads it, and kept byte for byte: ${what}`, async () => {
      const home = await newHome();
      const path = await home.file('config/config.json', rubbish);
      const login = 'auth login acme --with-key --base-url http://127.0.0.1:9/v1';
      for (const line of ['jobs list', 'auth list', login, 'doctor']) {
        const run = await home.run(`${line} --json`, { stdin: 'sk_ext_4c1d9f3c2ab7e8d6' });
        assert.equal(run.code, 2, run.stdout);
        assert.ok(JSON.stringify(run.json()).includes(path), 'the message names the file');
        assert.doesNotMatch(run.stdout, /hunter2/, 'what may be a key is not shown');
      }
      assert.deepEqual(await readFile(path), Buffer.from(rubbish));
      assert.deepEqual(await readdir(home.config), ['config.json']);
    });
});
