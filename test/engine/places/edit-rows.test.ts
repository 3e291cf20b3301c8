import assert from 'node:assert/strict';
import fc from 'fast-check';
import { editDistance } from '../../../src/contract/nearest.ts';
import { EditRows } from '../../../src/engine/places/edit-rows.ts';

describe('The distances to the keys of a sorted list', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 9 });

  it('are those of the edit distance, as far as they are allowed', () => {
    const promise = fc.property(
      word,
      fc.uniqueArray(word, { maxLength: 30 }),
      fc.integer({ min: 0, max: 3 }),
      (wanted, keys, maxEdits) => {
        const rows = new EditRows(Buffer.from(wanted), maxEdits);
        let before = '';
        for (const key of keys.toSorted()) {
          let shared = 0;
          while (shared < before.length && before[shared] === key[shared]) shared++;
          const edits = rows.advance(shared, Buffer.from(key), shared, key.length);
          const distance = editDistance(wanted, key);
          if (distance <= maxEdits) assert.equal(edits, distance, `${wanted} to ${key}`);
          else assert.ok(edits > maxEdits, `${wanted} to ${key}`);
          before = key;
        }
      },
    );
    fc.assert(promise, { numRuns: 500 });
  });
});
