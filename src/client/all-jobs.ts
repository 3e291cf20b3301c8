import { PartnerError } from '../contract/errors.ts';
import { LIST_LIMIT_MAX } from '../contract/limits.ts';
import type { JobPage } from './decode.ts';
import type { ServerJob } from './server-job.ts';

export interface JobQuery {
  readonly status?: string | undefined;
  readonly opportunityId?: string | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** Pages without a new job, in a row: a server may filter after paging. */
const OLD_PAGES_MAX = 100;
/** A million jobs: more than any company has. */
const LIST_PAGES_MAX = 10_000;

export async function* jobsOfAllPages(
  listJobs: (query: JobQuery) => Promise<JobPage>,
  { limit, cursor, ...filter }: JobQuery = {},
  pages = Number.POSITIVE_INFINITY,
): AsyncGenerator<ServerJob, void, undefined> {
  const ids = new Set<number>();
  let next = cursor;
  const most = limit ?? Number.POSITIVE_INFINITY;
  let oldInARow = 0;
  for (let read = 0; read < pages && ids.size < most; read++) {
    if (read === LIST_PAGES_MAX)
      throw endlessList(`has no end within ${LIST_PAGES_MAX} pages and ${ids.size} jobs`);
    const pageLimit = limit === undefined ? undefined : Math.min(limit - ids.size, LIST_LIMIT_MAX);
    const page = await listJobs({ ...filter, limit: pageLimit, cursor: next });
    const before = ids.size;
    for (const job of page.items) {
      if (ids.size === most || ids.has(job.id)) continue;
      ids.add(job.id);
      yield job;
    }
    if (page.nextCursor === null) return;
    oldInARow = ids.size > before ? 0 : oldInARow + 1;
    if (oldInARow > OLD_PAGES_MAX) throw endlessList('has more and more pages, and nothing new in them');
    // Past its last job a server may lead to the same empty page for ever.
    if (page.nextCursor === next && page.items.length === 0) return;
    next = page.nextCursor;
  }
}

function endlessList(how: string): PartnerError {
  return new PartnerError('ANSWER_UNREADABLE', {
    message: `the list of jobs ${how}`,
    hint: 'not all jobs were read: ask the operator of the server; `partner jobs get ID` shows a single one',
  });
}
