import assert from 'node:assert/strict';
import { jsonText } from '../../../src/cli/terminal/json.ts';

describe('jsonText', () => {
  it('indents, and ends with a newline', () => {
    assert.equal(jsonText({ items: [1] }), '{\n  "items": [\n    1\n  ]\n}\n');
  });

  it('writes control and bidi characters as escapes that parse to the same value', () => {
    const value = { '\u202ekey': 'a\x1b\x9b\x7f\u200b\u{e0001}é👩‍⚕️' };
    const text = jsonText(value);
    assert.equal(text, '{\n  "\\u202ekey": "a\\u001b\\u009b\\u007f\\u200b\\udb40\\udc01é👩‍⚕️"\n}\n');
    assert.deepEqual(JSON.parse(text), value);
  });

  it('gives a document even for nothing', () => {
    assert.equal(jsonText(undefined), 'null\n');
  });
});
