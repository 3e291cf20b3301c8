import assert from 'node:assert/strict';
import { snapshotDifferences } from '../scripts/snapshots/compare.ts';
import { Shapes, shapeText } from '../scripts/snapshots/shape.ts';

describe('the outside of the tool', () => {
  it('is as test/snapshots says: commands and flags, the shape of --json, errors and exit codes', async () =>
    assert.equal(await snapshotDifferences(), ''));
});

describe('the shape of a document', () => {
  const textOf = (value: unknown): string => shapeText(new Shapes().of(value));

  it('holds keys and types, no values', () =>
    assert.equal(
      textOf({ id: 12, title: 'Night nurse', share: 0.5, isFrozen: false, closedAt: null }),
      '{\n  id: integer\n  title: string\n  share: number\n  isFrozen: boolean\n  closedAt: null\n}',
    ));

  it('of an array is what its entries have in common, with `?` behind a key that some lack', () =>
    assert.equal(
      textOf([{ prompt: 'a', options: ['b'] }, { prompt: null }]),
      '[{\n  prompt: null | string\n  options?: [string]\n}]',
    ));

  it('tells an empty array and an empty object from full ones', () => {
    assert.equal(textOf({ items: [], fields: {} }), '{\n  items: []\n  fields: {}\n}');
    assert.equal(textOf([[], [1]]), '[[integer]]');
  });

  it('names an object that is met in many documents, and covers all of them', () => {
    const shapes = new Shapes({ Job: 'isFrozen' });
    const text = shapeText(
      shapes.of({
        items: [
          { isFrozen: true, bid: 1 },
          { isFrozen: false, bid: null },
        ],
      }),
    );
    assert.equal(text, '{\n  items: [Job]\n}');
    const [job] = Array.from(shapes.named.values(), (shape) => shapeText(shape));
    assert.equal(job, '{\n  isFrozen: boolean\n  bid: integer | null\n}');
  });
});
