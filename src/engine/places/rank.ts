/** How what was typed fits a place. */
export type Kind =
  /** It is the place's name. */
  | 'name'
  /** The place's name begins with it, and goes on with a new word. */
  | 'words'
  /** The place's name begins with it. */
  | 'prefix'
  /** It is another name of the place. */
  | 'alias'
  /** The place's name begins with its front, if its end is an area although no comma says so: `bost ma`. */
  | 'guess'
  /** Another name of the place begins with it. */
  | 'aliasPrefix';

/** The places that fit in each way, as ordinals. A place's ordinal is its place by population, 0 the largest. */
export type Found = Readonly<Record<Kind, readonly number[]>>;

/** Decision 4: exact name, then prefix, then alias; and behind them what is weaker than all three. */
const ORDER: readonly (readonly Kind[])[] = [
  ['name'],
  ['words', 'prefix'],
  ['alias'],
  ['guess'],
  ['aliasPrefix'],
];

/**
 * How much a person counts in each kind when it is decided which place comes first. Decision 4 taken to the
 * letter puts San in Mali before San Diego, and Münchenstein before Munich (`münchen` is an alias), against
 * the examples. So the first place, and it alone, goes to the one that outweighs the others by far:
 * whoever types `mexico` means one of twelve million, not that of forty thousand in the Philippines.
 */
const LEAD_WEIGHTS: Readonly<Record<Kind, number>> = {
  name: 10_000,
  words: 300,
  alias: 100,
  prefix: 30,
  guess: 1,
  aliasPrefix: 1,
};

/**
 * The best `limit` of the places found, best first: the likeliest one (see `LEAD_WEIGHTS`), then in the order
 * of decision 4, each by population.
 */
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

/** The `limit` largest of the places, each once, largest first; `isWithin` leaves places out. */
export function largest(
  ordinals: Uint32Array,
  limit: number,
  isWithin?: (ordinal: number) => boolean,
): number[] {
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
