import { PartnerError } from '../../contract/errors.ts';
import { isLoopback } from '../../contract/uri.ts';
import { readAtMost, readBody, refuseEncoded } from '../http/body.ts';
import { mount, type Visit } from '../http/mount.ts';
import { createLimiter, limitRate } from '../http/rate-limit.ts';
import {
  cameToLoopback,
  hostnameOf,
  hostnamesIn,
  isOfOtherOrigin,
  senderOf,
} from '../http/request-origin.ts';
import { jobAt } from '../lifecycle/job-state.ts';
import { foundJob } from '../lifecycle/refusals.ts';
import type { App, EngineParts, RateLimit, RequestOrigin, RouteResult } from '../parts.ts';
import { pageJson, pageQuery } from '../routes/page.ts';
import { jobIdOf, queryReader } from '../routes/query.ts';
import { settleExpiry } from '../store/expiry.ts';
import { surfacing } from './caps.ts';
import { FILE_BYTES_MAX, fileTooLarge } from './files.ts';
import { asksOf, openingOf, shortened } from './opening.ts';
import { checkedApplication, receiveApplication } from './receive.ts';

const CANDIDATE_PREFIX = '/candidate/v1';

/** Generous: a person's browser sends a few requests at a time. */
const RATE_LIMIT: RateLimit = { perSecond: 100 };

type CandidateRoute = (visit: Visit, engine: EngineParts) => Promise<RouteResult>;

/** The candidate side of the engine: anybody may read the surfaced jobs and apply, without a key. */
export function createCandidateApp(parts: EngineParts): App {
  const limiter = createLimiter(parts.candidateRateLimit ?? RATE_LIMIT, parts.machineClock);
  const admit = async ({ request, origin }: Visit): Promise<void> => {
    // Requests of a page that is refused do not count for the person who has it open.
    refuseForeignPages(request, origin);
    const sender = senderOf(origin);
    if (sender !== undefined) limitRate(limiter, sender);
    parts.store.assertInPlace();
  };
  const route = (method: string, path: string, handle: CandidateRoute) => ({
    name: 'candidate',
    method,
    path: CANDIDATE_PREFIX + path,
    handle: (visit: Visit) => handle(visit, parts),
  });
  const routes = [
    route('GET', '/jobs', listOpenings),
    route('GET', '/jobs/{id}', getOpening),
    route('POST', '/files', sendFile),
    route('POST', '/jobs/{id}/applications', applyToJob),
  ];
  return mount({ routes, admit, reportBug: parts.reportBug });
}

/** The surfaced jobs: ACTIVE, no window filled (section 8, rule 5). Newest first, a page at a time. */
const listOpenings: CandidateRoute = async ({ request }, { store, clock }) => {
  const query = queryReader(new URL(request.url).searchParams);
  const asked = pageQuery(query);
  query.check();

  const now = await settleExpiry(store, clock);
  const { openings, billingLedger } = store.read;
  const isSurfaced = surfacing(billingLedger, now);
  const json = await pageJson(
    asked,
    (batch) => openings.list(batch, now),
    async (row) => {
      const opening = (await isSurfaced(row)) ? await openings.find(Number(row.id)) : undefined;
      return opening && JSON.stringify(shortened(openingOf(opening)));
    },
  );
  return { status: 200, json };
};

/** One ACTIVE job with what its applications answer, also while a filled window hides it from the list. */
const getOpening: CandidateRoute = async (visit, { store, clock }) => {
  const id = jobIdOf(visit);
  const job = foundJob(id, await store.read.openings.find(id));
  const { status } = jobAt(job, clock());
  const opening = foundJob(id, status === 'ACTIVE' ? { ...openingOf(job), ...asksOf(job) } : undefined);
  return { status: 200, json: JSON.stringify(opening) };
};

const sendFile: CandidateRoute = async ({ request, origin }, { files, clock }) => {
  const { headers, url } = request;
  refuseEncoded(headers);
  if (/^\s*multipart\//i.test(headers.get('content-type') ?? '')) {
    throw new PartnerError('UNSUPPORTED_MEDIA_TYPE', {
      message: "the body must be the file's bytes alone, not a form",
    });
  }
  const sender = senderOf(origin);
  const bytes = Number(headers.get('content-length')) || FILE_BYTES_MAX;
  await files.checkQuota({ sender, bytes, now: clock() });
  const content = await readAtMost(request, FILE_BYTES_MAX, fileTooLarge);
  const name = new URL(url).searchParams.get('name') ?? '';
  const stored = await files.put({ name, content, sender, now: clock() });
  return { status: 201, json: JSON.stringify(stored) };
};

/** Takes an application. Candidates are not told what it costs. */
const applyToJob: CandidateRoute = async (visit, { store, clock }) => {
  const jobId = jobIdOf(visit);
  const body = await readBody(visit.request);
  const row = await store.read.openings.find(jobId);
  // Candidates know nothing of drafts, and no job becomes one again.
  const opening = foundJob(jobId, row?.status === 'DRAFT' ? undefined : row);
  const application = checkedApplication(body.value(), asksOf(opening));
  const { id, status, receivedAt } = await store.write((queries) =>
    receiveApplication(queries, jobId, application, clock()),
  );
  return { status: 201, json: JSON.stringify({ id, jobId, status, receivedAt }) };
};

/**
 * Candidates need no key, so that any page that a browser of this machine has open could fill the disk with files, or,
 * with a name that it gives this machine's address (DNS rebinding), read the listings and apply. Browsers say by
 * `Origin`, `Host` and `Sec-Fetch-Site` where a page comes from. Throws FORBIDDEN; never where the engine listens for
 * others too.
 */
function refuseForeignPages(request: Request, requestOrigin: RequestOrigin): void {
  if (!cameToLoopback(requestOrigin)) return;
  const origin = request.headers.get('origin');
  const names = origin === null ? hostnamesIn(request) : [...hostnamesIn(request), hostnameOf(origin)];
  const isForeign = origin === null && isOfOtherOrigin(request);
  // `host.docker.internal` and the like: ICANN keeps `.internal` for private use.
  if (!isForeign && names.every((name) => isLoopback(name) || name.endsWith('.internal'))) return;
  throw new PartnerError('FORBIDDEN', {
    message:
      'the engine listens on this machine alone: it answers by the names of this machine, and to no page of another',
  });
}
