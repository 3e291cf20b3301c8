import { PartnerError } from '../../contract/errors.ts';
import type { Position } from '../../contract/json/positions.ts';
import { andMore, type FieldPath, fieldName, joinedByName } from '../../contract/problems.ts';
import rules from './rules.json' with { type: 'json' };

export interface SourcePosition extends Position {
  /** Of a sheet, which has no lines: `C7`. */
  readonly cell?: string;
  /** Where another file than the listing's own has the value: a `_defaults.yaml` above it. */
  readonly file?: string;
}

export interface Fault extends SourcePosition {
  readonly rule: Rule;
  readonly message: string;
  readonly hint?: string;
  readonly path?: FieldPath;
  /** An error if absent. */
  readonly level?: Finding['level'];
}

export interface Finding extends Omit<Fault, 'path'> {
  /** As the caller named it; `stdin` for `-`. */
  readonly file: string;
  /** Of the listing, from 0. */
  readonly index: number;
  /** `questions[0].prompt`; empty where the file itself is at fault. */
  readonly field: string;
  readonly level: 'error' | 'warning';
}

/** What can be found, in the words of the reports that explain their rules (SARIF). */
export const RULES = rules;

export type Rule = keyof typeof RULES;

export function contentFault(message: string, hint: string): Fault {
  return { rule: 'file-content', message, hint, line: 1, column: 1 };
}

export function findingOf(fault: Fault, { file, index }: Pick<Finding, 'file' | 'index'>): Finding {
  return {
    file: fault.file ?? file,
    index: fault.file === undefined ? index : 0,
    line: fault.line,
    column: fault.column,
    ...(fault.cell === undefined ? {} : { cell: fault.cell }),
    field: fault.path === undefined ? '' : fieldName(fault.path),
    level: fault.level ?? 'error',
    rule: fault.rule,
    message: fault.message,
    ...(fault.hint === undefined ? {} : { hint: fault.hint }),
  };
}

/** `jobs/nurse.json:3:15`, or `jobs.xlsx C7`. */
export function placeOf(finding: Pick<Finding, 'file' | 'line' | 'column' | 'cell'>): string {
  const { file, line, column, cell } = finding;
  return cell === undefined ? `${file}:${line}:${column}` : `${file} ${cell}`;
}

export function sentence({ field, message, hint }: Pick<Finding, 'field' | 'message' | 'hint'>): string {
  return `${field === '' ? '' : `${field}: `}${message}${hint === undefined ? '' : `; ${hint}`}`;
}

/** The error for a listing that is not sent, with all errors by field: FILE_INVALID where the file cannot be read. */
export function refusal(
  findings: readonly Finding[],
  errorsOmitted = 0,
  listingFile?: string,
): PartnerError | undefined {
  const errors = findings.filter(({ level }) => level === 'error');
  const [first] = errors;
  if (first === undefined) return undefined;
  if (first.field === '') {
    const message = `${placeOf(first)}: ${first.message}${andMore(errors.length - 1)}`;
    return new PartnerError('FILE_INVALID', { message, hint: first.hint });
  }
  const file = listingFile ?? first.file;
  const isIncomplete = errors.every(({ rule }) => rule === 'incomplete');
  const what = `the listing is ${isIncomplete ? 'incomplete' : 'invalid'}${
    errorsOmitted > 0 ? `: these${andMore(errorsOmitted)}` : ''
  }`;
  return new PartnerError('VALIDATION_FAILED', {
    message: file === '' ? what : `${file}: ${what}`,
    fields: joinedByName(errors.map((error) => [error.field, withPlace(error, file)])),
  });
}

function withPlace(finding: Finding, listingFile: string): string {
  const { file, line, column, cell, message, hint } = finding;
  const inFile = file === listingFile ? (cell ?? `line ${line}, column ${column}`) : placeOf(finding);
  const place = line === 0 ? '' : ` (${inFile})`;
  return sentence({ field: '', message: message + place, ...(hint !== undefined && { hint }) });
}
