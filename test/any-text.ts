import fc from 'fast-check';

const SURROGATES = 0xe000 - 0xd800;

/** Like fast-check's unit `binary`, which takes a second and 100 MB in each process that uses it. */
const character = fc.integer({ min: 0, max: 0x10ffff - SURROGATES }).map(toCharacter, (character) => {
  const point = String(character).codePointAt(0) ?? 0;
  const index = point < 0xd800 ? point : point - SURROGATES;
  if (toCharacter(index) !== character) throw new TypeError(`${character} isn't one character`);
  return index;
});

/** Texts of any characters, and now and then a name that every object has. */
export function anyText(lengths: fc.StringConstraints = {}): fc.Arbitrary<string> {
  return fc.string({ ...lengths, unit: character });
}

function toCharacter(index: number): string {
  return String.fromCodePoint(index < 0xd800 ? index : index + SURROGATES);
}
