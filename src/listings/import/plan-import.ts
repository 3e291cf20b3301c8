import type { JobContent } from '../../contract/job.ts';
import { yamlDocument } from '../write/yaml.ts';
import type { Yaml } from './edit-listing.ts';
import { fileNames } from './file-names.ts';
import type { ImportEntry, ImportState } from './import-state.ts';
import type { ImportedField, ImportedPosting } from './imported-posting.ts';
import { fileFinder, type ListingFiles, listingIn } from './listing-files.ts';
import { type FieldDigests, fieldDigests, IMPORTED_FIELDS, mergeListing } from './merge.ts';
import type { ReadImport, SourcedPosting } from './read-import.ts';
import {
  fieldComments,
  fieldLines,
  type ImportFormat,
  leftToPerson,
  newListing,
  valuesOf,
} from './write-listing.ts';

export type ImportStatus =
  | 'new'
  | 'changed'
  | 'unchanged'
  /** Changed in the file and in the source: what only the source has changed is taken nevertheless. */
  | 'conflict'
  /** No longer in its source. */
  | 'gone'
  | 'removed'
  /** Its file was removed by somebody, and is not written again. */
  | 'deleted'
  /** Its file cannot be changed. */
  | 'unreadable';

/** What an import does with a posting, or with the file of one that is gone. */
export interface ImportItem {
  readonly key: string;
  readonly status: ImportStatus;
  /** Relative to the directory, with `/`. */
  readonly file: string;
  readonly source: string;
  /** Undefined where the posting is gone. */
  readonly posting?: ImportedPosting;
  readonly changed: readonly ImportedField[];
  /** The value of each in the file and in the source. */
  readonly conflicts: readonly { field: keyof JobContent; file: unknown; source: unknown }[];
  /** What the file needs before it can go live. */
  readonly left: readonly (keyof JobContent)[];
  /** Whether somebody has edited what was imported. */
  readonly isEdited: boolean;
  readonly problem?: string;
  /** The file's new text; undefined where it stays as it is. */
  readonly text?: string;
  /** What is remembered from now on; undefined where nothing is. */
  readonly entry?: ImportEntry;
}

export interface ImportPlanning {
  /** What a `_defaults.yaml` gives: nobody has to decide it. */
  readonly shared: Readonly<Record<string, unknown>>;
  readonly format: ImportFormat;
  /** Removes the files of postings that are gone. */
  readonly prunes: boolean;
  /** Settles conflicts: the edits stay, and are no longer reported. */
  readonly keepsEdits: boolean;
  /** Writes files again that somebody has removed. */
  readonly restores: boolean;
  placeOf(text: string): number | undefined;
}

interface Planning extends ImportPlanning {
  readonly yaml: Yaml;
  readonly files: ListingFiles;
}

interface Remembered extends SourcedPosting {
  readonly digests: FieldDigests;
  readonly entry: ImportEntry | undefined;
}

/** What an import would do, without doing it. Only what is no longer in a source that was read whole is gone. */
export async function planImport(
  { postings, wholeSources }: Pick<ReadImport, 'postings' | 'wholeSources'>,
  state: ImportState,
  files: ListingFiles,
  given: ImportPlanning,
): Promise<ImportItem[]> {
  const planning: Planning = { ...given, files, yaml: await import('yaml') };
  const findFile = fileFinder(state, planning);
  const found = postings.map((sourced) => {
    const digests = fieldDigests(valuesOf(sourced.posting), planning.placeOf);
    const one: Remembered = { ...sourced, digests, entry: state.get(sourced.key) };
    return { one, file: findFile(one.entry, digests) };
  });
  const newName = fileNames(files.names);
  const items = found.map(({ one, file }): ImportItem => {
    const { entry, posting, source, system, digests: fields } = one;
    if (file !== undefined) return mergedItem(one, file, planning);
    if (entry !== undefined && !given.restores)
      return { ...itemOf(one, given), status: 'deleted', file: entry.file };
    const name = newName(posting.values.title?.value, posting.id, given.format);
    const text = newListing(posting, system, given.format, planning.yaml);
    return { ...itemOf(one, given), status: 'new', file: name, text, entry: { source, file: name, fields } };
  });
  const keys = new Set(postings.map(({ key }) => key));
  const gone = Array.from(state).filter(([key, entry]) => !keys.has(key) && wholeSources.has(entry.source));
  return [
    ...items,
    ...gone.flatMap(([key, entry]) => goneItem(key, entry, findFile(entry, entry.fields), planning)),
  ];
}

function itemOf({ key, source, posting, entry }: Remembered, { shared }: ImportPlanning) {
  const left = leftToPerson({ ...shared, ...valuesOf(posting) });
  return { key, source, posting, left, changed: [], conflicts: [], isEdited: false, ...(entry && { entry }) };
}

function mergedItem(located: Remembered, file: string, planning: Planning): ImportItem {
  const { posting, source, entry, digests } = located;
  const listing = listingIn(file, planning);
  if (typeof listing === 'string')
    return { ...itemOf(located, planning), status: 'unreadable', file, problem: listing };
  const own = fieldDigests(listing.values, planning.placeOf);
  const sides = { base: entry?.fields, file: own, source: digests };
  const { changed, edited, conflicts, base } = mergeListing(sides, planning.keepsEdits);
  const values: Readonly<Record<string, unknown>> = valuesOf(posting);
  const lines = changed.length === 0 ? new Map() : fieldLines(yamlDocument(planning.yaml, values));
  const changes = changed.map((field) => ({
    field,
    value: values[field],
    lines: [...fieldComments(posting, field), ...(lines.get(field) ?? [])],
  }));
  const taken = Object.fromEntries(changes.map(({ field, value }) => [field, value]));
  return {
    ...itemOf(located, planning),
    status: conflicts.length > 0 ? 'conflict' : changed.length > 0 ? 'changed' : 'unchanged',
    file,
    left: leftToPerson({ ...planning.shared, ...listing.values, ...taken }),
    changed,
    conflicts: conflicts.map((field) => ({
      field,
      file: listing.values[field] ?? null,
      source: values[field] ?? null,
    })),
    isEdited: edited.length > 0 || conflicts.length > 0,
    ...(changes.length > 0 && { text: listing.changed(changes) }),
    entry: { source, file, fields: base },
  };
}

/** Nothing where its file is gone, too. */
function goneItem(
  key: string,
  entry: ImportEntry,
  file: string | undefined,
  planning: Planning,
): ImportItem[] {
  if (file === undefined) return [];
  const listing = listingIn(file, planning);
  const own = typeof listing === 'string' ? {} : fieldDigests(listing.values, planning.placeOf);
  const isEdited = IMPORTED_FIELDS.some((field) => own[field] !== entry.fields[field]);
  const common = { key, source: entry.source, file, left: [], changed: [], conflicts: [], isEdited };
  if (planning.prunes) return [{ ...common, status: 'removed' }];
  return [{ ...common, status: 'gone', entry: { ...entry, file } }];
}
