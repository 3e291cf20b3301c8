import { html } from 'hono/html';
import { JOB_STATUSES } from '../../contract/values.ts';
import { formatCents, formatCount } from '../../contract/words.ts';
import { type Queries, settleExpiry } from '../store/store.ts';
import {
  formatTitle,
  gateList,
  type Listing,
  openListings,
  renderSurfacing,
  statusBadge,
  statusText,
  step,
  timeLeft,
} from './job/listing.ts';
import { type DashboardRoute, get, type Html, type PageContext, ROOT } from './page.ts';
import { badge, budgetBars, NO_CAPS, pager, readId, statusTabs, userText } from './parts.ts';

const JOBS_A_PAGE = 20;

export const JOBS_ROUTES: readonly DashboardRoute[] = [
  get('/', async (context, { store, clock }) => {
    const asked = { ...context, now: await settleExpiry(store, clock) };
    return { page: { title: 'Jobs', body: jobsPage(await loadJobs(store.read, asked), asked) } };
  }),
];

type JobsPage = Awaited<ReturnType<typeof loadJobs>>;

/** Ignores an unknown status or cursor in the URL. */
async function loadJobs(queries: Queries, { company, url, now }: PageContext) {
  const status = JOB_STATUSES.find((one) => one === url.searchParams.get('status'));
  const beforeId = readId(url.searchParams.get('before'));
  const filter = { companyId: company.id, status, beforeId, limit: JOBS_A_PAGE + 1 };
  const found = await queries.jobs.list(filter);
  const jobs = found.slice(0, JOBS_A_PAGE);
  const { facts, load } = await openListings(queries, company.id, now);
  const listings: Listing[] = [];
  for (const job of jobs) listings.push(await load(job));
  return {
    listings,
    counts: await queries.jobs.countByStatus(company.id),
    facts,
    status,
    isLater: beforeId !== undefined,
    beforeId: found.length > JOBS_A_PAGE ? jobs.at(-1)?.id : undefined,
  };
}

function jobsPage(page: JobsPage, { now }: PageContext): Html {
  const { listings, counts, status } = page;
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return html`<h1>Jobs</h1>
${renderSetup(page, total)}
${total === 0 ? '' : statusTabs('Jobs by status', ROOT, counts, status)}
${listings.length === 0 && total > 0 ? html`<p class="empty">${status === undefined ? 'There are no older jobs.' : `No ${statusText(status).toLowerCase()} jobs.`}</p>` : ''}
${listings.length === 0 ? '' : html`<ul class="cards" role="list">${listings.map((listing) => jobCard(listing, now))}</ul>`}
${pager('Pages of jobs', ROOT, page)}`;
}

function renderSetup({ facts: { termsAccepted, cardOnFile } }: JobsPage, total: number): Html | '' {
  if (termsAccepted && cardOnFile && total > 0) return '';
  return html`<section class="card" aria-labelledby="set-up">
<h2 id="set-up">Before a job can go live</h2>
<ul class="gate" role="list">
${step(termsAccepted, termsAccepted ? 'The employer terms are accepted' : html`<a href="${ROOT}/terms">Read and accept the employer terms</a>`)}
${step(cardOnFile, cardOnFile ? 'A payment card is on file' : html`<a href="${ROOT}/billing">Add a payment card</a>`)}
${step(total > 0, total > 0 ? 'A job exists' : html`Create a job on the command line: <code>partner jobs create</code> asks for each field.<br>To publish from a file: <code>partner jobs create job.json --publish</code>`)}
</ul>
</section>`;
}

function jobCard({ job, budgets, gate, surfacing }: Listing, now: number): Html {
  const bid = job.bidPerQualifiedApplicantCents;
  const { pending, accepted, rejected } = job.applicationCounts;
  const left = timeLeft(job, now);
  return html`<li class="card">
<div class="card-head"><h2><a href="${ROOT}/jobs/${job.id}">${userText(formatTitle(job))}</a></h2>${statusBadge(job.status)}</div>
<p class="meta">Job ${job.id}${left === '' ? '' : html` · ${left}`}${bid === null ? '' : ` · ${formatCents(bid)} per qualified applicant`}</p>
${
  gate === undefined
    ? html`<p class="line">${formatCount(pending + accepted + rejected, 'application')}${
        job.isFrozen ? `: ${pending} pending, ${accepted} accepted, ${rejected} rejected` : ''
      } ${job.newApplicantCount > 0 ? badge('new', `${job.newApplicantCount} new`) : ''}</p>`
    : gateList(job, gate)
}
${surfacing === undefined ? '' : renderSurfacing(surfacing)}
${budgets.length === 0 ? '' : budgetBars(budgets)}
${budgets.length === 0 && gate === undefined ? html`<p class="meta">${NO_CAPS}</p>` : ''}
</li>`;
}
