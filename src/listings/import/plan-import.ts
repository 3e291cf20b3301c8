import type { JobContent } from '../../contract/job.ts';
import { yamlDocument } from '../write/yaml.ts';
import { type EditableListing, editableListing } from './edit-listing.ts';
import { FileNames } from './file-names.ts';
import type { ImportEntry, ImportState } from './import-state.ts';
import type { ImportedField, ImportedPosting } from './imported-posting.ts';
import { FileFinder, type ListingFiles } from './listing-files.ts';
import { type FieldDigests, fieldDigests, mergeListing } from './merge.ts';
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

export interface Conflict {
  readonly field: keyof JobContent;
  readonly file: unknown;
  readonly source: unknown;
}

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
  readonly conflicts: readonly Conflict[];
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
  readonly yaml: Parameters<typeof editableListing>[2];
}

/** What an import would do, without doing it. Only what is no longer in a source that was read whole is gone. */
export async function planImport(
  { postings, wholeSources }: Pick<ReadImport, 'postings' | 'wholeSources'>,
  state: ImportState,
  files: ListingFiles,
  given: ImportPlanning,
): Promise<ImportItem[]> {
  const planning: Planning = { ...given, yaml: await import('yaml') };
  const keys = new Set(postings.map(({ key }) => key));
  const found = postings.map((sourced) => {
    const digests = fieldDigests(valuesOf(sourced.posting), planning.placeOf);
    return { ...sourced, digests, entry: state.get(sourced.key) };
  });
  const finder = new FileFinder(
    state,
    files,
    planning,
    found.map(({ digests }) => digests),
  );
  const located = found.map((one) => ({ ...one, file: finder.find(one.entry, one.digests) }));
  const isNew = ({ file, entry }: (typeof located)[number]): boolean =>
    file === undefined && (entry === undefined || planning.restores);
  const titles = located.filter(isNew).map(({ posting }) => posting.values.title?.value);
  const names = new FileNames(files.names, titles);
  const items = located.map((one): ImportItem => {
    const { key, source, posting, entry, digests, file } = one;
    const left = leftToPerson(valuesOf(posting));
    const common = { key, source, posting, changed: [], conflicts: [], left, isEdited: false };
    if (file !== undefined) return { ...common, ...mergedFile(one, file, files, planning) };
    if (!isNew(one))
      return { ...common, status: 'deleted', file: entry?.file ?? '', ...(entry && { entry }) };
    const { format, yaml } = planning;
    const name = names.take(posting.values.title?.value, posting.id, format);
    const text = newListing(posting, one.system, format, yaml);
    return { ...common, status: 'new', file: name, text, entry: { source, file: name, fields: digests } };
  });
  const gone = Array.from(state).filter(([key, entry]) => !keys.has(key) && wholeSources.has(entry.source));
  return [...items, ...gone.map(([key, entry]) => goneItem(key, entry, finder, files, planning))];
}

function mergedFile(
  {
    posting,
    source,
    entry,
    digests,
  }: SourcedPosting & { entry?: ImportEntry | undefined; digests: FieldDigests },
  file: string,
  files: ListingFiles,
  planning: Planning,
): Pick<ImportItem, 'status' | 'file'> & Partial<ImportItem> {
  const listing = listingIn(file, files, planning);
  if (typeof listing === 'string') {
    return { status: 'unreadable', file, problem: listing, ...(entry && { entry }) };
  }
  const sides = {
    base: entry?.fields,
    file: fieldDigests(listing.values, planning.placeOf),
    source: digests,
  };
  const merge = mergeListing(sides, planning.keepsEdits);
  const values: Readonly<Record<string, unknown>> = valuesOf(posting);
  const lines = merge.changed.length === 0 ? new Map() : fieldLines(yamlDocument(planning.yaml, values));
  const changes = merge.changed.map((field) => ({
    field,
    value: values[field],
    lines: [...fieldComments(posting, field), ...(lines.get(field) ?? [])],
  }));
  const conflicts = merge.conflicts.map((field) => ({
    field,
    file: listing.values[field] ?? null,
    source: values[field] ?? null,
  }));
  const { changed, edited, base } = merge;
  return {
    status: conflicts.length > 0 ? 'conflict' : changed.length > 0 ? 'changed' : 'unchanged',
    file,
    changed,
    conflicts,
    left: leftToPerson({
      ...listing.values,
      ...Object.fromEntries(changes.map(({ field, value }) => [field, value])),
    }),
    isEdited: edited.length > 0 || conflicts.length > 0,
    ...(changes.length > 0 && { text: listing.changed(changes) }),
    entry: { source, file, fields: base },
  };
}

function goneItem(
  key: string,
  entry: ImportEntry,
  finder: FileFinder,
  files: ListingFiles,
  planning: Planning,
): ImportItem {
  const file = finder.find(entry, entry.fields);
  const common = { key, source: entry.source, changed: [], conflicts: [], left: [] };
  // Nothing is left of it on either side.
  if (file === undefined) return { ...common, status: 'removed', file: entry.file, isEdited: false };
  const listing = listingIn(file, files, planning);
  const isMerged =
    typeof listing !== 'string' &&
    mergeListing({
      base: entry.fields,
      file: fieldDigests(listing.values, planning.placeOf),
      source: entry.fields,
    }).edited.length === 0;
  const { prunes } = planning;
  return {
    ...common,
    file,
    status: prunes ? 'removed' : 'gone',
    isEdited: !isMerged,
    ...(prunes ? {} : { entry: { ...entry, file } }),
  };
}

function listingIn(file: string, files: ListingFiles, { yaml }: Planning): EditableListing | string {
  const content = files.read(file);
  return 'problem' in content ? content.problem : editableListing(file, content.text, yaml);
}
