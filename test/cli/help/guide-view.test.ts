import assert from 'node:assert/strict';
import { type Guide, guideText } from '../../../src/cli/help/guide-view.ts';
import { viewOf } from '../../../src/cli/terminal/view.ts';
import { fakeStreams } from '../terminal/fake-streams.ts';

const GUIDE: Guide = {
  topic: 'doors',
  about: 'How a door is opened and closed.',
  sections: [
    {
      heading: 'PICTURE',
      lines: ['┌──────────────────────────────────────┐', '', 'a picture that stays as it is'],
    },
    {
      heading: 'STATES',
      text: 'A door has two states.',
      entries: [
        { name: 'OPEN', about: 'you can walk through it', more: ['GO', 'PASS'] },
        { name: 'SHUT', about: 'you cannot' },
      ],
    },
  ],
};

describe('a guide', () => {
  it('is wrapped to a narrow terminal, but for its pictures', () => {
    const view = viewOf(fakeStreams({ isTerminal: true, columns: 26 }), 0);
    assert.equal(
      guideText(GUIDE, view),
      `How a door is opened and
closed.

PICTURE
  ┌──────────────────────────────────────┐

  a picture that stays as it is

STATES
  A door has two states.

  OPEN  you can walk
        through it
        GO · PASS
  SHUT  you cannot
`,
    );
  });

  it('is coloured in its headings and names, and faint in what belongs to them', () => {
    const text = guideText(GUIDE, viewOf(fakeStreams({ isTerminal: true, colour: true }), 0));
    assert.ok(text.includes('\x1b[1mSTATES\x1b[22m\n'));
    assert.ok(text.includes('\x1b[36mOPEN\x1b[39m'));
    assert.ok(text.includes('\x1b[2mGO · PASS\x1b[22m'));
  });
});
