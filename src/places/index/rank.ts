/**
 * How a place matches the text. For `words` and `prefix`, its name starts with the text, which ends at or inside a
 * word. For `impliedArea`, the text is the start of the name, then an area (`bost ma`).
 */
export type Kind = 'name' | 'words' | 'prefix' | 'alias' | 'impliedArea' | 'aliasPrefix';

export type Found = Readonly<Record<Kind, readonly number[]>>;

/** Decision 4: exact name, then prefix, then alias. Weaker matches follow. */
const ORDER: readonly (readonly Kind[])[] = [
  ['name'],
  ['words', 'prefix'],
  ['alias'],
  ['impliedArea'],
  ['aliasPrefix'],
];

/**
 * Population weights for the first result only. By decision 4 alone, San in Mali would come before San Diego. So the
 * place with the highest weighted population comes first.
 */
const LEAD_WEIGHTS: Readonly<Record<Kind, number>> = {
  name: 10_000,
  words: 300,
  alias: 100,
  prefix: 30,
  impliedArea: 1,
  aliasPrefix: 1,
};

/** Returns the likeliest place first (`LEAD_WEIGHTS`), then the others by decision 4 and population. */
export function rank(found: Found, countPeople: (ordinal: number) => number, limit: number): number[] {
  const groups = ORDER.map((kinds) => kinds.flatMap((kind) => found[kind]).sort((a, b) => a - b));
  const order = groups.flat();
  const lead = findLead(found, countPeople);
  return [...new Set(lead === undefined ? order : [lead, ...order])].slice(0, limit);
}

function findLead(found: Found, countPeople: (ordinal: number) => number): number | undefined {
  let lead: number | undefined;
  let leadWeight = 0;
  for (const kind of ORDER.flat()) {
    if (found[kind].length === 0) continue;
    const largest = Math.min(...found[kind]);
    const weight = LEAD_WEIGHTS[kind] * countPeople(largest);
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
