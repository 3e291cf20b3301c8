import { readdirSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import { PartnerError } from '../../contract/errors.ts';
import { codeOf, reasonOf, systemError } from '../../contract/system-errors.ts';
import { readOwnFile } from '../../files/own-file.ts';
import { decodeText } from '../read/other-formats.ts';
import { type EditableListing, editableListing, type Yaml } from './edit-listing.ts';
import type { ImportEntry, ImportState } from './import-state.ts';
import { type FieldDigests, fieldDigests } from './merge.ts';

/** The files of a directory that is imported into, by their path relative to it, with `/`. */
export interface ListingFiles {
  /** Everything in it, also what is no job file; nothing hidden. */
  readonly names: ReadonlySet<string>;
  read(name: string): { readonly text: string } | { readonly problem: string };
}

/** A directory that is not there has no files. Throws USAGE for what is no directory. */
export function listingFiles(directory: string): ListingFiles {
  return {
    names: new Set(namesIn(directory)),
    read(name) {
      try {
        const bytes = readOwnFile(join(directory, name));
        const reading = decodeText(bytes ?? new Uint8Array());
        return 'text' in reading ? reading : { problem: reading.fault.message };
      } catch (error) {
        return { problem: error instanceof PartnerError ? error.message : reasonOf(error) };
      }
    },
  };
}

function namesIn(directory: string): string[] {
  try {
    const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
    const paths = entries.map(({ parentPath, name }) => relative(directory, join(parentPath, name)));
    const shown = paths.map((path) => path.split(sep)).filter((steps) => !steps.some(isHidden));
    return shown.map((steps) => steps.join('/')).sort();
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return [];
    const what = `${directory} cannot be used as a directory`;
    throw systemError(cause, 'USAGE', what, 'name a directory for the job files');
  }
}

function isHidden(name: string): boolean {
  return name.startsWith('.') || name === 'node_modules';
}

interface Directory {
  readonly files: ListingFiles;
  readonly yaml: Yaml;
  placeOf(text: string): number | undefined;
}

export function listingIn(file: string, { files, yaml }: Directory): EditableListing | string {
  const content = files.read(file);
  return 'problem' in content ? content.problem : editableListing(file, content.text, yaml);
}

/** Finds the file of a posting: where it is remembered, else the only one that has its address, or its id if it has none. */
export function fileFinder(state: ImportState, directory: Directory) {
  const { files, placeOf } = directory;
  const claimed = new Set(Array.from(state.values(), ({ file }) => file));
  const unclaimed = (): Map<string, string[]> => {
    const index = new Map<string, string[]>();
    for (const name of files.names) {
      if (claimed.has(name) || !/^[^_].*\.(?:ya?ml|json|md)$/i.test(basename(name))) continue;
      const listing = listingIn(name, directory);
      const sign = typeof listing === 'string' ? undefined : signOf(fieldDigests(listing.values, placeOf));
      if (sign !== undefined) index.set(sign, [...(index.get(sign) ?? []), name]);
    }
    return index;
  };
  let index: Map<string, string[]> | undefined;
  return (entry: ImportEntry | undefined, digests: FieldDigests): string | undefined => {
    if (entry !== undefined && files.names.has(entry.file)) return entry.file;
    index ??= unclaimed();
    const [file, other] = index.get(signOf(digests) ?? '') ?? [];
    if (file === undefined || other !== undefined || claimed.has(file)) return undefined;
    claimed.add(file);
    return file;
  };
}

function signOf({ atsJobUrl, opportunityId }: FieldDigests): string | undefined {
  return atsJobUrl ?? opportunityId;
}
