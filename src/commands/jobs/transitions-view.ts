import type { BatchItem } from '../../cli/batch.ts';
import { failedLine } from '../../cli/failure.ts';
import { paragraph, type View } from '../../cli/terminal/view.ts';
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
      return jobLine(item.wasThere ? 'Already there:' : DONE[transition], item.job, view);
    })
    .join('');
}

/** `✓ Published 12 Registered Nurse · live until 2026-01-31 09:00 UTC`: the state is the one answered. */
function jobLine(done: string, { id, title, status, expiresAt }: ServerJob, view: View): string {
  const end = status === 'ACTIVE' ? moment(expiresAt) : undefined;
  const state = view.paint(statusStyle(status), oneLine(status) ?? 'in an unknown state');
  const name = [id, oneLine(title)].filter(Boolean).join(' ');
  const standing = end ? `live until ${end}` : `now ${state}`;
  return paragraph(`${view.paint('green', '✓')} ${done} ${name} · ${standing}`, view);
}
