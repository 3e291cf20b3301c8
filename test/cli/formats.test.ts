import assert from 'node:assert/strict';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fixture } from '../fixture.ts';
import { withEngine } from './homes.ts';
import { EXAMPLES } from './partner.ts';

const YAML = 'title: Night nurse\nremoteCountry: NO\n';
const MARKDOWN = '---\ntitle: Night nurse\n---\n\nWe look for a nurse.\n';

const FROM_STDIN: readonly (readonly [line: string, stdin: string])[] = [
  ['jobs create - --format yaml', YAML],
  ['jobs create - --input-format md', MARKDOWN],
  ['jobs update 1 - --format yml', YAML],
  ['jobs plan - --format jsonc', '{ "title": "Night nurse", } // one'],
  ['jobs apply - --format yaml --create-anyway', YAML],
  ['jobs validate - --draft --input-format markdown', MARKDOWN],
];

describe('the format of a job file', () => {
  const home = fixture('all tests', withEngine);
  before(async () => {
    await home.run('jobs create --title First');
    for (const name of ['set', 'beside', 'lost']) await mkdir(join(home.path, name));
  });

  for (const [line, stdin] of FROM_STDIN)
    it(`is said by a flag where it comes from stdin: \`partner ${line}\``, async () => {
      const run = await home.run(`${line} --json`, { stdin });
      assert.equal(run.code, 0, run.stderr);
    });

  it('goes by the name of a file before it goes by a flag, which is for a name that says nothing', async () => {
    const named = await home.file('named.yaml', YAML);
    const unnamed = await home.file('posting', YAML);
    for (const file of [named, unnamed]) {
      const run = await home.run(['jobs', 'validate', file, '--draft', '--input-format', 'yaml']);
      assert.equal(run.code, 0, run.stdout);
    }
    const asMarkdown = await home.run(['jobs', 'validate', named, '--draft', '--input-format', 'md']);
    assert.equal(asMarkdown.code, 0, asMarkdown.stdout);
  });

  it('is JSON without a flag, and what else stdin seems to be is said with the flag that takes it', async () => {
    for (const [stdin, format] of [
      [YAML, 'yaml'],
      [MARKDOWN, 'md'],
      ['title,city\nWelder,Austin\n', 'csv'],
    ] as const) {
      const run = await home.run('jobs create - --json', { stdin });
      assert.equal(run.code, 3);
      assert.match(JSON.parse(run.stdout).error.hint, new RegExp(`--input-format ${format} for stdin`));
    }
    const run = await home.run('jobs validate - --format yaml', { stdin: YAML });
    assert.equal(run.code, 2);
    assert.match(run.stderr, /For the format of stdin, pass `--input-format yaml`/);
  });

  it('has every broken line of YAML counted where one listing is wanted', async () => {
    const file = await home.file('broken.yaml', 'title: Nurse: nights\njobType: @x\nsalaryMin: "1" a\n');
    const run = await home.run(['jobs', 'create', file, '--json']);
    const { message } = JSON.parse(run.stdout).error;
    assert.equal(message, `${file}:1:8: unquoted text with a colon and a space and 2 more problems`);
  });

  it('is kept in a saved plan, which is applied without it', async () => {
    const plan = join(home.path, 'plan.json');
    const set = ['-', '--state', join(home.path, 'saved.json')];
    const planned = await home.run(
      ['jobs', 'plan', ...set, '--format', 'yaml', '--create-anyway', '--out', plan],
      { stdin: YAML },
    );
    assert.equal(planned.code, 0, planned.stderr);
    const applied = await home.run(['jobs', 'apply', '--plan', plan], { stdin: YAML });
    assert.equal(applied.code, 0, applied.stderr);
  });

  it('that nobody knows is counted beside the others, and not a finding', async () => {
    await home.file('set/nurse.yaml', YAML);
    await home.file('set/README.md', '# Our jobs\n');
    await home.file('set/logo.png', 'x');
    await home.file('set/_defaults.yaml', 'jobLevel: MID\n');
    await home.file('set/.hidden', 'x');
    const set = join(home.path, 'set');
    const said = /2 files with an unknown format were ignored: README\.md, logo\.png\n/;
    const ignored = { count: 2, files: [join(set, 'README.md'), join(set, 'logo.png')] };
    const [checked, planned, named] = await Promise.all([
      home.run(['jobs', 'validate', set, '--draft']),
      home.run(['jobs', 'plan', set, '--json']),
      home.run(['jobs', 'validate', join(set, 'README.md'), '--draft']),
    ]);
    const applied = await home.run(['jobs', 'apply', set, '--json']);
    assert.match(checked.stdout, said);
    for (const run of [planned, applied]) {
      assert.match(run.stderr, said);
      assert.deepEqual(JSON.parse(run.stdout).ignored, ignored);
    }
    assert.deepEqual([checked.code, planned.code, applied.code, named.code], [0, 0, 0, 3]);
    assert.match(named.stdout, /README\.md:1:1: error: it has no front matter/);
  });

  it('that a listing has lost does not close its job: Markdown without its front matter is left alone', async () => {
    const file = await home.file('lost/nurse.md', MARKDOWN);
    await home.file('lost/other.yaml', 'title: Other\n');
    const set = join(home.path, 'lost');
    const applied = await home.run(['jobs', 'apply', set, '--create-anyway']);
    assert.equal(applied.code, 0, applied.stderr);
    const notices = async (): Promise<number> => {
      const planned = await home.run(['jobs', 'plan', set, '--prune', '--json']);
      return JSON.parse(planned.stdout).notices.length;
    };
    await writeFile(file, '# Nurse\n');
    assert.equal(await notices(), 0);
    await rm(file);
    assert.equal(await notices(), 1);
  });

  it('of a report beside the listings may be Markdown, unless it would replace one', async () => {
    const nurse = await home.file('beside/nurse.md', MARKDOWN);
    const set = join(home.path, 'beside');
    const plan = ['jobs', 'plan', set, '--create-anyway', '--report'];
    const run = await home.run([...plan, `markdown=${join(set, 'report.md')}`]);
    assert.equal(run.code, 0, run.stderr);
    const over = await home.run([...plan, `markdown=${nurse}`]);
    assert.equal(over.code, 2);
    assert.equal(await readFile(nurse, 'utf8'), MARKDOWN);
  });

  it('is shown by examples that have nothing to mend', async () => {
    const run = await home.run(['jobs', 'validate', join(EXAMPLES, 'formats')]);
    assert.match(run.stdout, /^\d+ listings in \d+ files: no problems found\n$/);
  });
});
