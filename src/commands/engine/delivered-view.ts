import { clean, details, type View } from '../../cli/terminal/view.ts';
import { moment } from '../../cli/terminal/words.ts';
import type { Job } from '../../contract/job.ts';
import { formatCents, grouped } from '../../contract/words.ts';
import type { Applications } from '../../engine/applications/play-candidates.ts';
import type { ReceivedApplication } from '../../engine/applications/receive.ts';
import type { FilledWindow } from '../../engine/billing/charge.ts';

export function deliveredOne(
  { id, jobId, receivedAt, isQualified, charge }: ReceivedApplication,
  { title }: Pick<Job, 'title'>,
  view: View,
): string {
  const rows = [
    ['Application', String(id)],
    ['Job', titled(jobId, title)],
    ['Received', moment(receivedAt)],
    ['Qualified', isQualified ? 'yes' : 'no'],
    ['Cost', costOf(charge, view)],
  ] as const;
  return details(rows, view);
}

type Tally = Awaited<ReturnType<Applications['applyMany']>> & { readonly seed: number };

export function deliveredMany(tally: Tally, { title }: Pick<Job, 'title'>, view: View): string {
  const { charged, chargedCents, skipped, skippedCents, skippedBy } = tally;
  const free = `${grouped(skipped)}, worth ${formatCents(skippedCents)}: ${reasons(skippedBy)}`;
  const rows = [
    ['Job', titled(tally.jobId, title)],
    ['Delivered', grouped(tally.applications)],
    ['Qualified', grouped(tally.qualified)],
    ['Charged', `${grouped(charged)} · ${view.paint('bold', formatCents(chargedCents))}`],
    ['Free', skipped === 0 ? '0' : free],
    ['Seed', String(tally.seed)],
  ] as const;
  return details(rows, view);
}

function costOf(charge: ReceivedApplication['charge'], view: View): string {
  if (charge.outcome === 'none') return 'not charged: not qualified';
  return charge.outcome === 'charged'
    ? `charged ${view.paint('bold', formatCents(charge.amountCents))}`
    : `${view.paint('green', 'free')}: ${filledReason(charge.filled)}`;
}

function reasons(skippedBy: Tally['skippedBy']): string {
  if (skippedBy.length === 1) return skippedBy.map(filledReason).join('');
  return skippedBy.map((by) => `${grouped(by.applications)} as ${filledReason(by)}`).join(', ');
}

function filledReason({ target, window }: FilledWindow): string {
  return `the ${window} cap of the ${target} is filled`;
}

function titled(jobId: number, title: string): string {
  return title === '' ? String(jobId) : `${jobId} · ${clean(title)}`;
}
