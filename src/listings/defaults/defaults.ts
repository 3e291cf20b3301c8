import { existsSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { normalise } from '../../contract/place-names.ts';
import { isObject } from '../../contract/values.ts';
import { type Fault, findingOf } from '../check/finding.ts';
import type { Input } from '../read/bytes.ts';
import type { Entry, Listing } from '../read/listing.ts';
import { isDefaultsFile, noListing, realDirectory } from '../read/paths.ts';
import { type DefaultsFile, type MeantPlace, readDefaults } from './defaults-file.ts';

/** What the listings of a directory share, the nearest file first asked. */
export interface Defaults {
  readonly fields: Readonly<Record<string, unknown>>;
  /** By field, the file that gives it. */
  readonly sources: ReadonlyMap<string, DefaultsFile>;
  readonly places: ReadonlyMap<string, MeantPlace>;
  readonly flaws: readonly Fault[];
  /** Why one of the files cannot be read: then no listing below it is. */
  readonly fault?: Fault | undefined;
  /** By which of the fields a listing takes, so that a set has each once. */
  readonly origins: Map<string, Readonly<Record<string, string>>>;
}

/** Finds what the listings of a file share; each directory is looked at once. Throws USAGE, and what reading throws. */
export function createDefaults(input: Input) {
  const here = realDirectory('.');
  const [byFile, byDirectory] = [new Map<string, Found>(), new Map<string, Found>()];
  const inDirectory = (directory: string, shownAs: (path: string) => string): Found => {
    const before = byDirectory.get(directory);
    if (before !== undefined) return before;
    const found = (async () => {
      const upper = isTop(directory) ? undefined : await inDirectory(dirname(directory), shownAs);
      const own = await readDefaults(directory, shownAs, input);
      return own === undefined ? upper : joined(upper ?? NONE, own);
    })();
    byDirectory.set(directory, found);
    return found;
  };
  return (file: string): Found => {
    if (file === '-') return NOT_FOUND;
    if (isDefaultsFile(file)) throw noListing(file);
    const named = dirname(file);
    const before = byFile.get(named);
    if (before !== undefined) return before;
    const shownAs = (path: string): string => (isAbsolute(file) ? path : relative(here, path));
    const found = inDirectory(realDirectory(named), shownAs);
    byFile.set(named, found);
    return found;
  };
}

type Found = Promise<Defaults | undefined>;

const NOT_FOUND: Found = Promise.resolve(undefined);

/** How far up defaults are looked for: to the root of the repository or the file system, and not into `/tmp`. */
function isTop(directory: string): boolean {
  const above = dirname(directory);
  return above === directory || existsSync(join(directory, '.git')) || isForAll(above);
}

/** A directory where everybody on this machine may put a file. */
function isForAll(directory: string): boolean {
  const STICKY_AND_WRITABLE = 0o1002;
  const mode = statSync(directory, { throwIfNoEntry: false })?.mode ?? 0;
  return (mode & STICKY_AND_WRITABLE) === STICKY_AND_WRITABLE;
}

const NONE: Omit<Defaults, 'origins'> = { fields: {}, sources: new Map(), places: new Map(), flaws: [] };

function joined(upper: Omit<Defaults, 'origins'>, own: DefaultsFile | { readonly fault: Fault }): Defaults {
  if ('fault' in own) return { ...upper, fault: upper.fault ?? own.fault, origins: new Map() };
  const sources = Object.keys(own.fields).map((field) => [field, own] as const);
  return {
    fields: { ...upper.fields, ...own.fields },
    sources: new Map([...upper.sources, ...sources]),
    places: new Map([...upper.places, ...own.places]),
    flaws: [...upper.flaws, ...own.flaws],
    fault: upper.fault,
    origins: new Map(),
  };
}

/** An entry with what it shares: the fields that it does not give itself, and what is meant by its places. */
export function withDefaults(entry: Entry, defaults: Defaults, takes: 'all' | 'places' = 'all'): Entry {
  const { listing } = entry;
  if (listing === undefined || !isObject(listing.value)) return entry;
  const { file, index, value: own } = listing;
  if (defaults.fault !== undefined)
    return { finding: findingOf(defaults.fault, listing), keepsOut: { file, index } };
  const value = takes === 'all' ? { ...defaults.fields, ...own } : own;
  const places = placesMeant(value, defaults);
  const isShared = (field: string): boolean => takes === 'all' && !Object.hasOwn(own, field);
  const locate: Listing['locate'] = (path, part) => {
    const [field = '', at] = path;
    const place = field === 'locations' ? places?.get(Number(at)) : undefined;
    const source = isShared(String(field)) ? defaults.sources.get(String(field)) : undefined;
    return place?.locate() ?? (source ?? listing).locate(path, part);
  };
  return {
    listing: {
      ...listing,
      value: places === undefined ? value : { ...value, locations: meant(value.locations, places) },
      flaws: [...listing.flaws, ...defaults.flaws],
      locate,
      origins: originsOf([...defaults.sources.keys()].filter(isShared), firstOf(places), defaults),
    },
  };
}

/** By the index of a location, what is meant by its text; undefined where all mean what they say. */
function placesMeant({ locations }: Record<string, unknown>, { places }: Defaults) {
  if (places.size === 0 || !Array.isArray(locations)) return undefined;
  const found = locations.flatMap((location, index) => {
    const place = typeof location === 'string' ? places.get(normalise(location)) : undefined;
    return place === undefined ? [] : [[index, place] as const];
  });
  return found.length === 0 ? undefined : new Map(found);
}

function meant(locations: unknown, places: ReadonlyMap<number, MeantPlace>): unknown[] {
  return (locations as unknown[]).map((location, index) => places.get(index)?.text ?? location);
}

function firstOf(places: ReadonlyMap<number, MeantPlace> | undefined): string | undefined {
  const [place] = places?.values() ?? [];
  return place?.locate().file;
}

function originsOf(
  fields: readonly string[],
  placesFile: string | undefined,
  { sources, origins }: Defaults,
): Listing['origins'] {
  if (fields.length === 0 && placesFile === undefined) return undefined;
  const key = [...fields, placesFile].join('\n');
  const before = origins.get(key);
  if (before !== undefined) return before;
  const own = placesFile === undefined ? {} : { locations: placesFile };
  const shared = fields.map((field) => [field, (sources.get(field) as DefaultsFile).file]);
  const found = { ...own, ...Object.fromEntries(shared) };
  origins.set(key, found);
  return found;
}
