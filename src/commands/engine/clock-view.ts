import { details, paragraph, type View } from '../../cli/terminal/view.ts';
import { formatDuration } from '../../contract/time.ts';
import { counted } from '../../contract/words.ts';
import type { EngineClock } from '../../engine/clock.ts';

export function clockState(
  { now, offsetMs, machineNow }: ReturnType<EngineClock['state']>,
  view: View,
): string {
  const rows = [
    ['Engine', second(now)],
    ['Machine', second(machineNow)],
    ['', offset(offsetMs)],
  ] as const;
  return details(rows, view);
}

export function clockMove(move: Awaited<ReturnType<EngineClock['set']>>, view: View): string {
  const { now, before, offsetMs, expiredJobs, revivedJobs, newWindows } = move;
  const windows = new Intl.ListFormat('en-GB').format(newWindows);
  const changes = [
    expiredJobs > 0 && `${counted(expiredJobs, 'job')} expired`,
    revivedJobs > 0 && `${counted(revivedJobs, 'job')} no longer expired`,
    windows && `${now < before ? 'other' : 'new'} ${windows} windows`,
  ].filter(Boolean);
  const head = `${view.paint('green', '✓')} The engine's time is ${second(now)}, ${offset(offsetMs)}`;
  const change = changes.join(' · ') || 'no job expired, and the windows of budgets are the same';
  return paragraph(head, view) + details([['', change]], view);
}

/** `30d ahead of this machine`. Milliseconds are shown only where there is nothing else. */
function offset(offsetMs: number): string {
  if (offsetMs === 0) return "the same as this machine's";
  const span = Math.abs(offsetMs);
  const text = formatDuration(span < 1000 ? span : Math.round(span / 1000) * 1000);
  return `${text} ${offsetMs > 0 ? 'ahead of' : 'behind'} this machine`;
}

/** `2026-01-31 09:00:15 UTC`. */
function second(time: string): string {
  return `${time.slice(0, 19).replace('T', ' ')} UTC`;
}
