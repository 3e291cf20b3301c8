import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { PartnerError } from '../../contract/errors.ts';
import { reasonOf } from '../../contract/system-errors.ts';
import { appendOwnFile, replaceFile } from '../../files/own-file.ts';
import type { ReportTarget } from './flag.ts';
import { renderReport } from './render.ts';
import type { BulkRun } from './run.ts';

export interface ReportWriting {
  /** Writes to stderr. */
  readonly writeErr: (text: string, verbatim: 'runner-commands') => Promise<void>;
  /** The value of GITHUB_STEP_SUMMARY: a file that several commands write to, and so is added to. */
  readonly stepSummary?: string | undefined;
}

/** Throws USAGE where a report cannot be written, before there is anything to report. */
export function checkReports(targets: readonly ReportTarget[]): void {
  for (const { file } of targets) {
    if (file === undefined) continue;
    const directory = dirname(resolve(file));
    if (!isDirectory(directory)) {
      throw unwritable(file, 'there is no such directory', `make it first: \`mkdir -p ${dirname(file)}\``);
    }
    if (isDirectory(file)) throw unwritable(file, 'it is a directory', 'name a file in it');
  }
}

/** Whether a report can be written, as far as that can be seen before. */
export function canBeWritten(target: ReportTarget): boolean {
  try {
    checkReports([target]);
    return true;
  } catch {
    return false;
  }
}

/**
 * Writes the reports of a run: each file whole or not at all. Without a file, `github` goes to stderr, which
 * GitHub reads for annotations just as stdout, and stdout keeps the result alone. Throws OUTPUT_UNWRITABLE
 * after it has tried all of them.
 */
export async function writeReports(
  targets: readonly ReportTarget[],
  run: BulkRun,
  { writeErr, stepSummary }: ReportWriting,
): Promise<void> {
  const failures: PartnerError[] = [];
  for (const { format, file } of targets) {
    const text = renderReport(format, run);
    if (file === undefined) {
      await writeErr(text, 'runner-commands');
      continue;
    }
    try {
      writeReport(file, text, stepSummary);
    } catch (error) {
      failures.push(failed(file, error));
    }
  }
  const [first] = failures;
  if (first !== undefined) throw first;
}

function writeReport(file: string, text: string, stepSummary: string | undefined): void {
  const isSummary = stepSummary !== undefined && stepSummary !== '' && resolve(stepSummary) === resolve(file);
  if (isSummary) appendOwnFile(file, `\n${text}`);
  else replaceFile(file, text, { replacesLink: true });
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function unwritable(file: string, why: string, hint: string): PartnerError {
  return new PartnerError('USAGE', { message: `the report ${file} cannot be written: ${why}`, hint });
}

function failed(file: string, cause: unknown): PartnerError {
  if (cause instanceof PartnerError) return cause;
  return new PartnerError('OUTPUT_UNWRITABLE', {
    message: `the report ${file} cannot be written: ${reasonOf(cause)}`,
    hint: 'look at its path, its permissions and the disk; what was applied is done and recorded',
    cause,
  });
}
