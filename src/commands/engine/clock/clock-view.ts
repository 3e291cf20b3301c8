import { details, paragraph } from '../../../cli/terminal/blocks.ts';
import { clean } from '../../../cli/terminal/clean.ts';
import { fieldsIn, numberIn, textIn, timeIn } from '../../../cli/terminal/read.ts';
import type { View } from '../../../cli/terminal/view.ts';
import { counted } from '../../../cli/terminal/words.ts';
import { formatDuration } from '../../../contract/duration.ts';

/** The time of the bundled engine, and how far it is from the machine's. */
export function clockState(state: unknown, view: View): string {
  const { now, offsetMs, machineNow } = fieldsIn(state);
  return details(
    [
      ['Engine', second(now)],
      ['Machine', second(machineNow)],
      ['', offset(offsetMs)],
    ],
    view,
  );
}

/** The time after the clock was moved, and what became of jobs and windows. */
export function clockMove(move: unknown, view: View): string {
  const { now, before, offsetMs, expiredJobs, revivedJobs, newWindows } = fieldsIn(move);
  const [expired, revived] = [numberIn(expiredJobs) ?? 0, numberIn(revivedJobs) ?? 0];
  const isBack = (timeIn(now) ?? 0) < (timeIn(before) ?? 0);
  const windows = Array.isArray(newWindows) ? newWindows.map(String) : [];
  const became = [
    expired > 0 ? `${counted(expired, 'job')} expired` : '',
    revived > 0 ? `${counted(revived, 'job')} no longer expired` : '',
    windows.length > 0 ? `${isBack ? 'other' : 'new'} ${listed(windows)} windows` : '',
  ].filter(Boolean);
  const head = `${view.paint('green', '✓')} The engine's time is ${second(now) ?? 'not known'}, ${offset(offsetMs)}`;
  const change = clean(became.join(' · ') || 'no job expired, and the windows of budgets are the same');
  return paragraph(head, view) + details([['', change]], view);
}

/** `30d ahead of this machine`. Milliseconds are shown only where there is nothing else. */
function offset(offsetMs: unknown): string {
  const ms = numberIn(offsetMs) ?? 0;
  if (ms === 0) return "the same as this machine's";
  const span = Math.abs(ms);
  const text = formatDuration(span < 1000 ? span : Math.round(span / 1000) * 1000);
  return `${text} ${ms > 0 ? 'ahead of' : 'behind'} this machine`;
}

/** `2026-01-31 09:00:15 UTC`; what is no time as it came. */
function second(value: unknown): string | undefined {
  const time = timeIn(value);
  if (time === undefined) return textIn(value);
  return `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}
