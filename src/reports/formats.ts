import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Streams } from '../cli/terminal/streams.ts';
import { PartnerError } from '../contract/errors.ts';
import { attempt, systemError } from '../contract/system-errors.ts';
import { appendOwnFile, replaceFile } from '../files/own-file.ts';
import { statOrNone } from '../listings/read/bytes.ts';
import { isPlainMarkdown } from '../listings/read/formats.ts';
import { pathScope } from '../listings/read/paths.ts';
import { nearest } from '../text/nearest.ts';
import { formatJson } from '../text/outside-text.ts';
import examples from './examples.json' with { type: 'json' };
import { renderGithub } from './github.ts';
import { runJson } from './json.ts';
import { renderJunit } from './junit.ts';
import { renderMarkdown } from './markdown.ts';
import type { Run } from './run.ts';
import { renderSarif } from './sarif.ts';

const RENDERERS = {
  json: (run: Run): string => formatJson(runJson(run)),
  junit: renderJunit,
  github: renderGithub,
  sarif: renderSarif,
  markdown: renderMarkdown,
};

export function renderReport(format: keyof typeof RENDERERS, run: Run): string {
  return `${RENDERERS[format](run).trimEnd()}\n`;
}

export const CHECK_FORMATS = ['text', 'json', 'github', 'junit', 'sarif'] as const;

export type CheckFormat = (typeof CHECK_FORMATS)[number];

type RunReport = keyof typeof examples;

export const RUN_REPORTS = Object.keys(examples) as RunReport[];

export type ReportTarget = ReturnType<typeof parseReportFlag>;

/** Throws USAGE for an unknown format, or for two reports in one file. */
export function parseReportFlags(given: readonly string[]): ReportTarget[] {
  const targets = given.map(parseReportFlag);
  const files = targets.flatMap(({ file }) => file ?? []);
  const paths = files.map((file) => resolve(file));
  const twice = files.find((_, at) => paths.slice(0, at).includes(paths[at] ?? ''));
  if (twice !== undefined) throw usage(`can't write two reports to ${twice}`, 'use a separate file for each');
  return targets;
}

export function findReportFlags(argv: readonly string[]): ReportTarget[] {
  const options = { report: { type: 'string', multiple: true } } as const;
  const { values } = parseArgs({ args: [...argv], options, strict: false });
  return (values.report ?? []).flatMap((each) => attempt(() => parseReportFlag(`${each}`)) ?? []);
}

export function parseReportFlag(given: string) {
  const [, name = '', file] = /^([^=]*)(?:=(.*))?$/s.exec(given) ?? [];
  const format = RUN_REPORTS.find((known) => known === name.trim().toLowerCase());
  if (format === undefined) {
    const near = nearest(name, RUN_REPORTS) as RunReport | undefined;
    throw usage(
      `--report must be one of ${RUN_REPORTS.join(', ')}, not \`${name}\``,
      near === undefined ? `for example ${examples.json}` : `did you mean ${examples[near]}?`,
    );
  }
  if (file === '-' || file === '' || (file === undefined && format !== 'github')) {
    throw usage(`--report ${format} requires a file`, `for example ${examples[format]}`);
  }
  return { format, file };
}

/** Throws USAGE for a file that can't be written because of its directory. */
export function checkReports(targets: readonly ReportTarget[]): void {
  for (const { file } of targets) {
    if (file === undefined) continue;
    const problem = `can't write the report ${file}:`;
    if (!statOrNone(dirname(resolve(file)))?.isDirectory())
      throw usage(`${problem} no such directory`, `create it first: \`mkdir -p ${dirname(file)}\``);
    if (statOrNone(file)?.isDirectory()) throw usage(`${problem} it is a directory`, 'specify a file in it');
  }
}

export async function canBeWritten(target: ReportTarget, paths: readonly string[]): Promise<boolean> {
  if (attempt(() => checkReports([target]) ?? true) === undefined) return false;
  const inside = await Promise.allSettled(paths.map((path) => fileInSet([target.file], [path])));
  return inside.every((found) => found.status === 'rejected' || found.value === undefined);
}

export async function assertOutsideSet(files: readonly (string | undefined)[], paths: readonly string[]) {
  const inside = await fileInSet(files, paths);
  if (inside === undefined) return;
  throw usage(
    `${inside} is among the job files, so the next run would read it as a listing`,
    "use a file outside these paths, or with an extension that job files don't have",
  );
}

async function fileInSet(files: readonly (string | undefined)[], paths: readonly string[]) {
  const named = files.filter((file) => file !== undefined);
  if (named.length === 0) return undefined;
  const { covers } = await pathScope(paths);
  return named.find((file) => covers(file) && !isPlainMarkdown(file));
}

const HINT = 'check the path, its permissions and the disk space. Applied changes are recorded';

/**
 * Without a file, `github` prints to stderr, which GitHub also reads. Appends to the step summary, because several
 * commands share it. Throws OUTPUT_UNWRITABLE after trying all reports.
 */
export async function writeReports(
  targets: readonly ReportTarget[],
  run: Run,
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
      failures.push(systemError(error, 'OUTPUT_UNWRITABLE', `can't write the report ${file}`, HINT));
    }
  }
  const [first] = failures;
  if (first !== undefined) throw first;
}

function usage(message: string, hint: string): PartnerError {
  return new PartnerError('USAGE', { message, hint });
}
