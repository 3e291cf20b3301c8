import { dirname, join } from 'node:path';
import * as z from 'zod';
import { PartnerError } from '../../contract/errors.ts';
import { readOwnText, refuseLink } from '../../files/own-file.ts';
import { readJson } from '../read/json.ts';
import { IMPORTED_FIELDS } from './merge.ts';

const VERSION = 1;

const RESTORE =
  'restore it from version control, or remove it: the next import then finds its files by their opportunityId and atsJobUrl, and changes nothing that differs';

const Entry = z.strictObject({
  source: z.string(),
  /** Relative to the directory, with `/`. */
  file: z.string().refine(isInside, 'must be a file in the directory'),
  /** What the source said when the file was last in step with it: digests. */
  fields: z.partialRecord(z.enum(IMPORTED_FIELDS), z.string()),
});

export type ImportEntry = z.infer<typeof Entry>;

export type ImportState = ReadonlyMap<string, ImportEntry>;

const StateFile = z.strictObject({
  version: z.literal(VERSION, `this release knows ${VERSION}; a newer one may have written it`),
  postings: z.record(z.string(), Entry),
});

export function importStatePath(directory: string): string {
  return join(directory, '.partner', 'import.json');
}

/** Undefined where there is none. Throws STATE_UNUSABLE for a damaged one, and what `readOwnText` throws. */
export function readImportState(directory: string): ImportState | undefined {
  const path = importStatePath(directory);
  refuseLink(dirname(path));
  const text = readOwnText(path, path, 'check its permissions, and that the directory is one');
  if (text === undefined) return undefined;
  const reading = readJson(text);
  if (!reading.ok) throw damaged(path, reading.fault.line, reading.fault.message);
  const { value, locate } = reading.document;
  const { success, data, error } = StateFile.safeParse(value);
  if (success) return new Map(Object.entries(data.postings));
  const [issue] = error.issues;
  const at = (issue?.path ?? []).map(String);
  throw damaged(path, locate(at).line, `${at.at(-1) ?? 'it'}: ${issue?.message}`);
}

/** One posting a line, by code unit, so that git merges two branches line by line. */
export function importStateText(state: ImportState): string {
  const lines = [...state]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, { source, file, fields }]) => {
      const digests = IMPORTED_FIELDS.flatMap((field) => (fields[field] ? [[field, fields[field]]] : []));
      const entry = { source, file, fields: Object.fromEntries(digests) };
      return `    ${JSON.stringify(key)}: ${JSON.stringify(entry)}`;
    });
  const postings = lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n  }`;
  return `{\n  "version": ${VERSION},\n  "postings": ${postings}\n}\n`;
}

function damaged(path: string, line: number, message: string): PartnerError {
  return new PartnerError('STATE_UNUSABLE', { message: `${path}, line ${line}: ${message}`, hint: RESTORE });
}

/** A state comes with a repository: it must not name files elsewhere. */
function isInside(file: string): boolean {
  const steps = file.split('/');
  return !/[\\\0:]/.test(file) && steps.every((step) => step !== '' && step !== '.' && step !== '..');
}
