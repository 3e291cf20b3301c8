import type { JobContent } from '../contract/job.ts';
import { yamlDocument } from '../listings/write/yaml.ts';
import { fileNames } from './file-names.ts';
import type { ImportEntry, ImportState } from './import-state.ts';
import { IMPORTED_FIELDS, type ImportedField, type ImportedPosting } from './imported-posting.ts';
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
  readonly conflicts: readonly { field: keyof JobContent; file: unknown; source: unknown }[];
  readonly left: readonly (keyof JobContent)[];
  readonly isEdited: boolean;
  readonly problem?: string;
  readonly text?: string;
  readonly entry?: ImportEntry;
}

export interface ImportPlanning {
  readonly shared: Readonly<Record<string, unknown>>;
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
    const one: Remembered = { ...sourced, digests: fields, entry: state.get(sourced.key) };
    const found = findFile(one.entry, fields);
    if (found !== undefined) return mergeItem(one, found, planning);
    const item = buildItem(one, given);
    if (one.entry !== undefined && !given.restores)
      return { ...item, status: 'deleted', file: one.entry.file };
    const file = newName(posting.values.title?.value, posting.id, given.format);
    const text = newListing(posting, system, given.format, planning.yaml);
    return { ...item, status: 'new', file, text, entry: { source, file, fields } };
  });
  const keys = new Set(postings.map(({ key }) => key));
  const gone = Array.from(state).filter(([key, entry]) => !keys.has(key) && wholeSources.has(entry.source));
  return [
    ...items,
    ...gone.flatMap(([key, entry]) => planGoneItem(key, entry, findFile(entry, entry.fields), planning)),
  ];
}

function buildItem({ key, source, posting, entry }: Remembered, { shared }: ImportPlanning) {
  const left = listFieldsToSet({ ...shared, ...toWrittenListing(posting) });
  return { key, source, posting, left, changed: [], conflicts: [], isEdited: false, ...(entry && { entry }) };
}

function mergeItem(located: Remembered, file: string, planning: Planning): ImportItem {
  const { posting, source, entry, digests } = located;
  const listing = readEditable(file, planning);
  if (typeof listing === 'string')
    return { ...buildItem(located, planning), status: 'unreadable', file, problem: listing };
  const own = digestFields(listing.values, planning.placeOf);
  const sides = { base: entry?.fields, file: own, source: digests };
  const { changed, edited, conflicts, base } = mergeListing(sides, planning.keepsEdits);
  const values: Readonly<Record<string, unknown>> = toWrittenListing(posting);
  const lines = changed.length === 0 ? new Map() : fieldLines(yamlDocument(planning.yaml, values));
  const changes = changed.map((field) => ({
    field,
    value: values[field],
    lines: [...fieldComments(posting, field), ...(lines.get(field) ?? [])],
  }));
  const taken = Object.fromEntries(changes.map(({ field, value }) => [field, value]));
  return {
    ...buildItem(located, planning),
    status: conflicts.length > 0 ? 'conflict' : changed.length > 0 ? 'changed' : 'unchanged',
    file,
    left: listFieldsToSet({ ...planning.shared, ...listing.values, ...taken }),
    changed,
    conflicts: conflicts.map((field) => ({
      field,
      file: listing.values[field] ?? null,
      source: values[field] ?? null,
    })),
    isEdited: edited.length > 0 || conflicts.length > 0,
    ...(changes.length > 0 && { text: listing.applyChanges(changes) }),
    entry: { source, file, fields: base },
  };
}

function planGoneItem(
  key: string,
  entry: ImportEntry,
  file: string | undefined,
  planning: Planning,
): ImportItem[] {
  if (file === undefined) return [];
  const listing = readEditable(file, planning);
  const own = typeof listing === 'string' ? {} : digestFields(listing.values, planning.placeOf);
  const isEdited = IMPORTED_FIELDS.some((field) => own[field] !== entry.fields[field]);
  const common = { key, source: entry.source, file, left: [], changed: [], conflicts: [], isEdited };
  if (planning.prunes) return [{ ...common, status: 'removed' }];
  return [{ ...common, status: 'gone', entry: { ...entry, file } }];
}
