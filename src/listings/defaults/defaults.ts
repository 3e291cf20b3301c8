import { existsSync, lstatSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { attempt } from '../../contract/system-errors.ts';
import { isObject } from '../../contract/values.ts';
import { normalise } from '../../places/place-names.ts';
import { contentFault, type Fault, formatPosition, sentence, toFinding } from '../check/finding.ts';
import { type Input, statOrNone } from '../read/bytes.ts';
import type { Entry, Listing, MapPart, Mapping, Origin } from '../read/listing.ts';
import { DEFAULTS_FILES, isDefaultsFile, type JobFiles, noListing, realDirectory } from '../read/paths.ts';
import { readEntries } from '../read/read.ts';
import {
  type ListingRule,
  matchRules,
  type Report,
  type RuleValue,
  readPhrases,
  readRules,
  type Source,
} from './rules.ts';

/** Fields that the listings of a directory share. Files in nearer directories override others. */
export interface Defaults {
  readonly sources: ReadonlyMap<string, Source>;
  readonly places: ReadonlyMap<string, MeantPlace>;
  readonly rules: readonly ListingRule[];
  readonly department?: string | undefined;
  readonly requiredUnder?: readonly string[] | undefined;
  readonly mapping?: Mapping | undefined;
  readonly flaws: readonly Fault[];
  readonly fault?: Fault | undefined;
}

/** Finds the defaults of a file. `named` are the paths that the user passed. Throws USAGE and the errors of reading. */
export function createDefaults(input: Input, named: readonly string[] = []) {
  const isTrusted = createTrustCheck(named);
  const here = realDirectory('.');
  const known = new Map<string, Found>();
  const findOnce = (directory: string, find: () => Found): Found => {
    const found = known.get(directory) ?? find();
    known.set(directory, found);
    return found;
  };
  const findDefaults = (directory: string, shownAs: (path: string) => string): Found =>
    findOnce(directory, async () => {
      // Any user can create files in a directory such as /tmp.
      const isOpen = ((statOrNone(directory)?.mode ?? 0) & STICKY_AND_WRITABLE) === STICKY_AND_WRITABLE;
      const isTop = dirname(directory) === directory || existsSync(join(directory, '.git'));
      const upper = isOpen || isTop ? undefined : await findDefaults(dirname(directory), shownAs);
      const [path, other] = DEFAULTS_FILES.map((name) => join(directory, name)).filter(isThere);
      if (path === undefined) return upper;
      const file = shownAs(path);
      const ignored = { ...NONE, flaws: [{ ...STRANGERS, file }] };
      const own = isOpen || !isTrusted(path) ? ignored : await readDefaults(file, other, input);
      return mergeDefaults(upper ?? NONE, own);
    });
  return (file: string): Found => {
    if (file === '-') return Promise.resolve(undefined);
    if (isDefaultsFile(file)) throw noListing(file);
    const formatPath = (path: string): string => (isAbsolute(file) ? path : relative(here, path));
    return findOnce(dirname(file), () => findDefaults(realDirectory(dirname(file)), formatPath));
  };
}

type Found = Promise<Defaults | undefined>;

const STICKY_AND_WRITABLE = 0o1002;

const STRANGERS: Fault = {
  ...contentFault(
    'ignored because other users can change it',
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

const NONE: Defaults = { sources: new Map(), places: new Map(), rules: [], flaws: [] };

function mergeDefaults(upper: Defaults, own: Defaults): Defaults {
  return {
    sources: new Map([...upper.sources, ...own.sources]),
    places: new Map([...upper.places, ...own.places]),
    rules: [...own.rules, ...upper.rules],
    department: own.department ?? upper.department,
    requiredUnder: own.requiredUnder ?? upper.requiredUnder,
    mapping: mergeMappings(upper.mapping, own.mapping),
    flaws: [...upper.flaws, ...own.flaws],
    fault: upper.fault ?? own.fault,
  };
}

function mergeMappings(upper: Mapping = {}, own: Mapping = {}): Mapping {
  const merge = (part: MapPart) => new Map([...(upper[part] ?? []), ...(own[part] ?? [])]);
  return { ...upper, ...own, columns: merge('columns'), fields: merge('fields'), values: merge('values') };
}

/** Reads the listings of files with what their directories share. Throws the errors of `createDefaults` and of reading. */
export async function* readListings(
  { names, named, faults, reading }: JobFiles,
  input: Input,
  takes: Shared = 'all',
): AsyncGenerator<Entry> {
  const defaultsOf = createDefaults(input, named);
  for (const name of names) {
    const fault = faults?.get(name);
    const defaults = fault === undefined ? await defaultsOf(name) : undefined;
    if (fault !== undefined) yield { finding: toFinding(fault, { file: name, index: 0 }) };
    else if (defaults === undefined) yield* readEntries(name, input, reading);
    else
      for await (const entry of readEntries(name, input, { ...reading, mapping: defaults.mapping }))
        yield withDefaults(entry, defaults, takes);
  }
}

/** Returns the warnings about files that were ignored. */
export function listDefaultsWarnings(from: Pick<Defaults, 'flaws'> | undefined): string[] {
  const faults = from?.flaws.filter(({ level }) => level === 'warning') ?? [];
  const findings = faults.map((fault) => toFinding(fault, { file: '', index: 0 }));
  return findings.map((finding) => `${formatPosition(finding)}: ${sentence(finding)}`);
}

/** `places` skips the shared fields. */
type Shared = 'all' | 'places';

/** Adds shared fields that the entry doesn't set, and replaces its place texts. */
export function withDefaults(entry: Entry, defaults: Defaults, takes: Shared = 'all'): Entry {
  const { listing } = entry;
  if (listing === undefined || !isObject(listing.value)) return entry;
  const { file, index, value: own } = listing;
  if (defaults.fault !== undefined)
    return { finding: toFinding(defaults.fault, listing), keepsOut: { file, index } };
  const sources = takes === 'all' ? defaults.sources : NONE.sources;
  const value: Record<string, unknown> = { ...own };
  const origins: Record<string, Origin> = {};
  const addField = (field: string, given: unknown, origin: Origin): void => {
    if (Object.hasOwn(own, field)) return;
    value[field] = given;
    origins[field] = origin;
  };
  for (const [field, { fields, origin }] of sources) addField(field, fields[field], origin);
  const { department = defaults.department } = listing;
  const rules = takes === 'all' ? defaults.rules : [];
  const ruled = matchRules(rules, { ...value, department }, (field) => Object.hasOwn(own, field));
  for (const [field, { origin }] of ruled) addField(field, origin.value, origin);
  let place: MeantPlace | undefined;
  const kept = (Array.isArray(value.locations) ? value.locations : []).flatMap((given, index) => {
    const meant = typeof given === 'string' ? defaults.places.get(normalise(given)) : undefined;
    place ??= meant;
    return (meant?.texts ?? [given]).map((text) => ({ text, meant, index }));
  });
  if (place !== undefined && kept.length === 0) delete value.locations;
  else if (place !== undefined) {
    value.locations = kept.map(({ text }) => text);
    origins.locations ??= place.origin;
  }
  return {
    listing: {
      ...listing,
      country: defaults.mapping?.country,
      value,
      flaws: [...listing.flaws, ...defaults.flaws],
      locate(path, part) {
        const [field, at, ...rest] = path;
        const { meant, index = at } = (field === 'locations' && kept[Number(at)]) || {};
        const name = Object.hasOwn(own, String(field)) ? '' : String(field);
        const given = index === undefined ? path : [String(field), index, ...rest];
        return (meant ?? ruled.get(name))?.locate(part) ?? (sources.get(name) ?? listing).locate(given, part);
      },
      origins: Object.keys(origins).length === 0 ? undefined : origins,
    },
  };
}

interface MeantPlace extends RuleValue {
  /** Place names and IDs. Empty for `ignore`. */
  readonly texts: readonly string[];
}

/** `other` is a second defaults file of the directory. */
async function readDefaults(file: string, other: string | undefined, input: Input): Promise<Defaults> {
  const unfit = (message: string, hint: string) => ({
    ...NONE,
    fault: { ...contentFault(message, hint), file },
  });
  if (other !== undefined)
    return unfit(`${basename(other)} is in the same directory`, 'merge the two files into one');
  // Reading a pipe would block.
  if (statOrNone(file)?.isFile() === false) return unfit("it isn't a file", 'move or rename it');
  const listings: Listing[] = [];
  for await (const { listing, finding } of readEntries(file, input)) {
    if (finding !== undefined) return { ...NONE, fault: finding };
    if (listing.key !== undefined)
      return unfit('a key belongs to a single listing', 'set it in each listing');
    listings.push(listing);
  }
  const [only] = listings;
  if (only === undefined || listings.length > 1 || !isObject(only.value))
    return unfit(
      'it has no shared fields',
      'use one object: { "salaryPeriod": "ANNUAL", "places": { "HQ": "Austin, TX" } }',
    );
  return toDefaults(file, only.value, only);
}

/** True even for a broken link, because reading it reports the reason. */
function isThere(path: string): boolean {
  return attempt(() => lstatSync(path, { throwIfNoEntry: false })) !== undefined;
}

async function toDefaults(
  file: string,
  { places: given, rules: givenRules, requiredUnder: headings, ...others }: Record<string, unknown>,
  listing: Listing,
): Promise<Defaults> {
  const { columns, fields: names, values, headerRow, sheet, currency, country, ...fields } = others;
  const aboutFiles = { columns, fields: names, values, headerRow, sheet, currency, country };
  const locate: Source['locate'] = (path, part) => ({ ...listing.locate(path, part), file });
  const flaws: Fault[] = listing.flaws.map((flaw) => ({ ...flaw, file }));
  const places = new Map<string, MeantPlace>();
  const origin = { file };
  const report: Report = (path, message, hint, rule = 'invalid-value') =>
    flaws.push({ rule, path, message, hint, ...locate(path, rule === 'unknown-field' ? 'name' : 'value') });
  if (given !== undefined && given !== null && !isObject(given))
    report(['places'], 'must be a map of names to places', A_PLACE);
  for (const [name, place] of isObject(given) ? Object.entries(given) : []) {
    const path = ['places', name];
    const meant = place === 'ignore' ? [] : [place].flat();
    const isText = (one: unknown) =>
      typeof one === 'string' ? one.trim() !== '' : Number.isSafeInteger(one) && Number(one) > 0;
    if (!meant.every(isText)) report(path, 'must be a place ID, a name or a list of these', A_PLACE);
    else places.set(normalise(name), { texts: meant.map(String), origin, locate: () => locate(path) });
  }
  const source = { origin, fields, locate };
  const hasMapping = Object.values(aboutFiles).some((value) => value !== undefined && value !== null);
  return {
    sources: new Map(Object.keys(fields).map((field) => [field, source])),
    places,
    rules: readRules(givenRules, source, report),
    department: listing.department,
    requiredUnder: headings ? readPhrases(headings, ['requiredUnder'], A_HEADING, report) : undefined,
    mapping: hasMapping ? (await import('./mapping.ts')).readMapping(aboutFiles, report) : undefined,
    flaws,
  };
}

const A_HEADING = 'for example requiredUnder: [Requirements, Must have]';

const A_PLACE = 'for example "places": { "HQ": 4671654, "Office": "Austin, TX" }';
