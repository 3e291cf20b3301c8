import { resolve } from 'node:path';
import { PartnerError } from '../../contract/errors.ts';
import { nearest } from '../../contract/nearest.ts';
import { tried } from '../../contract/tried.ts';

export const RUN_REPORTS = ['json', 'junit', 'github', 'markdown'] as const;

export type RunReport = (typeof RUN_REPORTS)[number];

export interface ReportTarget {
  readonly format: RunReport;
  /** As the user named it; undefined only for `github`, whose annotations belong in the log. */
  readonly file: string | undefined;
}

const EXAMPLES: Readonly<Record<RunReport, string>> = {
  json: '`--report json=report.json`',
  junit: '`--report junit=report.xml`',
  github: '`--report github`',
  markdown: '`--report markdown=summary.md`; on GitHub, `--report "markdown=$GITHUB_STEP_SUMMARY"`',
};

/** Throws USAGE, with the format that was likely meant, and for two reports in one file. */
export function parseReportFlags(given: readonly string[]): ReportTarget[] {
  const targets = given.map(parseReportFlag);
  const taken = new Set<string>();
  for (const { file } of targets) {
    if (file === undefined) continue;
    if (taken.has(resolve(file)))
      throw usage(`two reports cannot be written to ${file}`, 'name a file for each');
    taken.add(resolve(file));
  }
  return targets;
}

/** The reports that a command line asks for, as far as it can be understood; for a run that ends before its flags are. */
export function reportsIn(argv: readonly string[]): ReportTarget[] {
  const given = argv.flatMap((word, at) => {
    if (argv[at - 1] === '--report') return [word];
    return word.startsWith('--report=') ? [word.slice('--report='.length)] : [];
  });
  return given.flatMap((each) => tried(() => parseReportFlag(each)) ?? []);
}

export function parseReportFlag(given: string): ReportTarget {
  const [, name = '', file] = /^([^=]*)(?:=(.*))?$/s.exec(given) ?? [];
  const format = RUN_REPORTS.find((known) => known === name.trim().toLowerCase());
  if (format === undefined) {
    const near = nearest(name, RUN_REPORTS) as RunReport | undefined;
    throw usage(
      `--report must be one of ${RUN_REPORTS.join(', ')}, not \`${name}\``,
      near === undefined ? `for example ${EXAMPLES.json}` : `did you mean ${EXAMPLES[near]}?`,
    );
  }
  if (file === '-' || file === '' || (file === undefined && format !== 'github')) {
    throw usage(`--report ${format} needs a file`, `write ${EXAMPLES[format]}`);
  }
  return { format, file };
}

function usage(message: string, hint: string): PartnerError {
  return new PartnerError('USAGE', { message, hint });
}
