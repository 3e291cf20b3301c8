import { clean, details, type View } from '../../cli/terminal/view.ts';
import { moment } from '../../cli/terminal/words.ts';
import type { Job } from '../../contract/job.ts';
import { formatCents, formatNumber } from '../../contract/words.ts';
import type { Applications } from '../../engine/applications/play-candidates.ts';
import type { ReceivedApplication } from '../../engine/applications/receive.ts';
import type { FilledWindow } from '../../engine/billing/charge.ts';

export function renderDelivered(
  { id, jobId, receivedAt, isQualified, charge }: ReceivedApplication,
  { title }: Pick<Job, 'title'>,
  view: View,
): string {
  const rows = [
    ['Application', String(id)],
    ['Job', formatJob(jobId, title)],
    ['Received', moment(receivedAt)],
    ['Qualified', isQualified ? 'yes' : 'no'],
    ['Cost', formatCost(charge, view)],
  ] as const;
  return details(rows, view);
}

type Tally = Awaited<ReturnType<Applications['applyMany']>> & { readonly seed: number };

export function renderTally(tally: Tally, { title }: Pick<Job, 'title'>, view: View): string {
  const { charged, chargedCents, skipped, skippedCents, skippedBy } = tally;
  const free = `${formatNumber(skipped)}, worth ${formatCents(skippedCents)}: ${joinReasons(skippedBy)}`;
  const rows = [
    ['Job', formatJob(tally.jobId, title)],
    ['Delivered', formatNumber(tally.applications)],
    ['Qualified', formatNumber(tally.qualified)],
    ['Charged', `${formatNumber(charged)} · ${view.paint('bold', formatCents(chargedCents))}`],
    ['Free', skipped === 0 ? '0' : free],
    ['Seed', String(tally.seed)],
  ] as const;
  return details(rows, view);
}

function formatCost(charge: ReceivedApplication['charge'], view: View): string {
  if (charge.outcome === 'none') return 'not charged (not qualified)';
  return charge.outcome === 'charged'
    ? `charged ${view.paint('bold', formatCents(charge.amountCents))}`
    : `${view.paint('green', 'free')}: ${describeFilledReason(charge.filled)}`;
}

function joinReasons(skippedBy: Tally['skippedBy']): string {
  if (skippedBy.length === 1) return skippedBy.map(describeFilledReason).join('');
  return skippedBy
    .map((by) => `${formatNumber(by.applications)} because ${describeFilledReason(by)}`)
    .join(', ');
}

function describeFilledReason({ target, window }: FilledWindow): string {
  return `the ${window} cap of the ${target} is filled`;
}

function formatJob(jobId: number, title: string): string {
  return title === '' ? String(jobId) : `${jobId} · ${clean(title)}`;
}
