import type { Terms } from '../engine/companies/terms.ts';
import { clean, paragraph, prose, type View } from './terminal/view.ts';
import { moment } from './terminal/words.ts';

export function termsText({ version, text, issuedAt }: Terms, view: View): string {
  const issued = issuedAt === null ? 'comes with the engine' : `issued ${moment(issuedAt)}`;
  const head = paragraph(view.paint('bold', `Version ${clean(version)} · ${issued}`), view);
  return `${head}\n${prose(text, view)}`;
}
