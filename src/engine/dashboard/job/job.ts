import { html } from 'hono/html';
import type { Job } from '../../../contract/job.ts';
import { EDITABLE } from '../../../contract/lifecycle.ts';
import { APPLICATION_STATUSES } from '../../../contract/values.ts';
import { formatCents, formatCount } from '../../../contract/words.ts';
import { readApplication, toListedApplication } from '../../applications/company-applications.ts';
import { toWindowSpan } from '../../billing/charge.ts';
import { assertJobFound } from '../../lifecycle/refusals.ts';
import type { Queries } from '../../store/store.ts';
import { type DashboardRoute, get, type Html, type PageContext, ROOT } from '../page.ts';
import {
  badge,
  budgetBars,
  NO_CAPS,
  pager,
  readId,
  renderDoneNotice,
  statusTabs,
  userText,
} from '../parts.ts';
import { applicationCard } from './application.ts';
import {
  formatTitle,
  gateList,
  listingContent,
  loadListing,
  renderSurfacing,
  statusBadge,
  timeLeft,
} from './listing.ts';

const APPLICATIONS_A_PAGE = 20;
/** A page ends early above this size, because one application can contain 1 MiB of answers. */
const ANSWERS_CHARACTERS_A_PAGE = 1024 * 1024;

const DONE = {
  accepted: 'The application was accepted.',
  rejected: 'The application was rejected.',
};

export const JOB_ROUTES: readonly DashboardRoute[] = [
  get('/jobs/:id', async (context, { store }) => {
    const id = readId(context.params.id) ?? 0;
    const job = assertJobFound(id, await store.read.jobs.find(context.company.id, id));
    // Opening the job resets its count of new applications (decision 18).
    if (context.isViewed && job.newApplicantCount > 0)
      await store.write(({ applications }) => applications.forgetUnseen(job.id));
    const page = await loadJob(store.read, job, context);
    return { page: { title: formatTitle(job), body: jobPage(page, context) } };
  }),
];

type JobPage = Awaited<ReturnType<typeof loadJob>>;

async function loadJob(queries: Queries, found: Job, { company, url, now }: PageContext) {
  const listing = await loadListing(queries, found, now);
  const { job } = listing;
  const status = APPLICATION_STATUSES.find((one) => one === url.searchParams.get('status'));
  const beforeId = readId(url.searchParams.get('before'));
  const filter = { companyId: company.id, jobId: job.id, status, beforeId, limit: APPLICATIONS_A_PAGE + 1 };
  const rows = await queries.applications.list(filter);
  const shown = firstPage(rows).map(toListedApplication);
  return {
    ...listing,
    sums: await queries.billingLedger.sums({ target: 'job', id: job.id }, toWindowSpan('LIFETIME', now)),
    applications: shown.map((one) => readApplication(one, job)),
    status,
    isLater: beforeId !== undefined,
    beforeId: rows.length > shown.length ? shown.at(-1)?.id : undefined,
  };
}

function firstPage<Row extends { readonly answers: string }>(rows: readonly Row[]): Row[] {
  let characters = 0;
  return rows.slice(0, APPLICATIONS_A_PAGE).filter(({ answers }, index) => {
    characters += answers.length;
    return index === 0 || characters <= ANSWERS_CHARACTERS_A_PAGE;
  });
}

function jobPage(page: JobPage, context: PageContext): Html {
  const { job, gate, surfacing } = page;
  const left = timeLeft(job, context.now);
  return html`<p class="crumb"><a href="${ROOT}">Jobs</a></p>
<div class="title"><div class="card-head"><h1>${userText(formatTitle(job))}</h1>${statusBadge(job.status)}</div>
<p class="meta">Job ${job.id}${left === '' ? '' : html` · ${left}`}</p></div>
${renderDoneNotice(context, DONE)}
${surfacing === undefined ? '' : renderSurfacing(surfacing)}
${gate === undefined ? '' : html`<section class="card" aria-labelledby="gate"><h2 id="gate">Before it can be published</h2>${gateList(job, gate)}</section>`}
${budgetSection(page)}
${listingSection(page)}
${gate !== undefined ? '' : job.isFrozen ? applications(page, context) : html`<section aria-labelledby="applications"><h2 id="applications">Applications</h2><p class="empty">No applications yet.</p></section>`}`;
}

function budgetSection({ job, budgets, sums }: JobPage): Html {
  const { charges, chargedCents, skipped, skippedCents } = sums;
  return html`<section class="card" aria-labelledby="budgets"><h2 id="budgets">Budgets</h2>
${budgets.length === 0 ? html`<p>${NO_CAPS}</p>` : budgetBars(budgets)}
${charges + skipped === 0 ? '' : html`<p>${formatCount(charges, 'charge')}: ${formatCents(chargedCents)}. Delivered free of charge: ${skipped === 0 ? 'none' : `${formatCount(skipped, 'application')}, ${formatCents(skippedCents)} never charged`}.</p>`}
${EDITABLE.includes(job.status) ? html`<p class="meta">To change the budgets, run <code>partner budgets set ${job.id} --daily-cents N</code></p>` : ''}
</section>`;
}

function listingSection({ job }: JobPage): Html {
  const content = listingContent(job);
  return html`<section class="card" aria-labelledby="listing"><h2 id="listing">Listing</h2>
${job.isFrozen ? html`<details><summary>Listing content and bid</summary>${content}</details>` : content}
</section>`;
}

function applications(page: JobPage, context: PageContext): Html {
  const { job, status, applications: shown } = page;
  const path = `${ROOT}/jobs/${job.id}`;
  const fresh = job.newApplicantCount;
  return html`<section aria-labelledby="applications">
<div class="card-head"><h2 id="applications">Applications</h2>${fresh > 0 ? badge('new', `${fresh} new`) : ''}</div>
${statusTabs('Applications by status', path, job.applicationCounts, status)}
${
  shown.length === 0
    ? html`<p class="empty">No ${status === undefined ? 'older' : status} applications.</p>`
    : html`<ul class="cards" role="list" aria-label="${formatCount(shown.length, 'application')}">${shown.map((one) => applicationCard(one, status, context))}</ul>`
}
${pager('Pages of applications', path, page)}
</section>`;
}
