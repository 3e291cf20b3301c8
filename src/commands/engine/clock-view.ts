import { details, successText, type View } from '../../cli/terminal/view.ts';
import { formatDuration } from '../../contract/time.ts';
import { formatCount } from '../../contract/words.ts';
import type { EngineClock } from '../../engine/clock.ts';

export function clockState({ now, offsetMs, machineNow }: ReturnType<EngineClock['state']>, view: View) {
  const rows = [
    ['Engine', formatSecond(now)],
    ['Machine', formatSecond(machineNow)],
    ['', formatOffset(offsetMs)],
  ] as const;
  return details(rows, view);
}

export function clockMove(move: Awaited<ReturnType<EngineClock['set']>>, view: View): string {
  const { now, before, offsetMs, expiredJobs, revivedJobs, newWindows } = move;
  const windows = new Intl.ListFormat('en-GB').format(newWindows);
  const changes = [
    expiredJobs > 0 && `${formatCount(expiredJobs, 'job')} expired`,
    revivedJobs > 0 && `${formatCount(revivedJobs, 'job')} no longer expired`,
    windows && `${now < before ? 'other' : 'new'} ${windows} windows`,
  ].filter(Boolean);
  const change = changes.join(' · ') || 'no jobs expired, and no budget window changed';
  const head = `The engine's time is ${formatSecond(now)}, ${formatOffset(offsetMs)}`;
  return successText(head, view) + details([['', change]], view);
}

/** Returns `30d ahead of this machine`. Shows milliseconds only below one second. */
function formatOffset(offsetMs: number): string {
  if (offsetMs === 0) return "the same as this machine's";
  const span = Math.abs(offsetMs);
  const text = formatDuration(span < 1000 ? span : Math.round(span / 1000) * 1000);
  return `${text} ${offsetMs > 0 ? 'ahead of' : 'behind'} this machine`;
}

/** Returns `2026-01-31 09:00:15 UTC`. */
function formatSecond(time: string): string {
  return `${time.slice(0, 19).replace('T', ' ')} UTC`;
}
