import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commandList } from '../../../src/cli/help/command-list.ts';
import { type Guide, guideText } from '../../../src/cli/help/guide-view.ts';
import { GUIDE_NAMES, GUIDES, guideNamed } from '../../../src/cli/help/guides.ts';
import { viewOf } from '../../../src/cli/terminal/view.ts';
import { widthOf } from '../../../src/cli/terminal/width.ts';
import { rootHelp } from '../../../src/commands/help/help-view.ts';
import { ERRORS, errorRow, isErrorCode } from '../../../src/contract/errors.ts';
import { EXIT } from '../../../src/contract/exit-codes.ts';
import { completenessGaps } from '../../../src/contract/gate.ts';
import { EMPTY_CONTENT, JobInputSchema } from '../../../src/contract/job.ts';
import { EXPIRY, MOVES } from '../../../src/contract/lifecycle.ts';
import { JOB_STATUSES } from '../../../src/contract/values.ts';
import { fakeStreams } from '../terminal/fake-streams.ts';

const SOURCE = fileURLToPath(new URL('../../../src', import.meta.url));
/** How the source reads the environment. */
const READINGS = [
  /\benv(?:\.|\[')([A-Z][A-Z_]+)\b/g,
  /(?:variable|proxyAddress)\(env, '([A-Z_]+)'/g,
  /\b(PARTNER_[A-Z_]+)\b/g,
  /\b(LC_[A-Z]+|LANG)\b/g,
];
const PLACES = { config: '/home/jo/.config/partner', data: '/home/jo/.local/share/partner' };
const PIPE = viewOf(fakeStreams(), 0);
const on = (columns: number) => viewOf(fakeStreams({ isTerminal: true, columns }), 0);

async function guide(name: string): Promise<Guide> {
  const row = GUIDES[name];
  assert.ok(row);
  return (await row.load())(PLACES);
}

/** The entries under a heading, by their names. */
function entriesOf({ sections }: Guide, heading: string) {
  const entries = sections.find((section) => section.heading === heading)?.entries ?? [];
  return new Map(entries.map((entry) => [entry.name, entry]));
}

describe('the guide to exit codes', () => {
  it('has every exit code there is, and every error under the code that it ends in', async () => {
    const entries = entriesOf(await guide('exit-codes'), 'EXIT CODES');
    const codes = Object.keys(ERRORS).filter(isErrorCode);
    const exits = [...Object.values(EXIT), ...codes.map((code) => errorRow(code).exit)].map(String);
    assert.deepEqual([...entries.keys()].sort(), [...new Set(exits)].sort());
    for (const code of codes) assert.ok(entries.get(String(errorRow(code).exit))?.more?.includes(code), code);
  });
});

describe('the guide to configuration', () => {
  it('has every environment variable that the source reads', async () => {
    const text = guideText(await guide('configuration'), PIPE);
    const read = new Set<string>();
    for (const file of readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.ts')) continue;
      const source = readFileSync(join(SOURCE, file), 'utf8');
      for (const reading of READINGS) for (const [, name = ''] of source.matchAll(reading)) read.add(name);
    }
    assert.ok(read.has('PARTNER_API_KEY') && read.has('NO_PROXY') && read.has('CI'));
    assert.deepEqual(
      [...read].filter((name) => !new RegExp(`(?<![A-Z_])${name}(?![A-Z_])`).test(text)),
      [],
    );
  });

  it('says where the files of this machine are, and where there is no place for them', async () => {
    assert.match(guideText(await guide('configuration'), PIPE), /profiles +\/home\/jo\/\.config\/partner\n/);
    const homeless = (await GUIDES.configuration?.load())?.({ config: undefined, data: undefined });
    assert.ok(homeless);
    assert.match(guideText(homeless, PIPE), /profiles +nowhere: HOME is not set/);
  });
});

describe('the guide to job files', () => {
  it('has every field that a listing may have, and which ones a live listing needs', async () => {
    const fields = entriesOf(await guide('job-files'), 'FIELDS');
    assert.deepEqual([...fields.keys()], Object.keys(JobInputSchema.shape));
    const always = completenessGaps(EMPTY_CONTENT).map(({ path: [field] }) => String(field));
    assert.ok(always.includes('title'));
    for (const field of always) assert.ok(fields.get(field)?.more?.includes('needed to go live'), field);
    assert.ok(fields.get('remoteCountry')?.more?.includes('needed to go live when REMOTE'));
    assert.ok(fields.get('locations')?.more?.includes('needed to go live when HYBRID or IN_PERSON'));
    assert.ok(fields.get('jobLevel')?.more?.includes('ENTRY, MID, SENIOR, or null'));
  });

  it('says of every field of an entry what it is for', async () => {
    for (const { heading, entries = [] } of (await guide('job-files')).sections) {
      for (const { name, about } of entries) assert.notEqual(about, '', `${heading}: ${name}`);
    }
  });
});

describe('the guide to the lifecycle', () => {
  it('shows every state and every move in its picture', async () => {
    const { sections } = await guide('lifecycle');
    const picture = sections.find(({ heading }) => heading === 'PICTURE')?.lines ?? [];
    const drawn = picture.join('\n');
    for (const word of [...JOB_STATUSES, ...Object.keys(MOVES), '30 days']) {
      assert.ok(drawn.includes(word), `${word} in\n${drawn}`);
    }
    for (const line of picture) assert.ok(widthOf(line) + 2 <= 40, line);
  });

  it('says where each move leads from and to', async () => {
    const moves = entriesOf(await guide('lifecycle'), 'MOVES');
    for (const [name, { from, to }] of Object.entries({ ...MOVES, '30 days': EXPIRY })) {
      assert.ok(moves.get(name)?.about.startsWith(`${from.join(' or ')} → ${to}`), name);
    }
  });
});

describe('a guide', () => {
  for (const columns of [40, 80, 200]) {
    it(`breaks no word and is within ${columns} columns, but for what has no place to break`, async () => {
      for (const name of GUIDE_NAMES) {
        for (const line of guideText(await guide(name), on(columns)).split('\n')) {
          if (/^ *partner |\S{27,}/.test(line)) continue;
          assert.ok(widthOf(line) <= columns, `${name}, ${widthOf(line)} columns: ${line}`);
        }
      }
    });
  }

  it('says the same at 40 columns as in a pipe, where nothing is wrapped', async () => {
    for (const name of GUIDE_NAMES) {
      const [narrow, piped] = [guideText(await guide(name), on(40)), guideText(await guide(name), PIPE)];
      assert.deepEqual(narrow.split(/\s+/), piped.split(/\s+/));
      assert.ok(piped.split('\n').some((line) => line.length > 120));
    }
  });

  it('is found by its name in any spelling', () => {
    assert.equal(guideNamed(['exit-codes']), GUIDES['exit-codes']);
    assert.equal(guideNamed(['Exit', 'Codes']), GUIDES['exit-codes']);
    assert.equal(guideNamed(['jobs']), undefined);
    assert.equal(guideNamed(['constructor']), undefined);
  });
});

describe('a command line that help quotes', () => {
  const commands = commandList();
  const known = new Map(commands.map((command) => [command.id.replaceAll(':', ' '), command]));

  async function quoted(): Promise<string[]> {
    const guides = await Promise.all(GUIDE_NAMES.map(guide));
    const texts = [...guides.map((each) => guideText(each, PIPE)), rootHelp('', {}, [], {}, PIPE)];
    const next = Object.values(ERRORS).flatMap((row) => ('next' in row ? [row.next] : []));
    return [...texts, ...next].flatMap((text) =>
      Array.from(text.matchAll(/`(partner [^`]+)`|^ +(partner .*?)(?: {2}|$)/gm), ([, inText, onLine]) =>
        String(inText ?? onLine),
      ),
    );
  }

  it('names a command that there is, and flags that it takes', async () => {
    const lines = await quoted();
    assert.ok(lines.includes('partner auth login') && lines.length > 15, lines.join('\n'));
    for (const line of lines) {
      const words = line.split(' ').slice(1);
      if (words[0] === 'COMMAND') continue;
      const name = [3, 2, 1].map((count) => words.slice(0, count).join(' ')).find((each) => known.has(each));
      assert.ok(name, line);
      if (name === 'help') assertHelpOn(words.slice(1), line);
      for (const flag of words.filter((word) => word.startsWith('--'))) {
        assert.ok(Object.hasOwn(known.get(name)?.flags ?? {}, flag.slice(2)), line);
      }
    }
  });

  function assertHelpOn(words: readonly string[], line: string): void {
    if (words.length === 0 || ['TOPIC', 'GUIDE'].includes(words[0] ?? '')) return;
    assert.ok(guideNamed(words) !== undefined || known.has(words.join(' ')), line);
  }
});
