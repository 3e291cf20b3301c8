import assert from 'node:assert/strict';
import fc from 'fast-check';
import { getWidth, shorten, wrap } from '../../../src/cli/terminal/width.ts';
import widths from './widths.json' with { type: 'json' };

const CHINESE = '招聘焊工要求三年经验'.repeat(4_000);

describe('a long text', () => {
  it('of a script without spaces is shortened and wrapped in no time', () => {
    const before = process.cpuUsage();
    shorten(CHINESE, 80);
    wrap(CHINESE.replaceAll('工', ' a '), 80);
    assert.ok(process.cpuUsage(before).user < 1_000_000, 'took a second or more');
  });
});

describe('getWidth', () => {
  it('counts the columns that a terminal gives a text', () => {
    for (const [text, width] of widths as [string, number][])
      assert.equal(getWidth(text), width, JSON.stringify(text));
  });
});

describe('shorten', () => {
  it('marks the cut end and stays within the columns', () => {
    assert.equal(shorten('Registered Nurse', 16), 'Registered Nurse');
    assert.equal(shorten('Registered Nurse', 12), 'Registered…');
    assert.equal(shorten('Registered Nurse', 13), 'Registered N…');
  });

  it('never cuts a character in half, nor takes more columns than there are', () => {
    assert.equal(shorten('日本語', 4), '日…');
    assert.equal(shorten('👩‍⚕️👩‍⚕️👩‍⚕️', 5), '👩‍⚕️👩‍⚕️…');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 40 }), (text, columns) => {
        const short = shorten(text, columns);
        assert.ok(getWidth(short) <= columns);
        assert.doesNotMatch(short, /\p{Surrogate}/u);
      }),
    );
  });
});

describe('wrap', () => {
  it('breaks between words and keeps the lines and indents that are there', () =>
    assert.deepEqual(wrap('one two three\n  four five', 9), ['one two', 'three', '  four', '  five']));

  it('leaves a word that is too long whole, so that an address can be copied', () =>
    assert.deepEqual(wrap('see https://ats.example/jobs/1', 10), ['see', 'https://ats.example/jobs/1']));

  it('breaks a script without spaces anywhere, and never a character in half', () => {
    assert.deepEqual(wrap('招聘焊工要求三年', 7), ['招聘焊', '工要求', '三年']);
    assert.deepEqual(wrap('- 招聘焊工要求 三年', 8), ['- 招聘焊', '  工要求', '  三年']);
    const lines = wrap(CHINESE, 80);
    assert.equal(lines.join(''), CHINESE);
    assert.ok(lines.every((line) => getWidth(line) <= 80));
  });
});
