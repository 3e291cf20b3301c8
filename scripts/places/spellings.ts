import { normalise } from '../../src/places/place-names.ts';

/** German and Nordic replacements for letters that a keyboard lacks (`Koeln`, `Aarhus`). */
const DIGRAPHS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' };

export function spellings(name: string): string[] {
  const composed = name.normalize('NFC');
  const digraphs = composed.replace(/[äöüøå]/gi, (letter) => DIGRAPHS[letter.toLowerCase()] ?? letter);
  const both = (digraphs === composed ? [composed] : [composed, digraphs]).map(normalise);
  // Names of German towns with `Sankt` are often abbreviated as `St.`.
  const saints = both.filter((key) => key.includes('sankt')).map((key) => key.replace(/\bsankt\b/g, 'saint'));
  return [...new Set([...both, ...saints])].filter((key) => key !== '');
}

/** Also returns the name without the part after a comma, which only describes where the place is. */
export function officialSpellings(name: string): string[] {
  const comma = name.indexOf(',');
  return comma === -1 ? spellings(name) : [...spellings(name), ...spellings(name.slice(0, comma))];
}
