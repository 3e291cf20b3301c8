import { escapedJson } from '../../contract/outside-text.ts';
import { renderGithubRun } from './github.ts';
import { renderJunitRun } from './junit.ts';
import { renderMarkdownRun } from './markdown.ts';
import type { BulkRun } from './run.ts';
import { runJson } from './values.ts';

/** What `--report` takes. */
export const RUN_REPORTS = ['json', 'junit', 'github', 'markdown'] as const;

export type RunReport = (typeof RUN_REPORTS)[number];

const RENDERERS: Readonly<Record<RunReport, (run: BulkRun) => string>> = {
  json: (run) => escapedJson(runJson(run)),
  junit: renderJunitRun,
  github: renderGithubRun,
  markdown: renderMarkdownRun,
};

/** A run as the text of a report, ended by a newline. */
export function renderReport(format: RunReport, run: BulkRun): string {
  return `${RENDERERS[format](run).trimEnd()}\n`;
}
