import { readdirSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import { PartnerError } from '../../contract/errors.ts';
import { codeOf, reasonOf } from '../../contract/system-errors.ts';
import { readOwnFile } from '../../files/own-file.ts';
import { decodeText } from '../read/other-formats.ts';
import { editableListing, type Yaml } from './edit-listing.ts';
import type { ImportEntry, ImportState } from './import-state.ts';
import { type FieldDigests, fieldDigests } from './merge.ts';

/** The files of a directory that is imported into, by their path relative to it, with `/`. */
export interface ListingFiles {
  /** Everything in it, also what is no job file; nothing hidden. */
  readonly names: ReadonlySet<string>;
  /** A text, or why it cannot be read. */
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
    const message = `${directory} cannot be used as a directory: ${reasonOf(cause)}`;
    throw new PartnerError('USAGE', { message, hint: 'name a directory for the job files', cause });
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

/** Finds the file of a posting: where it is remembered, or by the address and the id that it was imported with. */
export class FileFinder {
  readonly #directory: Directory;
  readonly #claimed: Set<string>;
  readonly #openings = new Map<string, number>();
  #unclaimed: Map<string, string[]> | undefined;

  /** `postings` are all that are imported: an id that several share finds none of them. */
  constructor(state: ImportState, directory: Directory, postings: readonly FieldDigests[]) {
    this.#directory = directory;
    this.#claimed = new Set(Array.from(state.values(), ({ file }) => file));
    for (const { opportunityId } of postings) {
      if (opportunityId !== undefined)
        this.#openings.set(opportunityId, (this.#openings.get(opportunityId) ?? 0) + 1);
    }
  }

  find(entry: ImportEntry | undefined, { atsJobUrl, opportunityId }: FieldDigests): string | undefined {
    if (entry !== undefined && this.#directory.files.names.has(entry.file)) return entry.file;
    const isUnique = (this.#openings.get(opportunityId ?? '') ?? 0) < 2;
    return this.#only(`url ${atsJobUrl}`) ?? (isUnique ? this.#only(`id ${opportunityId}`) : undefined);
  }

  #only(sign: string): string | undefined {
    this.#unclaimed ??= this.#index();
    const [file, other] = this.#unclaimed.get(sign) ?? [];
    if (file === undefined || other !== undefined || this.#claimed.has(file)) return undefined;
    this.#claimed.add(file);
    return file;
  }

  /** The files that no posting is remembered with, by the digests of what identifies a posting. */
  #index(): Map<string, string[]> {
    const { files, yaml, placeOf } = this.#directory;
    const index = new Map<string, string[]>();
    for (const name of files.names) {
      if (this.#claimed.has(name) || !/^[^_].*\.(?:ya?ml|json|md)$/i.test(basename(name))) continue;
      const content = files.read(name);
      const listing = 'text' in content ? editableListing(name, content.text, yaml) : undefined;
      if (typeof listing !== 'object') continue;
      const { atsJobUrl, opportunityId } = fieldDigests(listing.values, placeOf);
      for (const sign of [atsJobUrl && `url ${atsJobUrl}`, opportunityId && `id ${opportunityId}`])
        if (sign) index.set(sign, [...(index.get(sign) ?? []), name]);
    }
    return index;
  }
}
