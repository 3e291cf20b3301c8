import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PartnerError } from '../../../src/contract/errors.ts';
import { expandPaths, pathScope } from '../../../src/listings/read/paths.ts';
import examples from './paths.json' with { type: 'json' };
import roots from './roots.json' with { type: 'json' };

const FILES = examples.files.map((file) => `jobs/${file}`);

async function filesOf(patterns: readonly string[]): Promise<readonly string[]> {
  return (await expandPaths(patterns)).names;
}

describe('expandPaths', () => {
  let directory: string;
  const here = process.cwd();

  before(async () => {
    directory = await realpath(await mkdtemp(join(tmpdir(), 'partner-paths-')));
    for (const file of [...FILES, 'empty/readme.md', 'template.txt']) {
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
    const error = await filesOf(patterns).then(
      (files) => assert.fail(files.join(' ')),
      (reason) => reason,
    );
    assert.ok(error instanceof PartnerError, String(error));
    return error;
  }

  const IN_JOBS = examples.inJobs;

  it('accepts a file with any extension', async () => {
    const named = ['jobs/south/notes.md', 'template.txt'];
    assert.deepEqual(await filesOf(named.toReversed()), named);
  });

  it('finds job files in a directory and below, except hidden ones and node_modules', async () => {
    for (const name of ['jobs', 'jobs/', './jobs', 'empty/../jobs'])
      assert.deepEqual(await filesOf([name]), IN_JOBS);
    const absolute = IN_JOBS.map((file) => join(directory, file));
    assert.deepEqual(await filesOf([join(directory, 'jobs')]), absolute);
  });

  it('expands globs, except for hidden files and node_modules', async () => {
    for (const [patterns, files] of [
      [['jobs/*.json'], ['jobs/nurse.json', 'jobs/odd[1].json', 'jobs/welder.json']],
      [['**/*.{ndjson,jsonl}'], ['jobs/north/many.ndjson', 'jobs/south/lines.jsonl']],
      [
        ['./jobs/n*.json', 'jobs/**/*.ndjson'],
        ['jobs/north/many.ndjson', 'jobs/nurse.json'],
      ],
      [['jobs/.*/s*.json'], ['jobs/.hidden/secret.json', 'jobs/.partner/state.json']],
      [[join(directory, 'jobs/w*')], [join(directory, 'jobs/welder.json')]],
    ] as const)
      assert.deepEqual(await filesOf(patterns), files, `${patterns}`);
  });

  it('returns each file once, in the same order for any order of paths', async () => {
    const nurse = join(directory, 'jobs/nurse.json');
    const one = await filesOf(['jobs', './jobs/welder.json', 'jobs/*.json', nurse, '-', '-']);
    const other = await filesOf(['-', 'jobs/*.json', 'jobs/welder.json', 'jobs']);
    assert.deepEqual(one, ['-', ...IN_JOBS]);
    assert.deepEqual(other, one);
  });

  it('follows links to files, but not to directories, which could be circular', async () => {
    await mkdir('links/below', { recursive: true });
    await symlink(join(directory, 'jobs/welder.json'), 'links/welder.json');
    await symlink(join(directory, 'links'), 'links/below/again');
    assert.deepEqual(await filesOf(['links']), ['links/welder.json']);
  });

  it('refuses a path without files with exit 2', async () => {
    const missing = await refusalOf('jobs', 'jobs/weldr.json');
    assert.deepEqual([missing.code, missing.exit], ['FILE_UNREADABLE', 2]);
    assert.match(missing.message, /jobs\/weldr\.json/);
    assert.equal(missing.hint, 'did you mean jobs/welder.json?');
    for (const pattern of ['jobs/*.yaml', 'nowhere/**/*.json']) {
      const error = await refusalOf(pattern);
      assert.deepEqual([error.code, error.message], ['USAGE', `no files match ${pattern}`]);
    }
  });

  it('refuses a directory without job files with exit 2', async () => {
    const error = await refusalOf('empty');
    assert.deepEqual([error.code, error.message], ['USAGE', 'no job files in empty']);
    assert.match(error.hint ?? '', /\.json, .*\.yaml/);
  });

  it("reports that a broken link can't be read", async () => {
    await mkdir('dangling');
    await symlink('nowhere.json', 'dangling/link.json');
    const error = await refusalOf('dangling');
    assert.deepEqual([error.code, error.message], ['FILE_UNREADABLE', 'no such file: dangling/link.json']);
  });

  it('returns the files of a linked directory once, with their real paths', async () => {
    await mkdir('real/below', { recursive: true });
    await writeFile('real/a.json', '{}');
    await writeFile('real/below/b.json', '{}');
    await symlink('real', 'alias');
    const files = ['real/a.json', 'real/below/b.json'];
    for (const patterns of examples.linked) assert.deepEqual(await filesOf(patterns), files, `${patterns}`);
    assert.deepEqual(await filesOf(['alias']), ['alias/a.json', 'alias/below/b.json']);
  });

  it('returns the same one of several links to a file outside the paths', async () => {
    await mkdir('linked');
    for (const name of ['z', 'b', 'm']) await symlink('../template.txt', `linked/${name}.json`);
    assert.deepEqual(await filesOf(['linked']), ['linked/b.json']);
  });

  describe('pathScope', () => {
    async function covered(patterns: string[], paths: string[]): Promise<string[]> {
      const { covers } = await pathScope(patterns);
      return paths.filter(covers);
    }

    it('covers existing and missing job files of a directory', async () => {
      const paths = ['jobs/gone.json', 'jobs/deep/er/gone.NDJSON', join(directory, 'jobs/gone.jsonl')];
      for (const name of ['jobs', './jobs/', join(directory, 'jobs')])
        assert.deepEqual(
          await covered([name], [...paths, ...examples.outside, 'jobs/node_modules/gone.json']),
          paths,
        );
      const expected = ['jobs/.hidden/gone.json'];
      assert.deepEqual(await covered(['jobs/.hidden'], ['jobs/.hidden/gone.json']), expected);
    });

    it('covers a file by any form of its path, and no other file', async () => {
      const paths = ['jobs/welder.json', './jobs/../jobs/welder.json', join(directory, 'jobs/welder.json')];
      assert.deepEqual(await covered(['jobs/welder.json'], [...paths, 'jobs/nurse.json']), paths);
      const expected = ['jobs/odd[1].json'];
      assert.deepEqual(await covered(['jobs/odd[1].json'], ['jobs/odd1.json', 'jobs/odd[1].json']), expected);
    });

    it('covers missing files that a glob would match', async () => {
      const paths = ['jobs/gone.json', join(directory, 'jobs/none.json'), 'a/b/gone.ndjson', 'gone.jsonl'];
      const others = ['jobs/north/gone.json', 'jobs/.gone.json', 'node_modules/a.jsonl', 'a/gone.json'];
      assert.deepEqual(await covered(['jobs/*.json', '**/*.{ndjson,jsonl}'], [...paths, ...others]), paths);
    });

    it('covers files of a linked directory or glob by both paths', async () => {
      await symlink('jobs', 'by-link');
      const paths = ['jobs/gone.json', 'by-link/gone.json', join(directory, 'jobs/none.json')];
      const others = ['gone.json', 'empty/gone.json'];
      for (const pattern of ['by-link', 'jobs', 'by-link/*.json', join(directory, 'by-link/*.json')])
        assert.deepEqual(await covered([pattern], [...paths, ...others]), paths, pattern);
      assert.deepEqual(await covered(['by-link/gone.json'], [...paths, ...others]), paths.slice(0, 2));
    });

    it('covers no files for stdin', async () =>
      assert.deepEqual(await covered(['-'], ['-', 'stdin', 'jobs/welder.json']), []));

    it('has the deepest common directory as its root', async () => {
      for (const [patterns, root] of Object.entries(roots))
        assert.equal((await pathScope(patterns.split(' '))).root, root, patterns);
      const absolute = await pathScope([join(directory, 'jobs/*.json'), 'jobs/north']);
      assert.equal(absolute.root, join(directory, 'jobs'));
    });

    it('has the linked directory as the root of a link', async () => {
      await symlink('jobs/north', 'to-north');
      assert.equal((await pathScope(['to-north'])).root, 'jobs/north');
      assert.equal((await pathScope(['to-north/*.json', 'jobs/welder.json'])).root, 'jobs');
    });
  });
});
