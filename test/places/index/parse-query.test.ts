import assert from 'node:assert/strict';
import { type AreaLookup, parsePlaceQuery } from '../../../src/places/index/parse-query.ts';

/** What taking a text apart costs: look-ups of areas, and the characters that were normalised or looked up. */
function workOn(text: string): { lookUps: number; characters: number } {
  const work = { lookUps: 0, characters: 0 };
  const lookUp = (area: string): undefined => {
    work.lookUps++;
    work.characters += area.length;
  };
  const areas: AreaLookup = { findRegions: lookUp, completeRegions: lookUp };
  const { toLowerCase } = String.prototype;
  String.prototype.toLowerCase = function (this: string) {
    work.characters += this.length;
    return toLowerCase.call(this);
  };
  try {
    parsePlaceQuery(text, areas);
  } finally {
    String.prototype.toLowerCase = toLowerCase;
  }
  return work;
}

describe('taking a place query apart', () => {
  const shapes: Readonly<Record<string, (count: number) => string>> = {
    commas: (count) => 'a,'.repeat(count),
    words: (count) => 'us '.repeat(count),
    'commas and words': (count) => 'new york, us '.repeat(count),
    hyphens: (count) => 'a-'.repeat(count),
    'one word': (count) => 'a'.repeat(count),
  };
  for (const [name, of] of Object.entries(shapes))
    it(`costs work that is linear in its length, and a fixed number of look-ups: ${name}`, () => {
      const once = workOn(of(1_000));
      const tenTimes = workOn(of(10_000));
      assert.ok(tenTimes.characters <= 11 * once.characters, `${once.characters} → ${tenTimes.characters}`);
      assert.equal(tenTimes.lookUps, once.lookUps);
      assert.ok(once.lookUps <= 200, `${once.lookUps} look-ups`);
    });
});
