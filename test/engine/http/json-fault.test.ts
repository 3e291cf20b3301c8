import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { jsonFault } from '../../../src/engine/http/json-fault.ts';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Text near JSON: a document with one character put in, taken out or exchanged. */
const nearJson = fc
  .tuple(
    fc.json({ maxDepth: 3 }),
    fc.nat(),
    fc.nat(2),
    fc.constantFrom(...'{}[]",:\\\n\t0-1.eE+tn /u\u0000é'),
  )
  .map(([json, offset, cut, put]) => {
    const at = offset % (json.length + 1);
    return json.slice(0, at) + put + json.slice(at + cut);
  });

describe('where a body stops being JSON', () => {
  it('is found in exactly the texts that JSON.parse refuses', () => {
    const texts = fc.oneof(
      nearJson,
      fc.json(),
      fc.string(),
      fc.string({ unit: fc.constantFrom(...'[]{}",:01-. ') }),
    );
    fc.assert(
      fc.property(texts, (text) => {
        assert.equal(jsonFault(text) === undefined, isJson(text), JSON.stringify(text));
      }),
      { numRuns: 3000 },
    );
  });

  for (const [text, line, column, message] of [
    ['', 1, 1, /expected a value, not the end/],
    ['{"a": 1,\n "b": 2,\n}', 2, 8, /a comma must not stand before }/],
    ['[1, 2,]', 1, 6, /a comma must not stand before ]/],
    ["{'a': 1}", 1, 2, /field name in double quotes, not "'"/],
    ['{a: 1}', 1, 2, /field name in double quotes/],
    ['{"a" 1}', 1, 6, /expected a colon, not "1"/],
    ['{"a": }', 1, 7, /expected a value, not "}"/],
    ['{"a": 1 "b": 2}', 1, 9, /expected a comma or }/],
    ['{"a": "x\ny"}', 1, 9, /line break or control character/],
    ['{"a": "x', 1, 7, /not closed/],
    ['{"a": "\\x"}', 1, 8, /not an escape/],
    ['{"a": 01}', 1, 7, /expected a value/],
    ['{"a": 1.}', 1, 7, /expected a value/],
    ['{"a": nul}', 1, 7, /expected a value, not "n"/],
    ['{"a": NaN}', 1, 7, /expected a value/],
    ['{"ä🛠": tru}', 1, 8, /expected a value/],
    ['{}\r\n{}', 2, 1, /follows the end/],
    ['[[1, 2]', 1, 8, /expected a comma or ], not the end/],
    ['// note\n{}', 1, 1, /expected a value, not "\/"/],
  ] as const) {
    it(`is line ${line}, column ${column} of ${JSON.stringify(text)}`, () => {
      const fault = jsonFault(text);
      assert.ok(fault);
      assert.deepEqual({ line: fault.line, column: fault.column }, { line, column });
      assert.match(fault.message, message);
    });
  }

  it('is found at any depth', () => {
    const depth = 200_000;
    assert.equal(jsonFault('['.repeat(depth) + ']'.repeat(depth)), undefined);
    assert.equal(jsonFault('['.repeat(depth))?.column, depth + 1);
  });
});
