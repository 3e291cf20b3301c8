import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commandList, GUIDE_NAMES, guideNamed } from '../../../src/cli/help/topics.ts';
import { markdownText } from '../../../src/cli/terminal/markdown.ts';
import { toView } from '../../../src/cli/terminal/view.ts';
import { getWidth } from '../../../src/cli/terminal/width.ts';
import { rootHelp } from '../../../src/commands/help/help-view.ts';
import { ERRORS } from '../../../src/contract/errors.ts';
import { MOVES } from '../../../src/contract/lifecycle.ts';
import { JOB_STATUSES } from '../../../src/contract/values.ts';
import { fakeStreams } from '../terminal/fake-streams.ts';

const SOURCE = fileURLToPath(new URL('../../../src', import.meta.url));
const READINGS = [
  /\benv(?:\.|\[')([A-Z][A-Z_]+)\b/g,
  /(?:variable|proxyAddress)\(env, '([A-Z_]+)'/g,
  /\b(PARTNER_[A-Z_]+)\b/g,
];
const PIPE = toView(fakeStreams(), 0);
const on = (columns: number) => toView(fakeStreams({ isTerminal: true, columns }), 0);

function markdown(name: string): string {
  const guide = guideNamed([name]);
  assert.ok(guide);
  return guide.markdown;
}

describe('the guide to configuration', () => {
  it('has every environment variable that the source reads', () => {
    const text = markdown('configuration');
    const read = new Set<string>();
    for (const file of readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.ts')) continue;
      const source = readFileSync(join(SOURCE, file), 'utf8');
      for (const reading of READINGS) for (const [, name = ''] of source.matchAll(reading)) read.add(name);
    }
    assert.ok(read.has('PARTNER_API_KEY') && read.has('NO_PROXY') && read.has('CI'));
    const unnamed = [...read].filter((name) => !new RegExp(`(?<![A-Z_])${name}(?![A-Z_])`).test(text));
    assert.deepEqual(unnamed, []);
  });
});

describe('the guide to the lifecycle', () => {
  it('shows every state and every move in its picture', () => {
    const [, picture = ''] = /```text\n(.*?)```/s.exec(markdown('lifecycle')) ?? [];
    for (const word of [...JOB_STATUSES, ...Object.keys(MOVES), '30 days'])
      assert.ok(picture.includes(word), `${word} in\n${picture}`);
    for (const line of picture.split('\n')) assert.ok(getWidth(line) + 2 <= 40, line);
  });
});

describe('a guide', () => {
  for (const columns of [40, 80, 200])
    it(`breaks no word and is within ${columns} columns, but for code and what has no place to break`, () => {
      for (const name of GUIDE_NAMES) {
        const code =
          markdown(name)
            .match(/```[\s\S]*?```/g)
            ?.join('\n') ?? '';
        for (const line of markdownText(markdown(name), on(columns)).split('\n')) {
          if (code.includes(line.trim()) || /\S{25,}/.test(line)) continue;
          assert.ok(getWidth(line) <= columns, `${name}, ${getWidth(line)} columns: ${line}`);
        }
      }
    });

  it('says the same at 40 columns as in a pipe, where nothing is wrapped', () => {
    for (const name of GUIDE_NAMES) {
      const [narrow, piped] = [markdownText(markdown(name), on(40)), markdownText(markdown(name), PIPE)];
      assert.deepEqual(narrow.split(/\s+/), piped.split(/\s+/));
      assert.ok(piped.split('\n').some((line) => line.length > 120));
    }
  });
});

describe('Markdown on a terminal', () => {
  const textOf = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');

  it('has headings, wrapped text, tables as names with what is said about them, code as it is', () =>
    assert.equal(markdownText(textOf('doors.md'), on(26)), textOf('doors.txt')));
});

describe('a command line that help quotes', () => {
  const commands = commandList();
  const known = new Map(commands.map((command) => [command.id.replaceAll(':', ' '), command]));

  function quoted(): string[] {
    const texts = [...GUIDE_NAMES.map(markdown), rootHelp([], PIPE)];
    const next = Object.values(ERRORS).flatMap((row) => ('next' in row ? [row.next] : []));
    return [...texts, ...next].flatMap((text) =>
      Array.from(text.matchAll(/`(partner [^`]+)`|^ +(partner .*?)(?: {2}|$)/gm), ([, inText, onLine]) =>
        String(inText ?? onLine).replace(/\s+/g, ' '),
      ),
    );
  }

  it('names a command that there is, and flags that it takes', () => {
    const lines = quoted();
    assert.ok(lines.includes('partner auth login') && lines.length > 15, lines.join('\n'));
    for (const line of lines) {
      const words = line.split(' ').slice(1);
      if (words[0] === 'COMMAND') continue;
      const name = [3, 2, 1].map((count) => words.slice(0, count).join(' ')).find((each) => known.has(each));
      assert.ok(name, line);
      if (name === 'help') assertHelpOn(words.slice(1), line);
      for (const flag of words.filter((word) => word.startsWith('--')))
        assert.ok(Object.hasOwn(known.get(name)?.flags ?? {}, flag.slice(2)), line);
    }
  });

  function assertHelpOn(words: readonly string[], line: string): void {
    if (words.length === 0 || ['TOPIC', 'GUIDE', 'COMMAND'].includes(words[0] ?? '')) return;
    assert.ok(guideNamed(words) !== undefined || known.has(words.join(' ')), line);
  }
});
