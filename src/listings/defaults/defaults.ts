import { existsSync, lstatSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { normalise } from '../../contract/place-names.ts';
import { isObject } from '../../contract/values.ts';
import { contentFault, type Fault, findingOf } from '../check/finding.ts';
import { type Input, statOrNone } from '../read/bytes.ts';
import type { Entry } from '../read/listing.ts';
import { isDefaultsFile, noListing, realDirectory } from '../read/paths.ts';
import { type DefaultsFile, type MeantPlace, readDefaults } from './defaults-file.ts';

/** What the listings of a directory share, the nearest file first asked. */
export interface Defaults {
  /** By field, the file that gives it. */
  readonly sources: ReadonlyMap<string, DefaultsFile>;
  readonly places: ReadonlyMap<string, MeantPlace>;
  readonly flaws: readonly Fault[];
  /** Why one of the files cannot be read: then no listing below it is. */
  readonly fault?: Fault | undefined;
}

/**
 * Finds what the listings of a file share; each directory is looked at once. `named` are the paths that the user passed.
 * Throws USAGE, and what reading throws.
 */
export function createDefaults(input: Input, named: readonly string[] = []) {
  const isTrusted = trustIn(named);
  const here = realDirectory('.');
  const [byFile, byDirectory] = [new Map<string, Found>(), new Map<string, Found>()];
  const inDirectory = (directory: string, shownAs: (path: string) => string): Found => {
    const before = byDirectory.get(directory);
    if (before !== undefined) return before;
    const found = (async () => {
      const isOpen = isForAll(directory);
      const upper = isOpen || isTop(directory) ? undefined : await inDirectory(dirname(directory), shownAs);
      const own = await readDefaults(directory, shownAs, input);
      if (own === undefined) return upper;
      const file = ('fault' in own ? own.fault.file : own.file) ?? '';
      const counts = !isOpen && isTrusted(join(directory, basename(file)));
      return joined(upper ?? NONE, counts ? own : { ignored: { ...STRANGERS, file } });
    })();
    byDirectory.set(directory, found);
    return found;
  };
  return (file: string): Found => {
    if (file === '-') return NOT_FOUND;
    if (isDefaultsFile(file)) throw noListing(file);
    const directory = dirname(file);
    const before = byFile.get(directory);
    if (before !== undefined) return before;
    const shownAs = (path: string): string => (isAbsolute(file) ? path : relative(here, path));
    const found = inDirectory(realDirectory(directory), shownAs);
    byFile.set(directory, found);
    return found;
  };
}

type Found = Promise<Defaults | undefined>;

const NOT_FOUND: Found = Promise.resolve(undefined);

/** True at the root of a repository or of the file system. */
function isTop(directory: string): boolean {
  return dirname(directory) === directory || existsSync(join(directory, '.git'));
}

const STICKY_AND_WRITABLE = 0o1002;

/** True for a directory like `/tmp`: a file in it may be anybody's. */
function isForAll(directory: string): boolean {
  const mode = statOrNone(directory)?.mode ?? 0;
  return (mode & STICKY_AND_WRITABLE) === STICKY_AND_WRITABLE;
}

const STRANGERS: Fault = {
  ...contentFault(
    'ignored, because another user can write it',
    'check it, then make it and its directory yours alone (`chown`, `chmod o-w`), or pass its directory as the path',
  ),
  level: 'warning',
};

/**
 * Whether only somebody who could change the listings themselves wrote a file: this user, root, or an owner of what the
 * user passed. In a directory that was passed, every file counts, as its listings do.
 */
function trustIn(named: readonly string[]): (path: string) => boolean {
  const user = process.getuid?.();
  const directories = named.map((path) => join(realDirectory(path), sep));
  const owners = new Set([0, user, ...named.map((path) => statOrNone(path)?.uid)]);
  return (path) => {
    if (user === undefined || directories.some((directory) => path.startsWith(directory))) return true;
    const directory = statOrNone(dirname(path));
    const found = [lstatSync(path), statOrNone(path), directory];
    return (
      ((directory?.mode ?? 0) & 0o2) === 0 && found.every((one) => one === undefined || owners.has(one.uid))
    );
  };
}

const NONE: Defaults = { sources: new Map(), places: new Map(), flaws: [] };

type Own = DefaultsFile | { readonly fault: Fault } | { readonly ignored: Fault };

function joined(upper: Defaults, own: Own): Defaults {
  if ('ignored' in own) return { ...upper, flaws: [...upper.flaws, own.ignored] };
  if ('fault' in own) return { ...upper, fault: upper.fault ?? own.fault };
  const sources = Object.keys(own.fields).map((field) => [field, own] as const);
  return {
    ...upper,
    sources: new Map([...upper.sources, ...sources]),
    places: new Map([...upper.places, ...own.places]),
    flaws: [...upper.flaws, ...own.flaws],
  };
}

/** An entry with what it shares: the fields that it does not give itself, and what is meant by its places. */
export function withDefaults(entry: Entry, defaults: Defaults, takes: 'all' | 'places' = 'all'): Entry {
  const { listing } = entry;
  if (listing === undefined || !isObject(listing.value)) return entry;
  const { file, index, value: own } = listing;
  if (defaults.fault !== undefined)
    return { finding: findingOf(defaults.fault, listing), keepsOut: { file, index } };
  const sources = takes === 'all' ? defaults.sources : NONE.sources;
  const value: Record<string, unknown> = { ...own };
  const origins: Record<string, string> = {};
  for (const [field, source] of sources) {
    if (Object.hasOwn(own, field)) continue;
    value[field] = source.fields[field];
    origins[field] = source.file;
  }
  const texts = Array.isArray(value.locations) ? value.locations : [];
  const places = texts.map((text) => meantBy(text, defaults));
  const place = places.find((one) => one !== undefined);
  if (place !== undefined) {
    value.locations = texts.map((text, at) => places[at]?.text ?? text);
    origins.locations ??= place.file;
  }
  return {
    listing: {
      ...listing,
      value,
      flaws: [...listing.flaws, ...defaults.flaws],
      locate(path, part) {
        const [field, at] = path;
        const meant = field === 'locations' ? places[Number(at)] : undefined;
        const source = Object.hasOwn(own, String(field)) ? undefined : sources.get(String(field));
        return meant?.locate() ?? (source ?? listing).locate(path, part);
      },
      origins: Object.keys(origins).length === 0 ? undefined : origins,
    },
  };
}

function meantBy(location: unknown, { places }: Defaults): MeantPlace | undefined {
  return typeof location === 'string' ? places.get(normalise(location)) : undefined;
}
