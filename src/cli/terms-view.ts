import type { Dashboard } from '../engine/companies/dashboard.ts';
import type { Terms } from '../engine/companies/terms.ts';
import { paragraph, prose } from './terminal/blocks.ts';
import { clean } from './terminal/clean.ts';
import type { View } from './terminal/view.ts';
import { moment } from './terminal/words.ts';

/** A version of the employer terms, whole. */
export function termsText({ version, text, issuedAt }: Terms, view: View): string {
  const issued = issuedAt === null ? 'comes with the engine' : `issued ${moment(issuedAt)}`;
  const head = paragraph(view.paint('bold', `Version ${clean(version)} · ${issued}`), view);
  return `${head}\n${prose(text, Number.POSITIVE_INFINITY, view)}`;
}

/** That a version is in force from now on. */
export function termsIssued({ version }: Terms, view: View): string {
  const said = `Version ${clean(version)} of the employer terms is in force: no company publishes before it has accepted it`;
  return paragraph(`${view.paint('green', '✓')} ${said}`, view);
}

/** What a company has just accepted. */
export function termsAccepted({ name, terms }: Awaited<ReturnType<Dashboard['status']>>, view: View): string {
  const said = `${clean(name)} has accepted the employer terms, version ${clean(terms.currentVersion)}`;
  return paragraph(`${view.paint('green', '✓')} ${said}`, view);
}
