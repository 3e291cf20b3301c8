import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PartnerError } from '../../src/contract/errors.ts';
import { expandPaths } from '../../src/intake/paths.ts';

const FILES = [
  'jobs/welder.json',
  'jobs/nurse.json',
  'jobs/north/cook.JSON',
  'jobs/north/many.ndjson',
  'jobs/south/lines.jsonl',
  'jobs/south/notes.md',
  'jobs/odd[1].json',
  'jobs/.hidden/secret.json',
  'jobs/.secret.json',
  'jobs/.partner/state.json',
  'jobs/node_modules/pkg/package.json',
  'empty/readme.md',
  'template.txt',
];

describe('expandPaths', () => {
  let directory: string;
  const here = process.cwd();

  before(async () => {
    directory = await realpath(await mkdtemp(join(tmpdir(), 'intake-paths-')));
    for (const file of FILES) {
      await mkdir(join(directory, dirname(file)), { recursive: true });
      await writeFile(join(directory, file), '{}');
    }
    process.chdir(directory);
  });

  after(async () => {
    process.chdir(here);
    await rm(directory, { recursive: true });
  });

  async function refusalOf(...patterns: string[]): Promise<PartnerError> {
    const error = await expandPaths(patterns).then(
      (files) => assert.fail(files.join(' ')),
      (reason) => reason,
    );
    assert.ok(error instanceof PartnerError, String(error));
    return error;
  }

  const IN_JOBS = [
    'jobs/north/cook.JSON',
    'jobs/north/many.ndjson',
    'jobs/nurse.json',
    'jobs/odd[1].json',
    'jobs/south/lines.jsonl',
    'jobs/welder.json',
  ];

  it('takes a file whatever its ending', async () => {
    assert.deepEqual(await expandPaths(['template.txt', 'jobs/south/notes.md']), [
      'jobs/south/notes.md',
      'template.txt',
    ]);
  });

  it('takes the job files in and below a directory, without what is hidden or in node_modules', async () => {
    for (const name of ['jobs', 'jobs/', './jobs', 'empty/../jobs'])
      assert.deepEqual(await expandPaths([name]), IN_JOBS);
    assert.deepEqual(
      await expandPaths([join(directory, 'jobs')]),
      IN_JOBS.map((file) => join(directory, file)),
    );
  });

  it('takes a hidden file or directory that is named', async () => {
    assert.deepEqual(await expandPaths(['jobs/.hidden', 'jobs/.secret.json']), [
      'jobs/.hidden/secret.json',
      'jobs/.secret.json',
    ]);
  });

  it('matches globs that no shell has expanded, without what is hidden or in node_modules', async () => {
    assert.deepEqual(await expandPaths(['jobs/*.json']), [
      'jobs/nurse.json',
      'jobs/odd[1].json',
      'jobs/welder.json',
    ]);
    assert.deepEqual(await expandPaths(['**/*.{ndjson,jsonl}']), [
      'jobs/north/many.ndjson',
      'jobs/south/lines.jsonl',
    ]);
    assert.deepEqual(await expandPaths(['./jobs/n*.json', 'jobs/**/*.ndjson']), [
      'jobs/north/many.ndjson',
      'jobs/nurse.json',
    ]);
    assert.deepEqual(await expandPaths([join(directory, 'jobs/w*')]).then((files) => files.length), 1);
  });

  it('takes a file by its name, though its name looks like a glob', async () => {
    assert.deepEqual(await expandPaths(['jobs/odd[1].json']), ['jobs/odd[1].json']);
  });

  it('gives each file once, and in one order whatever was asked first', async () => {
    const one = await expandPaths([
      'jobs',
      './jobs/welder.json',
      'jobs/*.json',
      join(directory, 'jobs/nurse.json'),
      '-',
      '-',
    ]);
    const other = await expandPaths(['-', 'jobs/*.json', 'jobs/welder.json', 'jobs']);
    assert.deepEqual(one, ['-', ...IN_JOBS]);
    assert.deepEqual(other, one);
  });

  it('follows a link to a file, and no link to a directory, which could lead in a circle', async () => {
    await mkdir('links/below', { recursive: true });
    await symlink(join(directory, 'jobs/welder.json'), 'links/welder.json');
    await symlink(join(directory, 'links'), 'links/below/again');
    assert.deepEqual(await expandPaths(['links']), ['links/welder.json']);
  });

  it('refuses a path that stands for nothing, by its name: exit 2', async () => {
    const missing = await refusalOf('jobs', 'jobs/weldr.json');
    assert.deepEqual([missing.code, missing.exit], ['FILE_UNREADABLE', 2]);
    assert.match(missing.message, /jobs\/weldr\.json/);
    assert.equal(missing.hint, 'did you mean jobs/welder.json?');
    for (const pattern of ['jobs/*.yaml', 'nowhere/**/*.json']) {
      const error = await refusalOf(pattern);
      assert.deepEqual([error.code, error.message], ['USAGE', `no file matches ${pattern}`]);
    }
  });

  it('refuses a directory without a job file: exit 2', async () => {
    const error = await refusalOf('empty');
    assert.deepEqual([error.code, error.message], ['USAGE', 'there is no job file in empty']);
    assert.match(error.hint ?? '', /\.json, \.ndjson or \.jsonl/);
  });

  it('says of a link to nowhere that it cannot be read', async () => {
    await mkdir('dangling');
    await symlink('nowhere.json', 'dangling/link.json');
    const error = await refusalOf('dangling');
    assert.deepEqual([error.code, error.message], ['FILE_UNREADABLE', 'there is no file dangling/link.json']);
  });

  it('says that a part of a path is a file', async () => {
    const error = await refusalOf('template.txt/x.json');
    assert.deepEqual([error.code, error.exit], ['FILE_UNREADABLE', 2]);
  });
});
