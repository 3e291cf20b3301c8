import assert from 'node:assert/strict';
import fc from 'fast-check';
import { clean, cleanBlock, jsonText } from '../../../src/cli/terminal/view.ts';
import { anyText } from '../../any-text.ts';

const CONTROLS = /[\x00-\x1f\x7f-\x9f]/;
const CONTROLS_OF_A_BLOCK = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/;
const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
const INVISIBLE = /[\u00ad\u200b\u2060-\u2064\ufeff\u{e0000}-\u{e007f}]/u;

const hostile = fc
  .array(
    fc.oneof(
      anyText(),
      fc.constantFrom(
        ...['\x1b', '\x1b[31m', '\x1b[', '\x9b2J', '\x1b]0;title\x07', '\x1b]8;;http://evil\x1b\\', '\x9d'],
        ...['\x1bP', '\x90q\x9c', '\x1b(0', '\r\n', '\u2028', '\x85', '\u202e', '\u200b', '\u200d', '\ufe0f'],
        ...['👩', '🏽', '\ud83d', 'plain text', '\t'],
      ),
    ),
  )
  .map((parts) => parts.join(''));

describe('clean', () => {
  it('leaves no control, bidi or invisible character of any text, and changes no cleaned one', () =>
    fc.assert(
      fc.property(hostile, (text) => {
        const [line, block] = [clean(text), cleanBlock(text)];
        assert.doesNotMatch(line, CONTROLS);
        assert.doesNotMatch(block, CONTROLS_OF_A_BLOCK);
        for (const cleaned of [line, block]) {
          assert.doesNotMatch(cleaned, BIDI);
          assert.doesNotMatch(cleaned, INVISIBLE);
          assert.doesNotMatch(cleaned, /[\u2028\u2029]/);
        }
        assert.equal(clean(line), line);
      }),
      { numRuns: 500 },
    ));

  it('gives well-formed Unicode whatever it is given', () => assert.equal(clean('a\ud800b'), 'a\ufffdb'));

  it('takes escape sequences away whole, in their 7-bit and 8-bit spelling', () => {
    assert.equal(clean('\x1b[1;31mred\x1b[0m'), 'red');
    assert.equal(clean('\x9b1;31mred\x9b0m'), 'red');
    assert.equal(clean('\x1b]0;owned\x07title'), 'title');
    assert.equal(clean('\x9d0;owned\x9ctitle'), 'title');
    assert.equal(clean('\x1b]8;;https://evil.example\x1b\\click\x1b]8;;\x1b\\'), 'click');
    assert.equal(clean('\x1bPq#0;2\x1b\\after'), 'after');
    assert.equal(clean('\x1bcafter\x1b(0'), 'after');
  });

  it('hides no text behind a sequence that never ends', () =>
    assert.equal(clean('\x1b]0;all of this stays readable'), '0;all of this stays readable'));

  it('lets removed parts form no new sequence', () => assert.equal(clean('\x1b\x1b[31m[31mred'), '[31mred'));

  it('shows the end of a line as a space in one line, and keeps it in a block', () => {
    assert.equal(clean('one\r\ntwo\n\nthree\tfour\rfive\u2028six'), 'one two three four five six');
    assert.equal(cleanBlock('one\r\ntwo\tthree\rfour\u2028five'), 'one\ntwo\tthree\nfour\nfive');
  });

  it('keeps what writing needs: emoji sequences, joiners of Persian and Hindi, accents', () => {
    for (const text of ['👩‍⚕️ ❤️', '🧑🏽‍🏭', 'می‌خواهم', 'क्‍ष', 'Zürich', 'e\u0301'])
      assert.equal(clean(text), text);
  });

  it('drops joiners and selectors that only make two equal words differ', () =>
    assert.equal(clean('ad\u200dmin\u200c\ufe0f'), 'admin'));

  it('takes no more than linear time for a text made to be slow', () => {
    const text = '\x1b]\x9d\x1b['.repeat(100_000) + '9;'.repeat(100_000);
    const before = process.cpuUsage();
    clean(text);
    assert.ok(process.cpuUsage(before).user < 2_000_000, 'took two seconds or more');
  });
});

describe('jsonText', () => {
  it('indents, and ends with a newline', () =>
    assert.equal(jsonText({ items: [1] }), '{\n  "items": [\n    1\n  ]\n}\n'));

  it('writes control and bidi characters as escapes that parse to the same value', () => {
    const value = { '\u202ekey': 'a\x1b\x9b\x7f\u200b\u{e0001}é👩‍⚕️' };
    const text = jsonText(value);
    assert.equal(text, '{\n  "\\u202ekey": "a\\u001b\\u009b\\u007f\\u200b\\udb40\\udc01é👩‍⚕️"\n}\n');
    assert.deepEqual(JSON.parse(text), value);
  });

  it('gives a document even for nothing', () => assert.equal(jsonText(undefined), 'null\n'));

  it('gives the same JSON, without a character that a terminal would act on', () =>
    fc.assert(
      fc.property(hostile, (text) => {
        const json = jsonText(text).trimEnd();
        assert.equal(JSON.parse(json), text);
        assert.doesNotMatch(json, CONTROLS);
        assert.doesNotMatch(json, BIDI);
        assert.doesNotMatch(json, INVISIBLE);
      }),
      { numRuns: 500 },
    ));
});
