import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PartnerError } from '../../../src/contract/errors.ts';
import { expandPaths, pathScope } from '../../../src/listings/read/paths.ts';
import roots from './roots.json' with { type: 'json' };

const FILES = [
  ...['welder.json', 'nurse.json', 'north/cook.JSON', 'north/many.ndjson', 'south/lines.jsonl'],
  ...['south/notes.md', 'odd[1].json', '.hidden/secret.json', '.secret.json', '.partner/state.json'],
  'node_modules/pkg/package.json',
].map((file) => `jobs/${file}`);

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

  const IN_JOBS = [
    'jobs/north/cook.JSON',
    'jobs/north/many.ndjson',
    'jobs/nurse.json',
    'jobs/odd[1].json',
    'jobs/south/lines.jsonl',
    'jobs/welder.json',
  ];

  it('takes a file whatever its ending', async () => {
    const named = ['jobs/south/notes.md', 'template.txt'];
    assert.deepEqual(await filesOf(named.toReversed()), named);
  });

  it('takes the job files in and below a directory, without what is hidden or in node_modules', async () => {
    for (const name of ['jobs', 'jobs/', './jobs', 'empty/../jobs'])
      assert.deepEqual(await filesOf([name]), IN_JOBS);
    const absolute = IN_JOBS.map((file) => join(directory, file));
    assert.deepEqual(await filesOf([join(directory, 'jobs')]), absolute);
  });

  it('matches globs that no shell has expanded, without what is hidden or in node_modules', async () => {
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

  it('gives each file once, and in one order whatever was asked first', async () => {
    const nurse = join(directory, 'jobs/nurse.json');
    const one = await filesOf(['jobs', './jobs/welder.json', 'jobs/*.json', nurse, '-', '-']);
    const other = await filesOf(['-', 'jobs/*.json', 'jobs/welder.json', 'jobs']);
    assert.deepEqual(one, ['-', ...IN_JOBS]);
    assert.deepEqual(other, one);
  });

  it('follows a link to a file, and no link to a directory, which could lead in a circle', async () => {
    await mkdir('links/below', { recursive: true });
    await symlink(join(directory, 'jobs/welder.json'), 'links/welder.json');
    await symlink(join(directory, 'links'), 'links/below/again');
    assert.deepEqual(await filesOf(['links']), ['links/welder.json']);
  });

  it('refuses a path that stands for nothing, by its name: exit 2', async () => {
    const missing = await refusalOf('jobs', 'jobs/weldr.json');
    assert.deepEqual([missing.code, missing.exit], ['FILE_UNREADABLE', 2]);
    assert.match(missing.message, /jobs\/weldr\.json/);
    assert.equal(missing.hint, 'did you mean jobs/welder.json?');
    for (const pattern of ['jobs/*.yaml', 'nowhere/**/*.json']) {
      const error = await refusalOf(pattern);
      assert.deepEqual([error.code, error.message], ['USAGE', `no files match ${pattern}`]);
    }
  });

  it('refuses a directory without a job file: exit 2', async () => {
    const error = await refusalOf('empty');
    assert.deepEqual([error.code, error.message], ['USAGE', 'no job files in empty']);
    assert.match(error.hint ?? '', /\.json, .*\.yaml/);
  });

  it('says of a link to nowhere that it cannot be read', async () => {
    await mkdir('dangling');
    await symlink('nowhere.json', 'dangling/link.json');
    const error = await refusalOf('dangling');
    assert.deepEqual([error.code, error.message], ['FILE_UNREADABLE', 'no such file: dangling/link.json']);
  });

  it('gives the files of a directory once, under their own names, whatever links lead to it', async () => {
    await mkdir('real/below', { recursive: true });
    await writeFile('real/a.json', '{}');
    await writeFile('real/below/b.json', '{}');
    await symlink('real', 'alias');
    const files = ['real/a.json', 'real/below/b.json'];
    for (const patterns of [
      ['real', 'alias'],
      ['alias', 'real'],
      ['alias/**/*.json', 'real'],
      ['{alias,real}/**/*.json'],
      ['alias/a.json', 'real', 'alias/below'],
    ])
      assert.deepEqual(await filesOf(patterns), files, `${patterns}`);
    assert.deepEqual(await filesOf(['alias']), ['alias/a.json', 'alias/below/b.json']);
  });

  it('gives one of several links to a file that is not among the paths itself, always the same', async () => {
    await mkdir('linked');
    for (const name of ['z', 'b', 'm']) await symlink('../template.txt', `linked/${name}.json`);
    assert.deepEqual(await filesOf(['linked']), ['linked/b.json']);
  });

  describe('pathScope', () => {
    async function covered(patterns: string[], paths: string[]): Promise<string[]> {
      const { covers } = await pathScope(patterns);
      return paths.filter(covers);
    }

    it('covers what is in a directory, whether it is there or not, as far as it would have been taken', async () => {
      const paths = ['jobs/gone.json', 'jobs/deep/er/gone.NDJSON', join(directory, 'jobs/gone.jsonl')];
      const others = [
        'jobs/gone.txt',
        'gone.json',
        'jobs2/gone.json',
        'jobs/.hidden/gone.json',
        'jobs/.gone.json',
      ];
      for (const name of ['jobs', './jobs/', join(directory, 'jobs')])
        assert.deepEqual(await covered([name], [...paths, ...others, 'jobs/node_modules/gone.json']), paths);
      const expected = ['jobs/.hidden/gone.json'];
      assert.deepEqual(await covered(['jobs/.hidden'], ['jobs/.hidden/gone.json']), expected);
    });

    it('covers a file by its path, however that is written, and nothing beside it', async () => {
      const paths = ['jobs/welder.json', './jobs/../jobs/welder.json', join(directory, 'jobs/welder.json')];
      assert.deepEqual(await covered(['jobs/welder.json'], [...paths, 'jobs/nurse.json']), paths);
      const expected = ['jobs/odd[1].json'];
      assert.deepEqual(await covered(['jobs/odd[1].json'], ['jobs/odd1.json', 'jobs/odd[1].json']), expected);
    });

    it('covers what a glob would match, were it there', async () => {
      const paths = ['jobs/gone.json', join(directory, 'jobs/none.json'), 'a/b/gone.ndjson', 'gone.jsonl'];
      const others = ['jobs/north/gone.json', 'jobs/.gone.json', 'node_modules/a.jsonl', 'a/gone.json'];
      assert.deepEqual(await covered(['jobs/*.json', '**/*.{ndjson,jsonl}'], [...paths, ...others]), paths);
    });

    it('covers what is, or was, in a directory or a glob that is named by a link, by either name', async () => {
      await symlink('jobs', 'by-link');
      const paths = ['jobs/gone.json', 'by-link/gone.json', join(directory, 'jobs/none.json')];
      const others = ['gone.json', 'empty/gone.json'];
      for (const pattern of ['by-link', 'jobs', 'by-link/*.json', join(directory, 'by-link/*.json')])
        assert.deepEqual(await covered([pattern], [...paths, ...others]), paths, pattern);
      assert.deepEqual(await covered(['by-link/gone.json'], [...paths, ...others]), paths.slice(0, 2));
    });

    it('covers nothing on disk where stdin alone is read', async () =>
      assert.deepEqual(await covered(['-'], ['-', 'stdin', 'jobs/welder.json']), []));

    it('has the deepest directory that has all of them as its root', async () => {
      for (const [patterns, root] of Object.entries(roots))
        assert.equal((await pathScope(patterns.split(' '))).root, root, patterns);
      const absolute = await pathScope([join(directory, 'jobs/*.json'), 'jobs/north']);
      assert.equal(absolute.root, join(directory, 'jobs'));
    });

    it('has the directory that is linked to as the root of a link', async () => {
      await symlink('jobs/north', 'to-north');
      assert.equal((await pathScope(['to-north'])).root, 'jobs/north');
      assert.equal((await pathScope(['to-north/*.json', 'jobs/welder.json'])).root, 'jobs');
    });
  });
});
