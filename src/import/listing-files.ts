import { readdirSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import { PartnerError } from '../contract/errors.ts';
import { getErrorCode, getErrorReason, systemError } from '../contract/system-errors.ts';
import { readOwnFile } from '../files/own-file.ts';
import { decodeText } from '../listings/read/other-formats.ts';
import { groupBy } from '../text/group-by.ts';
import type { ImportEntry, ImportState } from './import-state.ts';
import { type EditableListing, editableListing, type Yaml } from './listing-text.ts';
import { digestFields, type FieldDigests } from './merge.ts';

export type ListingFiles = ReturnType<typeof listingFiles>;

/** A missing directory counts as empty. Throws USAGE if the path isn't a directory. */
export function listingFiles(directory: string) {
  return {
    names: new Set(listFileNames(directory)),
    read(name: string) {
      try {
        const reading = decodeText(readOwnFile(join(directory, name)) ?? new Uint8Array());
        return 'text' in reading ? reading : { problem: reading.fault.message };
      } catch (error) {
        return { problem: error instanceof PartnerError ? error.message : getErrorReason(error) };
      }
    },
  };
}

function listFileNames(directory: string): string[] {
  try {
    const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
    const paths = entries.map(({ parentPath, name }) => relative(directory, join(parentPath, name)));
    const shown = paths.map((path) => path.split(sep)).filter((steps) => !steps.some(isHidden));
    return shown.map((steps) => steps.join('/')).sort();
  } catch (cause) {
    if (getErrorCode(cause) === 'ENOENT') return [];
    const what = `can't use ${directory} as a directory`;
    throw systemError(cause, 'USAGE', what, 'pass a directory for the job files');
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

export function readEditable(file: string, { files, yaml }: Directory): EditableListing | string {
  const content = files.read(file);
  return 'problem' in content ? content.problem : editableListing(file, content.text, yaml);
}

/** Finds a posting's file by state. Otherwise finds the only file with its URL, or with its ID if it has no URL. */
export function fileFinder(state: ImportState, directory: Directory) {
  const { files, placeOf } = directory;
  const claimed = new Set(Array.from(state.values(), ({ file }) => file));
  const isOpen = (name: string) => !claimed.has(name) && /^[^_].*\.(?:ya?ml|json|md)$/i.test(basename(name));
  const readSign = (name: string) => {
    const listing = readEditable(name, directory);
    return typeof listing === 'string' ? undefined : getSign(digestFields(listing.values, placeOf));
  };
  let index: Map<string | undefined, string[]> | undefined;
  return (entry: ImportEntry | undefined, digests: FieldDigests): string | undefined => {
    if (entry !== undefined && files.names.has(entry.file)) return entry.file;
    index ??= groupBy([...files.names].filter(isOpen), readSign);
    const [file, other] = index.get(getSign(digests) ?? '') ?? [];
    if (file === undefined || other !== undefined || claimed.has(file)) return undefined;
    claimed.add(file);
    return file;
  };
}

function getSign({ atsJobUrl, opportunityId }: FieldDigests): string | undefined {
  return atsJobUrl ?? opportunityId;
}
