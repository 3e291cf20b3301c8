import assert from 'node:assert/strict';
import fc from 'fast-check';
import { shorten, widthOf, wrap } from '../../src/ui/width.ts';

describe('widthOf', () => {
  it('counts the columns that a terminal gives a text', () => {
    const widths: [string, number][] = [
      ['', 0],
      ['abc', 3],
      ['Zürich', 6],
      ['e\u0301', 1],
      ['日本語', 6],
      ['한국어', 6],
      ['ｆｕｌｌ', 8],
      ['✅', 2],
      ['❤️', 2],
      ['👩‍⚕️', 2],
      ['🧑🏽‍🏭', 2],
      ['🇩🇪', 2],
      ['🫠', 2],
      ['ที่', 1],
      ['… – ·', 5],
      ['\x1b[31mred\x1b[39m', 3],
    ];
    for (const [text, width] of widths) assert.equal(widthOf(text), width, JSON.stringify(text));
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
        assert.ok(widthOf(short) <= columns);
        assert.doesNotMatch(short, /\p{Surrogate}/u);
      }),
    );
  });
});

describe('wrap', () => {
  it('breaks between words and keeps the lines and indents that are there', () => {
    assert.deepEqual(wrap('one two three\n  four five', 9), ['one two', 'three', '  four', '  five']);
  });

  it('lets the text of a list entry hang below its start', () => {
    assert.deepEqual(wrap('- one two three', 9), ['- one two', '  three']);
  });

  it('leaves a word that is too long whole, so that an address can be copied', () => {
    assert.deepEqual(wrap('see https://ats.example/jobs/1', 10), ['see', 'https://ats.example/jobs/1']);
  });

  it('changes nothing where nothing has to fit', () => {
    const text = '  a   text  with  gaps ';
    assert.deepEqual(wrap(text, Number.POSITIVE_INFINITY), [text]);
  });
});
