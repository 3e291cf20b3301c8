import { clean } from '../../cli/terminal/clean.ts';
import {
  arrow,
  entryChanges,
  isEntryField,
  isLong,
  sizeOfChange,
  valueText,
} from '../../cli/terminal/job-diff.ts';
import { moment, oneLine } from '../../cli/terminal/words.ts';
import type { ServerJob } from '../../client/server-job.ts';
import { JobSchema } from '../../contract/job.ts';

const TIMES: readonly string[] = ['publishedAt', 'expiresAt', 'closedAt'];

/** What has changed about a job, a line a field, the state first: `status DRAFT → ACTIVE`. */
export function jobChanges(from: ServerJob, to: ServerJob): string[] {
  const known = ['status', ...Object.keys(JobSchema.shape)];
  return [...new Set([...known, ...Object.keys(from), ...Object.keys(to)])]
    .filter((field) => !isSame(from[field], to[field]))
    .map((field) => `${clean(field)} ${changeText(field, from[field], to[field])}`);
}

function changeText(field: string, from: unknown, to: unknown): string {
  if (isEntryField(field)) {
    return entryChanges(field, from, to)
      .map(({ sign, text }) => `${sign} ${text}`)
      .join(', ');
  }
  if (field === 'applicationCounts') return countsText(from as Counts, to as Counts);
  const written = (value: unknown): string =>
    TIMES.includes(field) ? (moment(value as string) ?? '') : valueText(field, value);
  const [a, b] = [written(from), written(to)];
  if (isLong(a) || isLong(b)) return sizeOfChange(a, b);
  return arrow(a, b);
}

type Counts = Readonly<Record<string, unknown>> | undefined;

function countsText(from: Counts = {}, to: Counts = {}): string {
  return [...new Set([...Object.keys(from), ...Object.keys(to)])]
    .filter((state) => !isSame(from[state], to[state]))
    .map((state) => `${clean(state)} ${arrow(oneLine(from[state]) ?? '', oneLine(to[state]) ?? '')}`)
    .join(', ');
}

/** A field that is left out is as empty as one that is null; a list is the same only in the same order. */
function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
}
