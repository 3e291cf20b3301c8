import { html } from 'hono/html';
import { completenessGaps, findFullestCap, formatSpentOfCap } from '../../contract/gate.ts';
import { JOB_STATUSES } from '../../contract/values.ts';
import { distanceWords, formatCount, valueWord } from '../../contract/words.ts';
import { loadSpending } from '../applications/caps.ts';
import { loadGateFacts } from '../companies/terms.ts';
import { withExpiry } from '../lifecycle/job-state.ts';
import { type Queries, settleExpiry } from '../store/store.ts';
import { formatTitle, step } from './job/job.ts';
import { type DashboardRoute, get, type Html, type PageContext, ROOT } from './page.ts';
import { address, badge, capital, pager, readId, statusBadge, statusTabs, userText } from './parts.ts';

const JOBS_A_PAGE = 25;
const TITLE_CHARACTERS_MAX = 200;

export const JOBS_ROUTES: readonly DashboardRoute[] = [
  get('/', async (context, { store, clock }) => {
    const asked = { ...context, now: await settleExpiry(store, clock) };
    return { page: { title: 'Jobs', body: jobsPage(await loadJobs(store.read, asked), asked) } };
  }),
];

type JobsPage = Awaited<ReturnType<typeof loadJobs>>;

/** Ignores an unknown status or cursor in the URL. A search by title covers all statuses. */
async function loadJobs(queries: Queries, { company, url, now }: PageContext) {
  const { searchParams: asked } = url;
  const typed = (asked.get('title') ?? '').replaceAll('\0', '').trim().slice(0, TITLE_CHARACTERS_MAX);
  const title = typed === '' ? undefined : typed;
  const status = title === undefined ? JOB_STATUSES.find((one) => one === asked.get('status')) : undefined;
  const beforeId = readId(asked.get('before'));
  const filter = { companyId: company.id, status, title, beforeId, limit: JOBS_A_PAGE + 1 };
  const found = await queries.jobs.list(filter);
  const jobs = found.slice(0, JOBS_A_PAGE).map((job) => withExpiry(job, now));
  const spending = await loadSpending(queries, company.id, jobs, now);
  return {
    rows: jobs.map((job, at) => ({ job, ...spending.jobs[at] })),
    counts: await queries.jobs.countByStatus(company.id),
    facts: await loadGateFacts(queries, company.id),
    status,
    title,
    isLater: beforeId !== undefined,
    beforeId: found.length > JOBS_A_PAGE ? jobs.at(-1)?.id : undefined,
  };
}

function jobsPage(page: JobsPage, { now }: PageContext): Html {
  const { rows, counts, status, title } = page;
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return html`<h1>Jobs</h1>
${renderSetup(page, total)}
${total === 0 ? '' : html`<div class="above">${statusTabs('Jobs by status', ROOT, counts, title === undefined ? status : '')}${searchForm(page)}</div>`}
${rows.length === 0 && total > 0 ? html`<p class="empty">${describeNone(page)}</p>` : ''}
${rows.length === 0 ? '' : jobTable(rows, now)}
${pager('Pages of jobs', address(ROOT, { title }), page)}`;
}

function searchForm({ title }: JobsPage): Html {
  return html`<form action="${ROOT}" role="search" class="actions"><label for="title">Title</label>
<div class="money"><input type="search" id="title" name="title" value="${title ?? ''}" maxlength="${TITLE_CHARACTERS_MAX}"></div><button>Search</button>
${title === undefined ? '' : html`<a href="${ROOT}">Show all jobs</a>`}</form>`;
}

function describeNone({ status, title, isLater }: JobsPage): Html | string {
  if (isLater || (status === undefined && title === undefined)) return 'There are no older jobs.';
  if (status !== undefined) return `No ${status.toLowerCase()} jobs.`;
  return html`No job has “${userText(title ?? '')}” in its title.`;
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

function jobTable(rows: JobsPage['rows'], now: number): Html {
  return html`<div class="scroll" role="region" aria-label="Jobs" tabindex="0"><table class="jobs">
<caption class="visually-hidden">Jobs, newest first</caption>
<thead><tr><th scope="col">Job</th><th scope="col">Status</th><th scope="col">Expires</th><th scope="col" class="number">Pending</th><th scope="col" class="number">Accepted</th><th scope="col" class="number">Rejected</th><th scope="col" class="number">Spent</th></tr></thead>
<tbody>${rows.map((row) => jobRow(row, now))}</tbody>
</table></div>`;
}

function jobRow({ job, spentCents, filled }: JobsPage['rows'][number], now: number): Html {
  const { pending, accepted, rejected } = job.applicationCounts;
  const fresh = job.newApplicantCount;
  const gaps = job.status === 'DRAFT' ? completenessGaps(job).length : 0;
  const ends = job.status === 'CLOSED' || job.expiresAt === null ? undefined : job.expiresAt;
  return html`<tr>
<th scope="row"><a href="${ROOT}/jobs/${job.id}">${userText(formatTitle(job))}</a> <span class="meta">${job.id}</span></th>
<td>${statusBadge(job.status)} ${gaps === 0 ? '' : html`<span class="meta">${formatCount(gaps, 'problem')}</span>`}${!filled ? '' : badge('warn', `${filled.target === 'job' ? capital(valueWord(filled.window)) : 'Company'} cap filled`)}</td>
<td>${ends === undefined ? '' : html`<time datetime="${ends}">${distanceWords(Date.parse(ends), now)}</time>`}</td>
<td class="number">${fresh > 0 ? badge('new', `${fresh} new`) : ''} ${pending}</td><td class="number">${accepted}</td><td class="number">${rejected}</td>
<td class="number">${job.status === 'DRAFT' || spentCents === undefined ? '' : formatSpentOfCap(findFullestCap(job, spentCents))}</td>
</tr>`;
}
