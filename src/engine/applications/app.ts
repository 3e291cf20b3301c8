import { PartnerError } from '../../contract/errors.ts';
import type { PlainRequest } from '../../contract/http-messages.ts';
import type { Job } from '../../contract/job.ts';
import { assertJobFound } from '../../contract/problems.ts';
import { isLoopback } from '../../contract/uri.ts';
import { readAtMost, readBody, refuseEncoded } from '../http/body.ts';
import { mount, type Visit } from '../http/mount.ts';
import { createLimiter, limitRate } from '../http/rate-limit.ts';
import {
  cameToLoopback,
  findSender,
  isOfOtherOrigin,
  listHostnames,
  parseHostname,
} from '../http/request-origin.ts';
import { withExpiry } from '../lifecycle/job-state.ts';
import type { App, EngineParts, RateLimit, RequestOrigin, RouteResult } from '../parts.ts';
import { createQueryReader, formatPage, parseJobId, readPageQuery } from '../routes/query.ts';
import { settleExpiry } from '../store/store.ts';
import { createSurfacingCheck } from './caps.ts';
import { createFileTooLarge, FILE_BYTES_MAX } from './files.ts';
import { parseApplication, receiveApplication, toAsks } from './receive.ts';

const CANDIDATE_PREFIX = '/candidate/v1';

const RATE_LIMIT: RateLimit = { perSecond: 100 };

type CandidateRoute = (visit: Visit, engine: EngineParts) => Promise<RouteResult>;

export function createCandidateApp(parts: EngineParts): App {
  const limiter = createLimiter(parts.candidateRateLimit ?? RATE_LIMIT, parts.machineClock);
  const admit = async ({ request, origin }: Visit): Promise<void> => {
    // Foreign pages are rejected before the rate limit, so that they can't use up the user's requests.
    refuseForeignPages(request, origin);
    const sender = findSender(origin);
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

/** Lists ACTIVE jobs without a filled budget window, newest first (section 8, rule 5). */
const listOpenings: CandidateRoute = async ({ request }, { store, clock }) => {
  const query = createQueryReader(new URL(request.url).searchParams);
  const asked = readPageQuery(query);
  query.check();

  const now = await settleExpiry(store, clock);
  const { openings, billingLedger } = store.read;
  const isSurfaced = createSurfacingCheck(billingLedger, now);
  const json = await formatPage(
    asked,
    (batch) => openings.list(batch, now),
    async (row) => {
      const opening = (await isSurfaced(row)) ? await openings.find(row.id) : undefined;
      return opening && JSON.stringify(shortenOpening(toOpening(opening)));
    },
  );
  return { status: 200, json };
};

const getOpening: CandidateRoute = async (visit, { store, clock }) => {
  const id = parseJobId(visit);
  const job = assertJobFound(id, await store.read.openings.find(id));
  const { status } = withExpiry(job, clock());
  const opening = assertJobFound(id, status === 'ACTIVE' ? { ...toOpening(job), ...toAsks(job) } : undefined);
  return { status: 200, json: JSON.stringify(opening) };
};

const sendFile: CandidateRoute = async ({ request, origin }, { files, clock }) => {
  const { headers, url } = request;
  refuseEncoded(headers);
  if (/^\s*multipart\//i.test(headers.get('content-type') ?? '')) {
    throw new PartnerError('UNSUPPORTED_MEDIA_TYPE', {
      message: 'the body must be the bytes of the file, not a form',
    });
  }
  const sender = findSender(origin);
  const bytes = Number(headers.get('content-length')) || FILE_BYTES_MAX;
  await files.checkQuota({ sender, bytes, now: clock() });
  const content = await readAtMost(request, FILE_BYTES_MAX, createFileTooLarge);
  const name = new URL(url).searchParams.get('name') ?? '';
  const stored = await files.put({ name, content, sender, now: clock() });
  return { status: 201, json: JSON.stringify(stored) };
};

/** The response omits the charge, because candidates must not see it. */
const applyToJob: CandidateRoute = async (visit, { store, clock }) => {
  const jobId = parseJobId(visit);
  const body = await readBody(visit.request);
  const row = await store.read.openings.find(jobId);
  // Hides drafts from candidates. No lock is needed, because a published job never becomes a draft again.
  const opening = assertJobFound(jobId, row?.status === 'DRAFT' ? undefined : row);
  const application = parseApplication(body.value(), toAsks(opening));
  const { id, status, receivedAt } = await store.write((queries) =>
    receiveApplication(queries, jobId, application, clock()),
  );
  return { status: 201, json: JSON.stringify({ id, jobId, status, receivedAt }) };
};

/**
 * Rejects loopback requests from other websites in a local browser, even after DNS rebinding. This API requires no key,
 * so any website could otherwise fill the disk, read listings or apply. Throws FORBIDDEN.
 */
function refuseForeignPages(request: PlainRequest, requestOrigin: RequestOrigin): void {
  if (!cameToLoopback(requestOrigin)) return;
  const origin = request.headers.get('origin');
  const names = origin === null ? listHostnames(request) : [...listHostnames(request), parseHostname(origin)];
  const isForeign = origin === null && isOfOtherOrigin(request);
  if (!isForeign && names.every((name) => isLoopback(name) || name.endsWith('.internal'))) return;
  throw new PartnerError('FORBIDDEN', {
    message:
      'the engine only accepts requests from this machine, so the Host and Origin headers must be local',
  });
}

function toOpening(job: Job & { readonly company: string }) {
  return {
    id: job.id,
    title: job.title,
    company: job.company,
    description: job.description,
    remoteOption: job.remoteOption,
    remoteCountry: job.remoteOption === 'REMOTE' ? job.remoteCountry : null,
    jobType: job.jobType,
    jobLevel: job.jobLevel,
    locations: job.locations,
    salaryMin: job.salaryMin,
    salaryMax: job.salaryMax,
    salaryPeriod: job.salaryPeriod,
    publishedAt: job.publishedAt,
    expiresAt: job.expiresAt,
  };
}

const DESCRIPTION_CHARACTERS = 300;

function shortenOpening(opening: ReturnType<typeof toOpening>) {
  const { description } = opening;
  if (description.length <= DESCRIPTION_CHARACTERS) return opening;
  const cut = [...description.slice(0, DESCRIPTION_CHARACTERS)].slice(0, -1).join('');
  return { ...opening, description: `${cut.trimEnd()}…` };
}
