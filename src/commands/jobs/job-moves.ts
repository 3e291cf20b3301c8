import { paragraph, type View } from '../../cli/terminal/view.ts';
import { moment, oneLine, statusStyle } from '../../cli/terminal/words.ts';
import type { ServerJob } from '../../client/server-job.ts';
import type { PartnerError } from '../../contract/errors.ts';
import type { Transition } from '../../contract/operations.ts';
import type { JobStatus } from '../../contract/values.ts';

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

const REPOST = '`partner jobs repost ID` makes a new job of it';

/** What leads on from a state that does not allow the move. */
const NEXT: Readonly<Record<string, string>> = {
  DRAFT: 'publish it first: `partner jobs publish ID`',
  PAUSED: 'it goes live again with `partner jobs resume ID`',
  CLOSED: REPOST,
  EXPIRED: REPOST,
};

/** Section 3: no move leads from a draft to its end. */
const DRAFT_STAYS =
  'a draft can be neither closed nor removed, and need not be: nobody sees it and it costs nothing; `partner jobs update ID` makes another listing of it';

/** The refusal of a move to `reaches` with the next step from the job's state, where that is known. */
export function withNext(
  error: PartnerError,
  job: ServerJob | undefined,
  id: number,
  reaches?: JobStatus,
): PartnerError {
  const status = String(job?.status);
  if (status === reaches) return error.withHint('nothing to do; `--ensure` takes this as success');
  const isDraftToClose = status === 'DRAFT' && reaches === 'CLOSED';
  const next = isDraftToClose ? DRAFT_STAYS : Object.hasOwn(NEXT, status) ? NEXT[status] : undefined;
  return next === undefined ? error : error.withHint(next.replace('ID', String(id)));
}
