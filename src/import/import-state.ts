import { dirname, join } from 'node:path';
import * as z from 'zod';
import { PartnerError } from '../contract/errors.ts';
import { readOwnText, refuseLink } from '../files/own-file.ts';
import { readJson } from '../listings/read/json.ts';
import { formatEntries } from '../text/outside-text.ts';
import { IMPORTED_FIELDS } from './source-posting.ts';

const VERSION = 1;

const RESTORE =
  "restore it from version control, or remove it. The next import then matches files by opportunityId and atsJobUrl, and doesn't change fields that differ";

const Entry = z.strictObject({
  source: z.string(),
  file: z.string().refine(isInside, 'must be a file in the directory'),
  /** Digests of the source's fields when the file last matched it. */
  fields: z.partialRecord(z.enum(IMPORTED_FIELDS), z.string()),
});

export type ImportEntry = z.infer<typeof Entry>;

export type ImportState = ReadonlyMap<string, ImportEntry>;

const StateFile = z.strictObject({
  version: z.literal(VERSION, `must be ${VERSION}: a newer release may have written the file`),
  postings: z.record(z.string(), Entry),
});

export function importStatePath(directory: string): string {
  return join(directory, '.partner', 'import.json');
}

/** Undefined if there's no state file. Throws STATE_UNUSABLE if it's damaged, and the errors of `readOwnText`. */
export function readImportState(directory: string): ImportState | undefined {
  const path = importStatePath(directory);
  refuseLink(dirname(path));
  const text = readOwnText(path, path, 'check its permissions, and that its parent is a directory');
  if (text === undefined) return undefined;
  const reading = readJson(text);
  if (!reading.ok) throw createDamageError(path, reading.fault.line, reading.fault.message);
  const { value, locate } = reading.document;
  const { success, data, error } = StateFile.safeParse(value);
  if (success) return new Map(Object.entries(data.postings));
  const [issue] = error.issues;
  const at = (issue?.path ?? []).map(String);
  throw createDamageError(path, locate(at).line, `${at.at(-1) ?? 'it'}: ${issue?.message}`);
}

export function importStateText(state: ImportState): string {
  const postings = formatEntries(state, ({ source, file, fields }) => {
    const digests = IMPORTED_FIELDS.flatMap((field) => (fields[field] ? [[field, fields[field]]] : []));
    return JSON.stringify({ source, file, fields: Object.fromEntries(digests) });
  });
  return `{\n  "version": ${VERSION},\n  "postings": ${postings}\n}\n`;
}

function createDamageError(path: string, line: number, message: string): PartnerError {
  return new PartnerError('STATE_UNUSABLE', { message: `${path}, line ${line}: ${message}`, hint: RESTORE });
}

/** A repository can contain a state file, which must not refer to files outside the directory. */
function isInside(file: string): boolean {
  const steps = file.split('/');
  return !/[\\\0:]/.test(file) && steps.every((step) => step !== '' && step !== '.' && step !== '..');
}
