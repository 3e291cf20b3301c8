import type { BatchItem } from '../../cli/batch.ts';
import { failedLine } from '../../cli/error-view.ts';
import { paragraph } from '../../cli/terminal/blocks.ts';
import type { View } from '../../cli/terminal/view.ts';
import { moment, oneLine, statusStyle } from '../../cli/terminal/words.ts';
import type { ServerJob } from '../../client/server-job.ts';
import type { Transition } from '../../contract/operations.ts';

/** A job after its transition, or in the state that it had already. */
export interface Moved {
  readonly id: number;
  readonly job: ServerJob;
  readonly wasThere?: true;
}

const DONE: Readonly<Record<Transition, string>> = {
  publish: 'Published',
  pause: 'Paused',
  resume: 'Resumed',
  close: 'Closed',
};

/** One line for each job that was moved, and why for each that was not. */
export function transitionLines(
  transition: Transition,
  items: readonly BatchItem<Moved>[],
  view: View,
): string {
  return items
    .map((item) => {
      if ('error' in item) return failedLine(item, view);
      return item.wasThere ? alreadyLine(item.job, view) : jobLine(DONE[transition], item.job, view);
    })
    .join('');
}

/** `✓ Published 12 Registered Nurse · live until 2026-01-31 09:00 UTC`: the state is the one answered. */
function jobLine(done: string, job: ServerJob, view: View): string {
  const state = oneLine(job.status) ?? 'in an unknown state';
  const standing = liveUntil(job) ?? `now ${view.paint(statusStyle(job.status), state)}`;
  return paragraph(`${view.paint('green', '✓')} ${done} ${nameOf(job)} · ${standing}`, view);
}

function alreadyLine(job: ServerJob, view: View): string {
  const state = view.paint(statusStyle(job.status), oneLine(job.status) ?? '');
  const said = [`Already ${state}: ${nameOf(job)}`, liveUntil(job)].filter(Boolean).join(' · ');
  return paragraph(`${view.paint('green', '✓')} ${said}`, view);
}

function nameOf({ id, title }: ServerJob): string {
  return [id, oneLine(title)].filter(Boolean).join(' ');
}

function liveUntil({ status, expiresAt }: ServerJob): string | undefined {
  const end = status === 'ACTIVE' ? moment(expiresAt) : undefined;
  return end && `live until ${end}`;
}
