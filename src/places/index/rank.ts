/** Tiers follow decision 4. Weights select the first result, because tiers would put San in Mali before San Diego. */
const KINDS = {
  name: { tier: 0, weight: 10_000 },
  /** The name starts with the text, which ends with a whole word. */
  words: { tier: 1, weight: 300 },
  /** The name starts with the text, which ends inside a word. */
  prefix: { tier: 1, weight: 30 },
  alias: { tier: 2, weight: 100 },
  /** The text is the start of the name, followed by an area (`bost ma`). */
  impliedArea: { tier: 3, weight: 1 },
  aliasPrefix: { tier: 4, weight: 1 },
};

export type Matches = readonly [kind: keyof typeof KINDS, ordinals: readonly number[]];

/** Returns the likeliest place first, then the others by decision 4 and population. */
export function rank(found: readonly Matches[], countPeople: (ordinal: number) => number, limit: number) {
  const kinds = Object.entries(KINDS).map(([name, kind]) => {
    return { ...kind, ordinals: found.flatMap(([own, ordinals]) => (own === name ? ordinals : [])) };
  });
  const matches = kinds.flatMap(({ tier, ordinals }) => ordinals.map((ordinal) => ({ tier, ordinal })));
  const order = matches
    .sort((a, b) => a.tier - b.tier || a.ordinal - b.ordinal)
    .map(({ ordinal }) => ordinal);
  let [lead, leadWeight] = [order.slice(0, 1), 0];
  for (const { weight, ordinals } of kinds.filter((kind) => kind.ordinals.length > 0)) {
    const largest = Math.min(...ordinals);
    const weighted = weight * countPeople(largest);
    if (weighted > leadWeight) [lead, leadWeight] = [[largest], weighted];
  }
  return [...new Set([...lead, ...order])].slice(0, limit);
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
