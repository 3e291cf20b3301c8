import assert from 'node:assert/strict';
import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { createDefaults, withDefaults } from '../../../src/listings/defaults/defaults.ts';
import type { Entry } from '../../../src/listings/read/listing.ts';
import { readEntries } from '../../../src/listings/read/read.ts';
import { tempDirectory } from '../../temp-directory.ts';
import cases from './cases.json' with { type: 'json' };

interface Case {
  readonly what: string;
  readonly files: Readonly<Record<string, string>>;
  readonly listing: object;
  readonly means: object;
  readonly origins?: object;
  readonly takes?: 'places';
}

const LISTING = 'jobs/east/welder.json';
const toOrigins = (files: object) =>
  Object.fromEntries(
    Object.entries(files).map(([field, file]) => [field, typeof file === 'string' ? { file } : file]),
  );

const input = { stdin: Readable.from([]) };

describe('a _defaults.yaml', () => {
  const at = tempDirectory();
  const here = process.cwd();
  beforeEach(() => process.chdir(at()));
  afterEach(() => process.chdir(here));

  async function write(files: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(at(dirname(name)), { recursive: true });
      await writeFile(at(name), text);
    }
  }

  /** Reads a listing with the shared fields of its directories. */
  async function taken(file: string, takes?: 'places'): Promise<Entry> {
    const defaults = await createDefaults(input)(file);
    for await (const entry of readEntries(file, input))
      return defaults ? withDefaults(entry, defaults, takes) : entry;
    return assert.fail('there is no listing');
  }

  const titleOf = async (file: string): Promise<unknown> => Object((await taken(file)).listing?.value).title;

  for (const { what, files, listing, means, origins, takes } of cases as unknown as readonly Case[])
    it(what, async () => {
      await write({ ...files, [LISTING]: JSON.stringify(listing) });
      const entry = await taken(LISTING, takes);
      assert.deepEqual(entry.listing?.value, means);
      assert.deepEqual(entry.listing?.origins, origins && toOrigins(origins));
    });

  it('keeps the position of a place behind an ignored one', async () => {
    const listing = '{"locations":["Anywhere",\n"Waco"]}';
    await write({ '_defaults.yaml': 'places: { Anywhere: ignore }', [LISTING]: listing });
    assert.equal((await taken(LISTING)).listing?.locate(['locations', 0]).line, 2);
  });

  it('reports each problem of a rule at its place, with the name that was meant', async () => {
    const rules =
      'rules:\n  - when: { titel: x }\n    set: { level: MID }\n  - when: { title: "!" }\n    set: { jobLevel: MIDD }\n  - 7\n  - when: { title: x }\n    set: { salaryMin: 1 }';
    await write({ 'jobs/_defaults.yaml': `${rules}\nrequiredUnder: []`, [LISTING]: '{}' });
    const flaws = (await taken(LISTING)).listing?.flaws ?? [];
    assert.deepEqual(
      flaws.map(
        ({ path = [], line, column, hint = '' }) =>
          `${line}:${column} ${path.join('.')} ${hint.slice(0, 24)}`,
      ),
      [
        '2:13 rules.0.when.titel did you mean title?',
        '3:12 rules.0.set.level use "jobLevel": "MID" in',
        '4:20 rules.1.when.title for example { when: { ti',
        '5:22 rules.1.set.jobLevel did you mean MID?',
        '6:5 rules.2 for example { when: { ti',
        '8:10 rules.3.set set salaryMin, salaryMax',
        '9:16 requiredUnder for example requiredUnde',
      ],
    );
  });

  it('applies from any current directory and through links, but only within the repository', async () => {
    await write({ '_defaults.yaml': 'title: Above', 'jobs/_defaults.yaml': 'title: Near', [LISTING]: '{}' });
    await symlink('jobs/east', 'link');
    for (const [cwd, file] of [
      ['.', LISTING],
      ['jobs/east', 'welder.json'],
      ['.', 'link/welder.json'],
      ['..', at(LISTING)],
    ] as const) {
      process.chdir(at(cwd));
      assert.equal(await titleOf(file), 'Near', `${file} in ${cwd}`);
      process.chdir(at());
    }
    await rm('jobs/_defaults.yaml');
    assert.equal(await titleOf(LISTING), 'Above');
    await mkdir('jobs/.git');
    assert.equal(await titleOf(LISTING), undefined);
  });

  it('is ignored in a directory where any user can create files', async () => {
    await write({ 'all/_defaults.yaml': 'title: Planted', 'all/mine/welder.json': '{}' });
    assert.equal(await titleOf('all/mine/welder.json'), 'Planted');
    await write({ 'all/cook.json': '{}' });
    await chmod('all', 0o1777);
    assert.equal(await titleOf('all/cook.json'), undefined);
    assert.equal(await titleOf('all/mine/welder.json'), undefined);
    await rm('all/_defaults.yaml');
    await symlink('missing', 'all/_defaults.yaml');
    assert.equal(await titleOf('all/cook.json'), undefined);
  });

  it('is read only once for all listings', async () => {
    await write({
      '_defaults.yaml': 'title: Shared',
      'jobs/a.json': '{}',
      'jobs/b.json': '{}',
      'more/c.json': '{}',
    });
    const defaultsOf = createDefaults(input);
    const found = [
      await defaultsOf('jobs/a.json'),
      await defaultsOf('jobs/b.json'),
      await defaultsOf('more/c.json'),
    ];
    assert.ok(found[0] !== undefined && found.every((one) => one === found[0]));
    await rm('_defaults.yaml');
    assert.equal(await defaultsOf('jobs/d.json'), found[0]);
  });
});
