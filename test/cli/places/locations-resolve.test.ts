import assert from 'node:assert/strict';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { emptySet, together } from '../bulk.ts';
import resolved from './resolved.json' with { type: 'json' };

const it = together();

const FLOW = (id: number, city: string, state: string, country: string) =>
  `{ "locationId": ${id}, "city": "${city}", "stateProvince": "${state}", "country": "${country}" }`;
const AUSTIN = FLOW(4671654, 'Austin', 'Texas', 'United States');
const SAN_FRANCISCO = FLOW(5391959, 'San Francisco', 'California', 'United States');
const SAINT_JOHNS = FLOW(6324733, "St. John's", 'Newfoundland and Labrador', 'Canada');

const FILES: Readonly<Record<string, readonly [before: string, after: string]>> = {
  'crlf.json': [
    '{\r\n "title": "😀", "locations": ["Austin, TX", "\\u0053F", "Remote (US)"]\r\n}',
    `{\r\n "title": "😀", "locations": [${AUSTIN}, ${SAN_FRANCISCO}, "Remote (US)"]\r\n}`,
  ],
  'comments.jsonc': [
    '// Austin, TX\n{ /* 😀 */ "locations": ["Austin, TX",], }\n',
    `// Austin, TX\n{ /* 😀 */ "locations": [${AUSTIN},], }\n`,
  ],
  'two.yaml': [
    `# SF\nlocations:\n  - Austin, TX # ours\n  - "SF / Austin"\n  - Springfield\n---\nlocations: ['St. John''s, NL']\n`,
    `# SF\nlocations:\n  - ${AUSTIN} # ours\n  - ${SAN_FRANCISCO}\n  - ${AUSTIN}\n  - Springfield\n---\nlocations: [${SAINT_JOHNS}]\n`,
  ],
  'post.md': [
    '---\ntitle: Welder\nlocations:\n- SF\n---\n\nIn SF.\n',
    `---\ntitle: Welder\nlocations:\n- ${SAN_FRANCISCO}\n---\n\nIn SF.\n`,
  ],
  'block.yaml': ['locations:\n  - >-\n    Austin, TX\n', 'locations:\n  - >-\n    Austin, TX\n'],
  'sheet.csv': ['Title,City\nWelder,SF\n', 'Title,City\nWelder,SF\n'],
};

interface Resolved {
  readonly items: readonly { text: string; uses: number; meaning: { kind: string; sure?: string } }[];
  readonly written?: number;
  readonly left?: readonly { file: string }[];
}

async function setOfFiles() {
  const set = await emptySet();
  await mkdir(join(set.home.path, 'jobs'), { recursive: true });
  for (const [name, [before]] of Object.entries(FILES)) await set.home.file(`jobs/${name}`, before);
  return set;
}

describe('partner locations resolve', () => {
  it('shows each text once with its uses, what it becomes and how sure, and fails where one is not decided', async () => {
    const { home } = await setOfFiles();
    const run = await home.run('locations resolve jobs --json');
    assert.equal(run.code, 3);
    const { items } = run.json() as Resolved;
    assert.deepEqual(
      items.map(({ text, uses, meaning }) => [text, uses, meaning.sure ?? meaning.kind].join(' = ')).sort(),
      resolved.meanings,
    );
    for (const [name, [before]] of Object.entries(FILES))
      assert.equal(await readFile(`${home.path}/jobs/${name}`, 'utf8'), before);
  });

  it('writes what is decided in place, every other byte as it was, and says what it leaves', async () => {
    const { home } = await setOfFiles();
    const run = await home.run('locations resolve jobs --write --json');
    const { written, left } = run.json() as Resolved;
    const expected = [7, ['jobs/block.yaml', 'jobs/sheet.csv']];
    assert.deepEqual([written, left?.map(({ file }) => file).sort()], expected);
    for (const [name, [, after]] of Object.entries(FILES))
      assert.equal(await readFile(`${home.path}/jobs/${name}`, 'utf8'), after, name);
    const again = await home.run('locations resolve jobs --write --json');
    assert.equal((again.json() as Resolved).written, 0);
  });

  it('takes a list with one text on each line', async () => {
    const { home } = await emptySet();
    await home.file('board.txt', 'SF\n\nAustin, TX\r\nSF\n');
    const run = await home.run('locations resolve board.txt --csv');
    assert.equal(run.code, 0);
    const expected = /^SF,2,board.txt:1,"5391959 San Francisco, California, United States",likely\r?$/m;
    assert.match(run.stdout, expected);
  });
});
