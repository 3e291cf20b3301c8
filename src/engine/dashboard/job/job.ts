import { html } from 'hono/html';
import type { Job } from '../../../contract/job.ts';
import { EDITABLE } from '../../../contract/lifecycle.ts';
import { APPLICATION_STATUSES } from '../../../contract/values.ts';
import { counted, formatCents } from '../../../contract/words.ts';
import { listedApplication, readApplication } from '../../applications/company-applications.ts';
import { companyById } from '../../companies/company.ts';
import { gateFacts } from '../../companies/terms.ts';
import { jobAt } from '../../lifecycle/job-state.ts';
import { foundJob } from '../../lifecycle/refusals.ts';
import type { Queries } from '../../store/store.ts';
import { type DashboardRoute, get, type Html, type PageContext, ROOT } from '../page.ts';
import { badge, budgetBars, doneNotice, idIn, NO_CAPS, pager, statusTabs, userText } from '../parts.ts';
import { applicationCard } from './application.ts';
import {
  gateList,
  listingContent,
  loadListing,
  statusBadge,
  surfacingLine,
  timeLeft,
  titleOf,
} from './listing.ts';

const APPLICATIONS_A_PAGE = 20;
/** A page with so many characters of answers ends early: anybody may send a mebibyte of them. */
const ANSWERS_CHARACTERS_A_PAGE = 1024 * 1024;

const DONE = {
  accepted: 'The application was accepted.',
  rejected: 'The application was rejected.',
};

export const JOB_ROUTES: readonly DashboardRoute[] = [
  get('/jobs/:id', async (context, { store }) => {
    const id = idIn(context.params.id) ?? 0;
    const job = foundJob(id, await store.read.jobs.find(context.company.id, id));
    // Decision 18: it is opened now, and what comes from here on is new the next time.
    if (context.isLookedAt && job.newApplicantCount > 0)
      await store.write(({ applications }) => applications.forgetUnseen(job.id));
    const page = await loadJob(store.read, job, context);
    return { page: { title: titleOf(job), body: jobPage(page, context) } };
  }),
];

type JobPage = Awaited<ReturnType<typeof loadJob>>;

/** `found` as it stands at the time of the request, with the applications that the address asks for. */
async function loadJob(queries: Queries, found: Job, { company, url, now }: PageContext) {
  const job = jobAt(found, now);
  const { budgets } = await companyById(queries, company.id);
  const listing = await loadListing(
    queries,
    job,
    await gateFacts(queries, company.id),
    JSON.parse(budgets),
    now,
  );

  const status = APPLICATION_STATUSES.find((one) => one === url.searchParams.get('status'));
  const beforeId = idIn(url.searchParams.get('before'));
  const filter = { companyId: company.id, jobId: job.id, status, beforeId, limit: APPLICATIONS_A_PAGE + 1 };
  const rows = await queries.applications.list(filter);
  const shown = firstPage(rows).map(listedApplication);
  return {
    ...listing,
    sums: await queries.billingLedger.sums({ target: 'job', id: job.id }, { from: '', to: null }),
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
<div class="title"><div class="card-head"><h1>${userText(titleOf(job))}</h1>${statusBadge(job.status)}</div>
<p class="meta">Job ${job.id}${left === '' ? '' : html` · ${left}`}</p></div>
${doneNotice(context, DONE)}
${surfacing === undefined ? '' : surfacingLine(surfacing)}
${gate === undefined ? '' : html`<section class="card" aria-labelledby="gate"><h2 id="gate">Before it can be published</h2>${gateList(job, gate)}</section>`}
${budgetSection(page)}
${listingSection(page)}
${gate !== undefined ? '' : job.isFrozen ? applications(page, context) : html`<section aria-labelledby="applications"><h2 id="applications">Applications</h2><p class="empty">Nobody has applied yet.</p></section>`}`;
}

function budgetSection({ job, budgets, sums }: JobPage): Html {
  const { charges, chargedCents, skipped, skippedCents } = sums;
  return html`<section class="card" aria-labelledby="budgets"><h2 id="budgets">Budgets</h2>
${budgets.length === 0 ? html`<p>${NO_CAPS}</p>` : budgetBars(budgets)}
${charges + skipped === 0 ? '' : html`<p>${counted(charges, 'charge')}: ${formatCents(chargedCents)}. Delivered free of charge: ${skipped === 0 ? 'none' : `${counted(skipped, 'application')}, ${formatCents(skippedCents)} that is never charged`}.</p>`}
${EDITABLE.includes(job.status) ? html`<p class="meta">Set on the command line: <code>partner budgets set ${job.id} --daily-cents N</code></p>` : ''}
</section>`;
}

/** Folded up where people have applied: they are what the page is opened for. */
function listingSection({ job }: JobPage): Html {
  const content = listingContent(job);
  return html`<section class="card" aria-labelledby="listing"><h2 id="listing">Listing</h2>
${job.isFrozen ? html`<details><summary>What candidates read, and what is paid for them</summary>${content}</details>` : content}
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
    ? html`<p class="empty">No ${status === undefined ? 'older' : status} application.</p>`
    : html`<ul class="cards" role="list" aria-label="${counted(shown.length, 'application')}">${shown.map((one) => applicationCard(one, status, context))}</ul>`
}
${pager('Pages of applications', path, page)}
</section>`;
}
