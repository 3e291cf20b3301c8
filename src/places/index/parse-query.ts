import { normalisations, normalise } from '../place-names.ts';

/** One byte per region, 1 if the region is part of the area. */
export type Regions = Uint8Array;

export interface AreaLookup {
  findRegions(text: string): Regions | undefined;
  completeRegions(text: string): Regions | undefined;
}

export interface Interpretation {
  readonly name: string;
  readonly within?: Regions | undefined;
  /** True for an area without a comma before it: `paris texas`. */
  readonly isAreaImplied: boolean;
}

/** Long enough for `south georgia and the south sandwich islands`, which has seven words. */
const AREA_MAX_WORDS = 8;

const COMMA = /[,;，、،]/;
const AREAS_MAX = 4;

export function splitAtCommas(text: string) {
  const parts = text.split(COMMA).filter((part) => normalise(part) !== '');
  const shortest = Math.max(1, parts.length - AREAS_MAX);
  return parts.slice(shortest).map((_, index) => ({
    name: parts.slice(0, shortest + index).join(' '),
    areas: parts.slice(shortest + index).map(normalise),
  }));
}

/** Interprets text after a comma as an area. The last area may be incomplete. Runs in linear time. */
export function parsePlaceQuery(text: string, areas: AreaLookup): Interpretation[] {
  const whole: Interpretation[] = normalisations(text).map((name) => ({ name, isAreaImplied: false }));
  const splits = splitAtCommas(text);
  if (splits.length === 0) return [...whole, ...parseImpliedAreas(text, areas)];
  const split = splits.flatMap(({ name, areas: texts }): Interpretation[] => {
    const last = texts.length - 1;
    const within = intersectRegions(texts.map((area, index) => parseRegions(area, areas, index === last)));
    if (within === undefined) return [];
    return normalisations(name).map((front) => ({ name: front, within, isAreaImplied: false }));
  });
  return [...whole, ...split];
}

export function parseImpliedAreas(text: string, areas: AreaLookup): Interpretation[] {
  const words = normalise(text).split(' ');
  const shortest = Math.max(1, words.length - AREA_MAX_WORDS);
  return words.slice(shortest).flatMap((_, index) => {
    const within = parseRegions(words.slice(shortest + index).join(' '), areas, false);
    const name = words.slice(0, shortest + index).join(' ');
    return within === undefined ? [] : [{ name, within, isAreaImplied: true }];
  });
}

/** Returns the regions of a text that lists nested areas, such as `tx usa`. */
export function parseRegions(text: string, areas: AreaLookup, mayBeIncomplete: boolean): Regions | undefined {
  const called = areas.findRegions(text);
  if (called !== undefined) return called;
  const words = text.split(' ');
  if (words.length > AREA_MAX_WORDS) return undefined;
  for (let end = words.length - 1; end > 0; end--) {
    const front = areas.findRegions(words.slice(0, end).join(' '));
    if (front === undefined) continue;
    const rest = parseRegions(words.slice(end).join(' '), areas, mayBeIncomplete);
    if (rest !== undefined) return both(front, rest);
  }
  return mayBeIncomplete ? areas.completeRegions(text) : undefined;
}

export function intersectRegions(areas: readonly (Regions | undefined)[]): Regions | undefined {
  const [first, ...rest] = areas;
  return rest.reduce(
    (regions, area) => (regions === undefined || area === undefined ? undefined : both(regions, area)),
    first,
  );
}

function both(one: Regions, other: Regions): Regions {
  return one.map((isIn, region) => isIn & (other[region] ?? 0));
}
