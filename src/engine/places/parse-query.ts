import { normalisations, splitAtCommas, splitAtWords } from '../../contract/place-names.ts';

/** The regions that belong to an area: 1 at the number of each. */
export type Regions = Uint8Array;

/** Finds regions and countries by name, code or alias. Texts are normalised. */
export interface AreaLookup {
  called(text: string): Regions | undefined;
  startingWith(text: string): Regions | undefined;
}

export interface Interpretation {
  readonly name: string;
  readonly within?: Regions | undefined;
  /** Whether the area is set apart by no comma: `paris texas`. */
  readonly isAreaImplied: boolean;
}

/** `south georgia and the south sandwich islands` has seven words. */
const AREA_MAX_WORDS = 8;

/** Every meaning of `text`, in linear time. What is behind a comma is an area, and the last one may be incomplete. */
export function parsePlaceQuery(text: string, areas: AreaLookup): Interpretation[] {
  const whole: Interpretation[] = normalisations(text).map((name) => ({ name, isAreaImplied: false }));
  const splits = splitAtCommas(text);
  if (splits.length === 0) return [...whole, ...impliedAreas(text, areas)];
  const split = splits.flatMap(({ name, areas: texts }): Interpretation[] => {
    const last = texts.length - 1;
    const within = allOf(texts.map((area, index) => regionsOf(area, areas, index === last)));
    if (within === undefined) return [];
    return normalisations(name).map((front) => ({ name: front, within, isAreaImplied: false }));
  });
  return [...whole, ...split];
}

/** The ways to take a text without commas as a name followed by an area. */
export function impliedAreas(text: string, areas: AreaLookup): Interpretation[] {
  return splitAtWords(text, AREA_MAX_WORDS).flatMap(({ name, areas: [area = ''] }) => {
    const within = regionsOf(area, areas, false);
    return within === undefined ? [] : [{ name, within, isAreaImplied: true }];
  });
}

/** The regions of a text that names areas one after the other, as `tx usa` does. */
export function regionsOf(text: string, areas: AreaLookup, mayBeIncomplete: boolean): Regions | undefined {
  const called = areas.called(text);
  if (called !== undefined) return called;
  const words = text.split(' ');
  if (words.length > AREA_MAX_WORDS) return undefined;
  for (let end = words.length - 1; end > 0; end--) {
    const front = areas.called(words.slice(0, end).join(' '));
    if (front === undefined) continue;
    const rest = regionsOf(words.slice(end).join(' '), areas, mayBeIncomplete);
    if (rest !== undefined) return both(front, rest);
  }
  return mayBeIncomplete ? areas.startingWith(text) : undefined;
}

export function allOf(areas: readonly (Regions | undefined)[]): Regions | undefined {
  const [first, ...rest] = areas;
  return rest.reduce(
    (regions, area) => (regions === undefined || area === undefined ? undefined : both(regions, area)),
    first,
  );
}

function both(one: Regions, other: Regions): Regions {
  return one.map((isIn, region) => isIn & (other[region] ?? 0));
}
