import { normalise } from '../../src/places/place-names.ts';

/** How German and the Nordic languages write these where a keyboard lacks them: Koeln, Aarhus. */
const DIGRAPHS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' };

export function spellings(name: string): string[] {
  const composed = name.normalize('NFC');
  const digraphs = composed.replace(/[äöüøå]/gi, (letter) => DIGRAPHS[letter.toLowerCase()] ?? letter);
  const both = (digraphs === composed ? [composed] : [composed, digraphs]).map(normalise);
  // German towns are Sankt in full and St. on their signs.
  const saints = both.filter((key) => key.includes('sankt')).map((key) => key.replace(/\bsankt\b/g, 'saint'));
  return [...new Set([...both, ...saints])].filter((key) => key !== '');
}

/** The spellings of an official name; what stands behind a comma in it only says where the place is. */
export function officialSpellings(name: string): string[] {
  const comma = name.indexOf(',');
  return comma === -1 ? spellings(name) : [...spellings(name), ...spellings(name.slice(0, comma))];
}
