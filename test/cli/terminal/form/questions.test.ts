import assert from 'node:assert/strict';
import { askChoice, askLine } from '../../../../src/cli/terminal/ask.ts';
import { findEditor } from '../../../../src/cli/terminal/ask-block.ts';
import { fixture } from '../../../fixture.ts';
import { fakeStreams, typing } from '../fake-streams.ts';

describe('a question of the form', () => {
  const streams = fixture('each test', () => fakeStreams({ isTerminal: true }));

  for (const [what, keys, answer] of [
    ['Enter keeps', '\r', 'a\x1b[31mb'],
    ['Backspace empties', '\x7f\r', ''],
    ['another text replaces', 'c\r', 'c'],
  ] as const)
    it(`shows the answer that stands without its escape sequences, and ${what} it`, async () => {
      const asked = askLine(streams, { question: 'Title', flag: '--title', current: 'a\x1b[31mb' });
      await typing(streams, /\(ab\)/, keys);
      assert.equal(await asked, answer);
      assert.ok(!streams.err().includes('a\x1b[31mb'));
    });

  it('stays until a line is right, and shows what was understood', async () => {
    const asked = askLine(streams, {
      question: 'Pay',
      flag: '--salary-min',
      missing: 'is needed',
      wrong: (line) => (line === '34' ? undefined : `not ${line}\x1b[2J`),
      formatAnswer: (line) => `$${line}`,
    });
    await typing(streams, /Pay/, '\r');
    await typing(streams, /> is needed/, 'x\r');
    await typing(streams, /> not x/, '\x1534\r');
    assert.equal(await asked, '34');
    assert.match(streams.err(), /Pay.*\$34/);
    assert.ok(!streams.err().includes('\x1b[2J'));
  });

  it('takes by Enter alone what can be chosen first', async () => {
    const choices = [
      { name: 'publish', value: 1, closed: '2 gaps' },
      { name: 'keep', value: 2 },
      { name: 'leave', value: undefined },
    ];
    const asked = askChoice<number | undefined>(streams, { question: 'Next?', flag: 'a file', choices });
    await typing(streams, /leave/, '\r');
    assert.equal(await asked, 2);
    assert.match(streams.err(), /publish.* \(2 gaps\)/);
  });
});

describe('the editor', () => {
  it('is the one of VISUAL, then of EDITOR, and none where both are empty', () => {
    assert.equal(findEditor({ VISUAL: 'code --wait', EDITOR: 'nano' }), 'code --wait');
    assert.equal(findEditor({ VISUAL: ' ', EDITOR: 'nano' }), 'nano');
    assert.equal(findEditor({ VISUAL: '' }), undefined);
  });
});
