import type { Report } from '../check-files.ts';
import { renderGithub } from './github.ts';
import { renderJson } from './json.ts';
import { renderJunit } from './junit.ts';
import { renderSarif } from './sarif.ts';
import { type Paint, renderText, UNPAINTED } from './text.ts';

/** The forms that `jobs validate --format` takes. */
export const REPORT_FORMATS = ['text', 'json', 'github', 'junit', 'sarif'] as const;

export type ReportFormat = (typeof REPORT_FORMATS)[number];

const RENDERERS: Readonly<Record<ReportFormat, (report: Report, paint: Paint) => string>> = {
  text: renderText,
  json: renderJson,
  github: renderGithub,
  junit: renderJunit,
  sarif: renderSarif,
};

/** A report as text without a line break at its end; only `text` takes colours. */
export function renderFindings(format: ReportFormat, report: Report, paint: Paint = UNPAINTED): string {
  return RENDERERS[format](report, paint);
}
