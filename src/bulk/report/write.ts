import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Streams } from '../../cli/terminal/streams.ts';
import { PartnerError } from '../../contract/errors.ts';
import { escapedJson } from '../../contract/outside-text.ts';
import { systemError } from '../../contract/system-errors.ts';
import { tried } from '../../contract/tried.ts';
import { appendOwnFile, replaceFile } from '../../files/own-file.ts';
import { pathScope } from '../../listings/read/paths.ts';
import { isPlainMarkdown } from '../../listings/read/unknown-files.ts';
import type { ReportTarget, RunReport } from './flag.ts';
import { renderGithubRun } from './github.ts';
import { renderJunitRun } from './junit.ts';
import { renderMarkdownRun } from './markdown.ts';
import type { BulkRun } from './run.ts';
import { runJson } from './values.ts';

const RENDERERS: Readonly<Record<RunReport, (run: BulkRun) => string>> = {
  json: (run) => escapedJson(runJson(run)),
  junit: renderJunitRun,
  github: renderGithubRun,
  markdown: renderMarkdownRun,
};

export function renderReport(format: RunReport, run: BulkRun): string {
  return `${RENDERERS[format](run).trimEnd()}\n`;
}

const HINT = 'look at its path, its permissions and the disk; what was applied is done and recorded';

/**
 * Without a file, `github` goes to stderr, which GitHub reads too. Several commands write to the file GITHUB_STEP_SUMMARY,
 * and so a report is added to it. Throws OUTPUT_UNWRITABLE after all were tried.
 */
export async function writeReports(
  targets: readonly ReportTarget[],
  run: BulkRun,
  { writeErr }: Pick<Streams, 'writeErr'>,
  stepSummary?: string,
): Promise<void> {
  const failures: PartnerError[] = [];
  for (const { format, file } of targets) {
    const text = renderReport(format, run);
    if (file === undefined) {
      await writeErr(text, 'runner-commands');
      continue;
    }
    try {
      if (stepSummary && resolve(stepSummary) === resolve(file)) appendOwnFile(file, `\n${text}`);
      else replaceFile(file, text, { replacesLink: true });
    } catch (error) {
      failures.push(systemError(error, 'OUTPUT_UNWRITABLE', `the report ${file} cannot be written`, HINT));
    }
  }
  const [first] = failures;
  if (first !== undefined) throw first;
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

/** Whether the report of a failed run can be written and does not lie among the job files. */
export async function canBeWritten(target: ReportTarget, paths: readonly string[]): Promise<boolean> {
  try {
    checkReports([target]);
  } catch {
    return false;
  }
  const { file } = target;
  if (file === undefined) return true;
  // One of the paths may be what failed.
  const scopes = await Promise.allSettled(paths.map((path) => pathScope([path])));
  return (
    !scopes.some((scope) => scope.status === 'fulfilled' && scope.value.covers(file)) || isPlainMarkdown(file)
  );
}

/** Throws USAGE for a file to be written that these paths cover: it would replace a job file, or be read as one. */
export async function assertOutsideSet(
  files: readonly (string | undefined)[],
  paths: readonly string[],
): Promise<void> {
  const named = files.filter((file) => file !== undefined);
  if (named.length === 0) return;
  const { covers } = await pathScope(paths);
  const inside = named.find((file) => covers(file) && !isPlainMarkdown(file));
  if (inside === undefined) return;
  throw new PartnerError('USAGE', {
    message: `${inside} would lie among the job files, and be taken for one by the next run`,
    hint: 'name a file outside of the paths, or of an ending that no job file has',
  });
}

function isDirectory(path: string): boolean {
  return tried(() => statSync(path).isDirectory()) === true;
}

function unwritable(file: string, why: string, hint: string): PartnerError {
  return new PartnerError('USAGE', { message: `the report ${file} cannot be written: ${why}`, hint });
}
