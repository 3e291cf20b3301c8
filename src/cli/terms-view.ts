import { paragraph, prose } from './terminal/blocks.ts';
import { fieldsIn, textIn } from './terminal/read.ts';
import type { View } from './terminal/view.ts';
import { moment } from './terminal/words.ts';

/** A version of the employer terms, whole. */
export function termsText(terms: unknown, view: View): string {
  const { version, text, issuedAt } = fieldsIn(terms);
  const issued = moment(issuedAt);
  const head = [`Version ${textIn(version) ?? ''}`, issued ? `issued ${issued}` : 'comes with the engine'];
  const body = typeof text === 'string' ? prose(text, Number.POSITIVE_INFINITY, view) : '';
  return `${paragraph(view.paint('bold', head.join(' · ')), view)}\n${body}`;
}

/** That a version is in force from now on. */
export function termsIssued(terms: unknown, view: View): string {
  const { version } = fieldsIn(terms);
  const said = `Version ${textIn(version) ?? ''} of the employer terms is in force: no company publishes before it has accepted it`;
  return paragraph(`${view.paint('green', '✓')} ${said}`, view);
}

/** What a company has just accepted. */
export function termsAccepted(status: unknown, view: View): string {
  const { name, terms } = fieldsIn(status);
  const { currentVersion } = fieldsIn(terms);
  const said = `${textIn(name) ?? 'The company'} has accepted the employer terms, version ${textIn(currentVersion) ?? ''}`;
  return paragraph(`${view.paint('green', '✓')} ${said}`, view);
}
