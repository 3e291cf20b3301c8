import { paragraph, type View } from '../../cli/terminal/view.ts';
import { moment, oneLine, statusStyle } from '../../cli/terminal/words.ts';
import type { ServerJob } from '../../client/server-job.ts';
import type { PartnerError } from '../../contract/errors.ts';
import { MOVES } from '../../contract/lifecycle.ts';
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

/** `✓ Published 12 Registered Nurse · live until 2026-01-31 09:00 UTC`: the state is the one answered. */
export function transitionLine(transition: Transition, { job, wasThere }: Moved, view: View): string {
  const { id, title, status, expiresAt } = job;
  const done = wasThere ? 'Already there:' : DONE[transition];
  const end = status === 'ACTIVE' ? moment(expiresAt) : undefined;
  const state = view.paint(statusStyle(status), oneLine(status) ?? 'in an unknown state');
  const name = [id, oneLine(title)].filter(Boolean).join(' ');
  const standing = end ? `live until ${end}` : `now ${state}`;
  return paragraph(`${view.paint('green', '✓')} ${done} ${name} · ${standing}`, view);
}

const REPOST = '`partner jobs repost ID` copies it to a new draft';
const OVER = 'candidates no longer see it: there is nothing to do';

/** The next step from a state that doesn't allow a move. Only moves that make a job live suggest another one. */
const NEXT: Readonly<Record<Transition | 'update', Readonly<Record<string, string>>>> = {
  publish: { PAUSED: 'it goes live again with `partner jobs resume ID`', CLOSED: REPOST, EXPIRED: REPOST },
  resume: { DRAFT: 'publish it with `partner jobs publish ID`', CLOSED: REPOST, EXPIRED: REPOST },
  pause: { DRAFT: 'no candidate sees a draft: there is nothing to pause', CLOSED: OVER, EXPIRED: OVER },
  // Section 3: no move leads from a draft to its end.
  close: {
    DRAFT:
      'a draft can be neither closed nor removed, and need not be: nobody sees it and it costs nothing; `partner jobs update ID` makes another listing of it',
    EXPIRED: OVER,
  },
  update: { CLOSED: REPOST, EXPIRED: REPOST },
};

export function withNext(
  error: PartnerError,
  job: ServerJob | undefined,
  id: number,
  move: Transition | 'update',
): PartnerError {
  const status = String(job?.status);
  if (move !== 'update' && status === MOVES[move].to)
    return error.with({ hint: 'nothing to do; `--ensure` takes this as success' });
  const next = Object.hasOwn(NEXT[move], status) ? NEXT[move][status] : undefined;
  const hint = next?.replace('ID', String(id)) ?? `check the job with \`partner jobs get ${id}\``;
  return error.with({ hint });
}
