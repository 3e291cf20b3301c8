import assert from 'node:assert/strict';
import { type Found, largest, rank } from '../../../src/engine/places/rank.ts';

describe('The order of the places found', () => {
  const NOTHING: Found = { name: [], words: [], prefix: [], alias: [], impliedArea: [], aliasPrefix: [] };
  /** Ordinals 0 to 9, the largest first; so close to one another that none outweighs the rest. */
  const close = (ordinal: number) => 1010 - ordinal;

  it('is exact name, prefix, alias, then implied areas, each by population (decision 4)', () => {
    const found = {
      name: [9, 7],
      words: [6],
      prefix: [5, 8],
      alias: [4, 3],
      impliedArea: [2],
      aliasPrefix: [1, 0],
    };
    assert.deepEqual(rank(found, close, 20), [7, 9, 5, 6, 8, 3, 4, 2, 0, 1]);
    assert.deepEqual(rank(found, close, 3), [7, 9, 5]);
  });

  it('has each place once, where it fits best', () => {
    assert.deepEqual(rank({ ...NOTHING, name: [3], prefix: [2, 3], alias: [2, 1] }, close, 20), [3, 2, 1]);
    assert.deepEqual(rank(NOTHING, close, 20), []);
  });

  it('lets a place that is larger by far come first, and nothing else change its place', () => {
    const populations = [9_000_000, 5_000_000, 3_000, 2_000];
    const found = { ...NOTHING, name: [2, 3], alias: [0, 1] };
    assert.deepEqual(
      rank(found, (ordinal) => populations[ordinal] ?? 0, 20),
      [0, 2, 3, 1],
    );
  });

  it('is kept where nobody lives', () => {
    assert.deepEqual(
      rank({ ...NOTHING, name: [5], prefix: [4] }, () => 0, 20),
      [5, 4],
    );
  });
});

describe('The largest of many places', () => {
  it('are each given once, the largest first', () => {
    assert.deepEqual(largest(Uint32Array.of(5, 3, 9, 3, 1, 5, 0), 3), [0, 1, 3]);
    assert.deepEqual(largest(Uint32Array.of(5, 5), 3), [5]);
    assert.deepEqual(largest(Uint32Array.of(), 3), []);
    assert.deepEqual(largest(Uint32Array.of(1), 0), []);
  });

  it('leave out what lies elsewhere', () => {
    assert.deepEqual(
      largest(Uint32Array.of(0, 1, 2, 3, 4, 5), 2, (ordinal) => ordinal % 2 === 1),
      [1, 3],
    );
  });
});
