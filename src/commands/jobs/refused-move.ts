import type { ServerJob } from '../../client/client.ts';
import type { PartnerError } from '../../contract/errors.ts';
import type { JobStatus } from '../../contract/values.ts';

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
