import assert from 'node:assert/strict';
import { jsonText } from '../../src/ui/json.ts';

const ANY = { isAsciiOut: false };

describe('jsonText', () => {
  it('indents, and ends with a newline', () => {
    assert.equal(jsonText({ items: [1] }, ANY), '{\n  "items": [\n    1\n  ]\n}\n');
  });

  it('writes control and bidi characters as escapes that parse to the same value', () => {
    const value = { '\u202ekey': 'a\x1b\x9b\x7f\u200b\u{e0001}é👩‍⚕️' };
    const text = jsonText(value, ANY);
    assert.equal(text, '{\n  "\\u202ekey": "a\\u001b\\u009b\\u007f\\u200b\\udb40\\udc01é👩‍⚕️"\n}\n');
    assert.deepEqual(JSON.parse(text), value);
  });

  it('is ASCII on a terminal that shows no more, and still the same value', () => {
    const value = { title: 'Enfermería · 看護師 👩‍⚕️' };
    const text = jsonText(value, { isAsciiOut: true });
    assert.match(text, /^[\n -~]+$/);
    assert.deepEqual(JSON.parse(text), value);
  });

  it('gives a document even for nothing', () => {
    assert.equal(jsonText(undefined, ANY), 'null\n');
  });
});
