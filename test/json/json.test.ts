import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { attempt } from '../../src/contract/system-errors.ts';
import { jsonFault } from '../../src/json/fault.ts';
import faults from '../contract/json-faults.json' with { type: 'json' };
import { times } from '../times.ts';

const isJson = (text: string) => attempt(() => JSON.parse(text)) !== undefined;

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

describe('where a text stops being JSON', () => {
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
      { numRuns: times(1_000, 30_000) },
    );
  });

  // A string that isn't closed on its line is reported where it begins.
  for (const { text, line, column } of [{ text: '', line: 1, column: 1 }, ...faults])
    it(`is line ${line}, column ${column} of ${JSON.stringify(text)}`, () => {
      const fault = jsonFault(text);
      assert.deepEqual([fault?.line, fault?.column], [line, column], JSON.stringify(fault));
      assert.notEqual(fault?.message, '');
    });
});
