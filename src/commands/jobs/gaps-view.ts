import { paragraph, section } from '../../cli/terminal/blocks.ts';
import { fieldLines } from '../../cli/terminal/field-lines.ts';
import { type Fields, fieldsIn, listIn, textIn } from '../../cli/terminal/read.ts';
import type { View } from '../../cli/terminal/view.ts';
import { counted } from '../../cli/terminal/words.ts';
import { completenessGaps } from '../../contract/gate.ts';
import { EMPTY_CONTENT, type JobContent } from '../../contract/job.ts';
import { fieldName, type Problem } from '../../contract/problems.ts';

/** The fields that keep a draft from going live; none for a job in another state. */
export function gapFields(job: unknown): string[] {
  const fields = fieldsIn(job);
  return fields.status === 'DRAFT' ? gapsOf(fields).map(({ path }) => fieldName(path)) : [];
}

/** What a draft still needs to go live, each gap with what mends it; nothing for a job in another state. */
export function gapsSection(job: Fields, view: View): string {
  if (job.status !== 'DRAFT') return '';
  const gaps = gapsOf(job);
  if (gaps.length === 0) {
    return `\n${paragraph(view.paint('green', 'Complete: nothing is missing to publish it'), view)}`;
  }
  const lines = gaps.map(({ path, message }) => [fieldName(path), message] as const);
  return section(`Before it can go live: ${counted(gaps.length, 'gap')}`, fieldLines(lines, view), view);
}

/**
 * The gaps that the server's own answer shows: a field that it left out, or that has another type than promised, is no
 * gap, as nobody knows what the server has there.
 */
export function certainGaps(job: Fields): Problem[] {
  return gapsOf(job).filter(({ path: [field = ''] }) => {
    const value = job[field];
    const empty = EMPTY_CONTENT[field as keyof JobContent];
    return value === null || (Array.isArray(empty) ? Array.isArray(value) : ofKind(empty, value) === value);
  });
}

/** The gaps of a job's content as the gate reads it; what has the wrong type counts as empty. */
function gapsOf(job: Fields): Problem[] {
  const entries = Object.entries(EMPTY_CONTENT).map(([field, empty]) => [field, ofKind(empty, job[field])]);
  const content = Object.fromEntries(entries) as JobContent;
  return completenessGaps({ ...content, remoteCountry: textIn(job.remoteCountry) ?? null });
}

function ofKind(empty: unknown, value: unknown): unknown {
  if (Array.isArray(empty)) return listIn(value);
  const isKind = typeof value === 'string' || (empty === null && typeof value === 'number');
  return isKind ? value : empty;
}
