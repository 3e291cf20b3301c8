/**
 * How what was typed fits a place: it is its name; the name begins with it, at a word's end or inside one; it is another
 * name of the place; the name begins with its front if its end is an area (`bost ma`); another name begins with it.
 */
export type Kind = 'name' | 'words' | 'prefix' | 'alias' | 'impliedArea' | 'aliasPrefix';

/** The places that fit in each way, as ordinals: 0 is the largest by population. */
export type Found = Readonly<Record<Kind, readonly number[]>>;

/** Decision 4: exact name, then prefix, then alias; then what is weaker. */
const ORDER: readonly (readonly Kind[])[] = [
  ['name'],
  ['words', 'prefix'],
  ['alias'],
  ['impliedArea'],
  ['aliasPrefix'],
];

/**
 * How much each inhabitant counts when the first place is chosen. Decision 4 taken to the letter puts San in Mali
 * before San Diego, and Münchenstein before Munich (`münchen` is an alias). So the first place alone goes to the one
 * that outweighs the others: `mexico` means the city of twelve million, not the one of forty thousand.
 */
const LEAD_WEIGHTS: Readonly<Record<Kind, number>> = {
  name: 10_000,
  words: 300,
  alias: 100,
  prefix: 30,
  impliedArea: 1,
  aliasPrefix: 1,
};

/** The best of the places found: the likeliest one (see `LEAD_WEIGHTS`), then as in decision 4, by population. */
export function rank(found: Found, populationOf: (ordinal: number) => number, limit: number): number[] {
  const groups = ORDER.map((kinds) => kinds.flatMap((kind) => found[kind]).sort((a, b) => a - b));
  const order = groups.flat();
  const lead = leadOf(found, populationOf);
  return [...new Set(lead === undefined ? order : [lead, ...order])].slice(0, limit);
}

function leadOf(found: Found, populationOf: (ordinal: number) => number): number | undefined {
  let lead: number | undefined;
  let leadWeight = 0;
  for (const kind of ORDER.flat()) {
    if (found[kind].length === 0) continue;
    const largest = Math.min(...found[kind]);
    const weight = LEAD_WEIGHTS[kind] * populationOf(largest);
    if (weight > leadWeight) {
      lead = largest;
      leadWeight = weight;
    }
  }
  return lead;
}

export function largest(ordinals: Uint32Array, limit: number, isWithin?: (ordinal: number) => boolean) {
  const kept: number[] = [];
  let bar = 0x7fffffff;
  for (let index = 0; index < ordinals.length; index++) {
    const ordinal = ordinals[index] as number;
    if (ordinal >= bar || (isWithin !== undefined && !isWithin(ordinal)) || kept.includes(ordinal)) continue;
    let at = kept.length;
    while (at > 0 && (kept[at - 1] as number) > ordinal) at--;
    kept.splice(at, 0, ordinal);
    if (kept.length > limit) kept.pop();
    if (kept.length === limit) bar = kept[limit - 1] as number;
  }
  return kept;
}
