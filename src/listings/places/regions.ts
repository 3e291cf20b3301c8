import { normalise } from '../../contract/place-names.ts';
import { COUNTRIES, REGION_ALIASES } from '../../contract/regions.ts';

/**
 * The names of the regions and countries that a name, a code or an alias like `tx` stands for: both sides
 * normalised. None where it stands for none.
 */
export function areasCalled(text: string): string[] {
  const isText = (name: string) => beginsAlike(name, text) && normalise(name) === text;
  const names: string[] = [];
  for (const { code, alpha3, name, aliases } of COUNTRIES) {
    if (isText(code) || isText(alpha3) || isText(name) || aliases.some(isText)) names.push(name, ...aliases);
  }
  for (const [alias, name] of Object.values(REGION_ALIASES).flatMap(Object.entries<string>)) {
    if (isText(alias) || isText(name)) names.push(name);
  }
  return [...new Set(names.map(normalise))];
}

/** Tells most names apart before they are normalised, which takes longer and keeps a plain first letter. */
function beginsAlike(name: string, text: string): boolean {
  const plain = name.charCodeAt(0) < 0x80 ? name : name.normalize('NFD');
  return (plain.charCodeAt(0) | 0x20) === text.charCodeAt(0);
}
