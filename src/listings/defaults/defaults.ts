import { existsSync, lstatSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import type { FieldPath } from '../../contract/problems.ts';
import { attempt } from '../../contract/system-errors.ts';
import { isObject } from '../../contract/values.ts';
import { normalise } from '../../places/place-names.ts';
import {
  contentFault,
  type Fault,
  formatPosition,
  type SourcePosition,
  sentence,
  toFinding,
} from '../check/finding.ts';
import { type Input, statOrNone } from '../read/bytes.ts';
import type { Entry, ListingDocument } from '../read/listing.ts';
import { DEFAULTS_FILES, isDefaultsFile, noListing, realDirectory } from '../read/paths.ts';
import { readEntries } from '../read/read.ts';

/** Fields that the listings of a directory share. Files in nearer directories override others. */
export interface Defaults {
  readonly sources: ReadonlyMap<string, DefaultsFile>;
  readonly places: ReadonlyMap<string, MeantPlace>;
  readonly flaws: readonly Fault[];
  readonly fault?: Fault | undefined;
}

/** Finds the defaults of a file. `named` are the paths that the user passed. Throws USAGE and the errors of reading. */
export function createDefaults(input: Input, named: readonly string[] = []) {
  const isTrusted = createTrustCheck(named);
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
      return mergeDefaults(upper ?? NONE, counts ? own : { ignored: { ...STRANGERS, file } });
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
    const formatPath = (path: string): string => (isAbsolute(file) ? path : relative(here, path));
    const found = inDirectory(realDirectory(directory), formatPath);
    byFile.set(directory, found);
    return found;
  };
}

type Found = Promise<Defaults | undefined>;

const NOT_FOUND: Found = Promise.resolve(undefined);

function isTop(directory: string): boolean {
  return dirname(directory) === directory || existsSync(join(directory, '.git'));
}

const STICKY_AND_WRITABLE = 0o1002;

/** True for a directory such as `/tmp`, where any user can create files. */
function isForAll(directory: string): boolean {
  const mode = statOrNone(directory)?.mode ?? 0;
  return (mode & STICKY_AND_WRITABLE) === STICKY_AND_WRITABLE;
}

const STRANGERS: Fault = {
  ...contentFault(
    'ignored because another user can write it',
    'check it, then restrict it and its directory to your user (`chown`, `chmod o-w`), or pass its directory as the path',
  ),
  level: 'warning',
};

/**
 * Trusts every file in a directory that the user passed. Elsewhere, the file and its directory must belong to root, the
 * user or an owner of a passed path. Other users must not have write access to the directory.
 */
function createTrustCheck(named: readonly string[]): (path: string) => boolean {
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

function mergeDefaults(upper: Defaults, own: Own): Defaults {
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

export function listDefaultsWarnings(defaults: Defaults | undefined): string[] {
  const faults = defaults?.flaws.filter(({ level }) => level === 'warning') ?? [];
  const findings = faults.map((fault) => toFinding(fault, { file: '', index: 0 }));
  return findings.map((finding) => `${formatPosition(finding)}: ${sentence(finding)}`);
}

/** Adds shared fields that the entry doesn't set, and replaces its place texts. `places` skips the shared fields. */
export function withDefaults(entry: Entry, defaults: Defaults, takes: 'all' | 'places' = 'all'): Entry {
  const { listing } = entry;
  if (listing === undefined || !isObject(listing.value)) return entry;
  const { file, index, value: own } = listing;
  if (defaults.fault !== undefined)
    return { finding: toFinding(defaults.fault, listing), keepsOut: { file, index } };
  const sources = takes === 'all' ? defaults.sources : NONE.sources;
  const value: Record<string, unknown> = { ...own };
  const origins: Record<string, string> = {};
  for (const [field, source] of sources) {
    if (Object.hasOwn(own, field)) continue;
    value[field] = source.fields[field];
    origins[field] = source.file;
  }
  const texts = Array.isArray(value.locations) ? value.locations : [];
  const places = texts.map((text) => findMeantPlace(text, defaults));
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

function findMeantPlace(location: unknown, { places }: Defaults): MeantPlace | undefined {
  return typeof location === 'string' ? places.get(normalise(location)) : undefined;
}

export interface DefaultsFile {
  readonly file: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly places: ReadonlyMap<string, MeantPlace>;
  readonly flaws: readonly Fault[];
  locate(path: FieldPath, part?: 'value' | 'name'): SourcePosition;
}

interface MeantPlace {
  readonly text: string;
  readonly file: string;
  locate(): SourcePosition;
}

async function readDefaults(
  directory: string,
  shownAs: (path: string) => string,
  input: Input,
): Promise<DefaultsFile | { readonly fault: Fault } | undefined> {
  const [path, other] = DEFAULTS_FILES.map((name) => join(directory, name)).filter(isThere);
  if (path === undefined) return undefined;
  const file = shownAs(path);
  const unfit = (message: string, hint: string) => ({ fault: { ...contentFault(message, hint), file } });
  if (other !== undefined)
    return unfit(`${basename(other)} is in the same directory`, 'merge the two files into one');
  // Reading a pipe would block.
  if (statOrNone(path)?.isFile() === false) return unfit("it isn't a file", 'move or rename it');
  const documents: ListingDocument[] = [];
  for await (const { listing, finding } of readEntries(file, input)) {
    if (finding !== undefined) return { fault: finding };
    if (listing.key !== undefined)
      return unfit('a key belongs to a single listing', 'set it in each listing');
    documents.push({ flawsOmitted: 0, ...listing });
  }
  const [only] = documents;
  if (only === undefined || documents.length > 1 || !isObject(only.value))
    return unfit(
      'it has no shared fields',
      'use one object: { "salaryPeriod": "ANNUAL", "places": { "HQ": "Austin, TX" } }',
    );
  return toDefaultsFile(file, only.value, only);
}

/** True even for a broken link, because reading it reports the reason. */
function isThere(path: string): boolean {
  return attempt(() => lstatSync(path, { throwIfNoEntry: false })) !== undefined;
}

function toDefaultsFile(
  file: string,
  { places: given, ...fields }: Record<string, unknown>,
  document: ListingDocument,
): DefaultsFile {
  const locate: DefaultsFile['locate'] = (path, part) => ({ ...document.locate(path, part), file });
  const flaws: Fault[] = document.flaws.map((flaw) => ({ ...flaw, file }));
  const places = new Map<string, MeantPlace>();
  const isWrong = (path: FieldPath, message: string) =>
    flaws.push({ rule: 'invalid-value', path, message, hint: A_PLACE, ...locate(path), file });
  if (given !== undefined && given !== null && !isObject(given))
    isWrong(['places'], 'must be a map of names to places');
  for (const [name, place] of isObject(given) ? Object.entries(given) : []) {
    const path = ['places', name];
    const isId = Number.isSafeInteger(place) && Number(place) > 0;
    if (!isId && (typeof place !== 'string' || place.trim() === ''))
      isWrong(path, 'must be a place ID or name');
    else places.set(normalise(name), { text: String(place), file, locate: () => locate(path) });
  }
  return { file, fields, places, flaws, locate };
}

const A_PLACE = 'for example "places": { "HQ": 4671654, "Office": "Austin, TX" }';
