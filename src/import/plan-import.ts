import type { JobContent } from '../contract/job.ts';
import { type ListingRule, matchRules, type RuleValue } from '../listings/defaults/rules.ts';
import { yamlDocument } from '../listings/write/yaml.ts';
import { fileNames } from './file-names.ts';
import type { ImportEntry, ImportState } from './import-state.ts';
import { fileFinder, type ListingFiles, readEditable } from './listing-files.ts';
import {
  fieldComments,
  fieldLines,
  type ImportFormat,
  listFieldsToSet,
  newListing,
  toWrittenListing,
  type Yaml,
} from './listing-text.ts';
import { digestFields, type FieldDigests, mergeListing } from './merge.ts';
import type { ReadImport, SourcedPosting } from './read-import.ts';
import { IMPORTED_FIELDS, type ImportedField, type ImportedPosting } from './source-posting.ts';

export type ImportStatus =
  | 'new'
  | 'changed'
  | 'unchanged'
  /** A field changed in both the file and the source. Changes to other fields are still imported. */
  | 'conflict'
  | 'gone'
  | 'removed'
  | 'deleted'
  | 'unreadable';

export interface ImportItem {
  readonly key: string;
  readonly status: ImportStatus;
  readonly file: string;
  readonly source: string;
  readonly posting?: ImportedPosting;
  readonly changed: readonly ImportedField[];
  readonly conflicts: readonly { field: ImportedField; file: unknown; source: unknown }[];
  readonly left: readonly (keyof JobContent)[];
  /** Values that rules set when the file is read. */
  readonly ruled?: ReadonlyMap<string, RuleValue>;
  readonly isEdited: boolean;
  readonly problem?: string;
  readonly text?: string;
  readonly entry?: ImportEntry;
}

export interface ImportPlanning {
  readonly shared: Readonly<Record<string, unknown>>;
  readonly rules: readonly ListingRule[];
  readonly format: ImportFormat;
  readonly prunes: boolean;
  readonly keepsEdits: boolean;
  readonly restores: boolean;
  placeOf(text: string): number | undefined;
}

interface Planning extends ImportPlanning {
  readonly yaml: Yaml;
  readonly files: ListingFiles;
}

interface Remembered extends SourcedPosting {
  readonly ruled?: ReadonlyMap<string, RuleValue>;
  readonly digests: FieldDigests;
  readonly entry: ImportEntry | undefined;
}

/** Plans an import without changing files. A posting is gone if its source was read completely without it. */
export async function planImport(
  { postings, wholeSources }: Pick<ReadImport, 'postings' | 'wholeSources'>,
  state: ImportState,
  files: ListingFiles,
  given: ImportPlanning,
): Promise<ImportItem[]> {
  const planning: Planning = { ...given, files, yaml: await import('yaml') };
  const findFile = fileFinder(state, planning);
  const newName = fileNames(files.names);
  const items = postings.map((sourced): ImportItem => {
    const { posting, source, system } = sourced;
    const fields = digestFields(toWrittenListing(posting), given.placeOf);
    const unruled: Remembered = { ...sourced, digests: fields, entry: state.get(sourced.key) };
    const found = findFile(unruled.entry, fields);
    if (found !== undefined) return mergeItem(unruled, found, planning);
    const one = applyRules(unruled, {}, given);
    const item = buildItem(one);
    if (one.entry !== undefined && !given.restores)
      return { ...item, status: 'deleted', file: one.entry.file };
    const file = newName(posting.values.title?.value, posting.id, given.format);
    const text = newListing(one.posting, system, given.format, planning.yaml);
    return { ...item, status: 'new', file, text, entry: { source, file, fields: one.digests } };
  });
  const keys = new Set(postings.map(({ key }) => key));
  for (const [key, entry] of state) {
    const isGone = !keys.has(key) && wholeSources.has(entry.source);
    const file = isGone ? findFile(entry, entry.fields) : undefined;
    if (file !== undefined) items.push(planGoneItem(key, { ...entry, file }, planning));
  }
  return items;
}

/** Leaves out guesses that rules replace. `edits` are the user's changes in the file, which rules match too. */
function applyRules(one: Remembered, edits: object, { shared, rules }: ImportPlanning): Remembered {
  const { posting, digests } = one;
  const isTaken = (field: string) => posting.values[field as ImportedField]?.sure === 'taken';
  const ruled = matchRules(rules, { ...shared, ...toWrittenListing(posting), ...edits }, isTaken);
  const pickOthers = (fields: object) =>
    Object.fromEntries(Object.entries(fields).filter(([field]) => !ruled.has(field)));
  const valuesOfRules = Array.from(ruled, ([field, { origin }]) => [field, origin.value]);
  const given = { ...shared, ...Object.fromEntries(valuesOfRules) };
  const notes = posting.notes.filter(({ field, kind }) => kind !== 'missing' || !Object.hasOwn(given, field));
  const left = { ...posting, values: pickOthers(posting.values), notes, given };
  return { ...one, posting: left, digests: pickOthers(digests), ruled };
}

function buildItem({ key, source, posting, entry, ruled = new Map() }: Remembered, file?: object) {
  const listing: Readonly<Record<string, unknown>> = { ...(file ?? toWrittenListing(posting)) };
  const left = listFieldsToSet({ ...posting.given, ...listing });
  const used = new Map([...ruled].filter(([field]) => listing[field] === undefined));
  const common = { key, source, posting, left, ruled: used, ...(entry && { entry }) };
  return { ...common, changed: [], conflicts: [], isEdited: false };
}

function mergeItem(unruled: Remembered, file: string, planning: Planning): ImportItem {
  const { source, entry } = unruled;
  const listing = readEditable(file, planning);
  if (typeof listing === 'string')
    return { ...buildItem(applyRules(unruled, {}, planning)), status: 'unreadable', file, problem: listing };
  const own = digestFields(listing.values, planning.placeOf);
  const edited = IMPORTED_FIELDS.filter((field) => own[field] !== entry?.fields[field]);
  const edits = Object.fromEntries(edited.map((field) => [field, listing.values[field]]));
  const located = applyRules(unruled, edits, planning);
  const { posting, digests } = located;
  const sides = { base: entry?.fields, file: own, source: digests };
  // A guess that appears or disappears because of a rule isn't a change of the source.
  const keepsEdits = planning.keepsEdits || new Set(located.ruled?.keys());
  const { changed, conflicts, base, ...merge } = mergeListing(sides, keepsEdits);
  const values: Readonly<Record<string, unknown>> = toWrittenListing(posting);
  const lines = changed.length === 0 ? new Map() : fieldLines(yamlDocument(planning.yaml, values));
  const changes = changed.map((field) => ({
    field,
    value: values[field],
    lines: [...fieldComments(posting, field), ...(lines.get(field) ?? [])],
  }));
  const taken = Object.fromEntries(changes.map(({ field, value }) => [field, value]));
  return {
    ...buildItem(located, { ...listing.values, ...taken }),
    status: conflicts.length > 0 ? 'conflict' : changed.length > 0 ? 'changed' : 'unchanged',
    file,
    changed,
    conflicts: conflicts.map((field) => ({
      field,
      file: listing.values[field] ?? null,
      source: values[field] ?? null,
    })),
    isEdited: merge.edited.length > 0 || conflicts.length > 0,
    ...(changes.length > 0 && { text: listing.applyChanges(changes) }),
    entry: { source, file, fields: base },
  };
}

function planGoneItem(key: string, entry: ImportEntry, planning: Planning): ImportItem {
  const { source, file } = entry;
  const listing = readEditable(file, planning);
  const own = typeof listing === 'string' ? {} : digestFields(listing.values, planning.placeOf);
  const isEdited = IMPORTED_FIELDS.some((field) => own[field] !== entry.fields[field]);
  const common = { key, source, file, left: [], changed: [], conflicts: [], isEdited };
  return planning.prunes ? { ...common, status: 'removed' } : { ...common, status: 'gone', entry };
}
