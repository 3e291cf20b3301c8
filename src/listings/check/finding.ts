import { PartnerError } from '../../contract/errors.ts';
import { andMore, type FieldPath, fieldName, joinByName } from '../../contract/problems.ts';
import { withoutUndefined } from '../../contract/values.ts';
import { formatCount } from '../../contract/words.ts';
import type { Position } from '../../json/positions.ts';
import rules from './rules.json' with { type: 'json' };

export interface SourcePosition extends Position {
  readonly cell?: string;
  readonly file?: string;
}

export interface Fault extends SourcePosition {
  readonly rule: Rule;
  readonly message: string;
  readonly hint?: string;
  readonly path?: FieldPath;
  /** Defaults to `error`. */
  readonly level?: Finding['level'];
  /** True if it's about all listings of a file. */
  readonly isOfFile?: boolean;
}

export interface Finding extends Omit<Fault, 'path' | 'isOfFile'> {
  /** Path as the user passed it, or `stdin` for `-`. */
  readonly file: string;
  readonly index: number;
  readonly field: string;
  /** Part and title of a listing in a file with several, such as `row 8 "Night nurse"`. */
  readonly listing?: string | undefined;
  readonly level: 'error' | 'warning';
}

export const RULES = rules;

export type Rule = keyof typeof RULES;

export function contentFault(message: string, hint: string): Fault {
  return { rule: 'file-content', message, hint, line: 1, column: 1 };
}

export function toFinding(
  fault: Fault,
  { file, index, label }: Pick<Finding, 'file' | 'index'> & { label?: string | undefined },
): Finding {
  const { line, column, cell, path, level = 'error', rule, message } = fault;
  const word = /^[\w./-]+$/.test(file) ? file : `'${file}'`;
  const hint = /^stdin$|['$\p{C}]/u.test(file) ? fault.hint : fault.hint?.replace('map FILE', `map ${word}`);
  const isOther = fault.file !== undefined;
  const place = { file: fault.file ?? file, index: isOther ? 0 : index, line, column, cell };
  const field = path === undefined ? '' : fieldName(path);
  const listing = isOther || fault.isOfFile ? undefined : label;
  return withoutUndefined<Finding>({ ...place, field, listing, level, rule, message, hint });
}

export function formatPosition(finding: Pick<Finding, 'file' | 'line' | 'column' | 'cell'>): string {
  const { file, line, column, cell } = finding;
  return cell === undefined ? `${file}:${line}:${column}` : `${file} ${cell}`;
}

type Wording = Pick<Finding, 'field' | 'message' | 'hint' | 'listing'>;

export function sentence({ field, message, hint, listing }: Wording): string {
  const named = listing === undefined ? message : `${message} (${listing})`;
  return `${field === '' ? '' : `${field}: `}${named}${hint === undefined ? '' : `; ${hint}`}`;
}

export function toListingError(findings: readonly Finding[], errorsOmitted = 0, listingFile?: string) {
  const errors = findings.filter(({ level }) => level === 'error');
  const [first] = errors;
  if (first === undefined) return undefined;
  if (first.field === '') {
    const message = `${formatPosition(first)}: ${first.message}${andMore(errors.length - 1)}`;
    return new PartnerError('FILE_INVALID', { message, hint: first.hint });
  }
  const file = listingFile ?? first.file;
  const kind = errors.every(({ rule }) => rule === 'incomplete') ? 'incomplete' : 'invalid';
  const what = `${kind} listing: ${formatCount(errors.length + errorsOmitted, 'problem')}`;
  return new PartnerError('VALIDATION_FAILED', {
    message: file === '' ? what : `${file}: ${what}`,
    fields: joinByName(errors.map((error) => [error.field, withPlace(error, file)])),
  });
}

function withPlace(finding: Finding, listingFile: string): string {
  const { file, line, column, cell, message, hint } = finding;
  const inFile = file === listingFile ? (cell ?? `line ${line}, column ${column}`) : formatPosition(finding);
  const place = line === 0 ? '' : ` (${inFile})`;
  return sentence({ field: '', message: message + place, ...(hint !== undefined && { hint }) });
}
