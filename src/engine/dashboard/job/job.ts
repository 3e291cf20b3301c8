import { html } from 'hono/html';
import { completenessGaps } from '../../../contract/gate.ts';
import type { BudgetInput, Job } from '../../../contract/job.ts';
import { EDITABLE } from '../../../contract/lifecycle.ts';
import { assertJobFound, fieldName } from '../../../contract/problems.ts';
import { isoTime } from '../../../contract/time.ts';
import { isWebLink } from '../../../contract/uri.ts';
import { APPLICATION_STATUSES } from '../../../contract/values.ts';
import { formatCents, formatCount, salaryWords, timeLeftWords, valueWord } from '../../../contract/words.ts';
import { loadBudgetStates, loadCaps } from '../../applications/caps.ts';
import { byOrder, readApplication, toListedApplication } from '../../applications/company-applications.ts';
import { findFilledWindow, toWindowSpan } from '../../billing/charge.ts';
import { loadCompany } from '../../companies/company.ts';
import { loadGateFacts } from '../../companies/terms.ts';
import { withExpiry } from '../../lifecycle/job-state.ts';
import type { Queries } from '../../store/store.ts';
import { type DashboardRoute, get, type Html, type PageContext, ROOT } from '../page.ts';
import {
  badge,
  budgetBars,
  capital,
  facts,
  NO_CAPS,
  pager,
  readId,
  renderDoneNotice,
  renderTime,
  sign,
  statusBadge,
  statusTabs,
  userText,
} from '../parts.ts';
import { applicationCard } from './application.ts';

const APPLICATIONS_A_PAGE = 20;
/** A page ends early above this size, because one application can contain 1 MiB of answers. */
const ANSWERS_CHARACTERS_A_PAGE = 1024 * 1024;

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
  const job = withExpiry(found, now);
  const target = { target: 'job', id: job.id } as const;
  const facts = await loadGateFacts(queries, job.companyId);
  const status = APPLICATION_STATUSES.find((one) => one === url.searchParams.get('status'));
  const beforeId = readId(url.searchParams.get('before'));
  const filter = { companyId: company.id, jobId: job.id, status, beforeId, limit: APPLICATIONS_A_PAGE + 1 };
  const rows = await queries.applications.list(filter);
  const shown = firstPage(rows).map(toListedApplication);
  return {
    job,
    budgets: await loadBudgetStates(queries, target, job.budgets, now, job.bidPerQualifiedApplicantCents),
    gate: job.status === 'DRAFT' ? { ...facts, gaps: completenessGaps(job) } : undefined,
    surfacing: job.status === 'ACTIVE' ? await loadSurfacing(queries, job, now) : undefined,
    sums: await queries.billingLedger.sums(target, toWindowSpan('LIFETIME', now)),
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
${renderDoneNotice(context, { accepted: 'The application was accepted.', rejected: 'The application was rejected.' })}
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

async function loadSurfacing(queries: Queries, job: Job, now: number) {
  const companyBudgets = JSON.parse((await loadCompany(queries, job.companyId)).budgets) as BudgetInput[];
  const caps = await loadCaps(queries.billingLedger, { ...job, companyBudgets }, now);
  const filled = findFilledWindow(job.bidPerQualifiedApplicantCents ?? 0, caps);
  const endsAt = filled && toWindowSpan(filled.window, now).endsAt;
  return { filled, resetsAt: endsAt ? isoTime(endsAt) : null };
}

export function formatTitle({ title }: Pick<Job, 'title'>): string {
  return title.trim() || 'Untitled';
}

function timeLeft({ status, publishedAt, expiresAt, closedAt }: Job, now: number): Html | '' {
  if (status === 'CLOSED' && closedAt !== null) return html`closed ${renderTime(closedAt)}`;
  if (expiresAt === null) return '';
  if (status === 'EXPIRED') return html`expired ${renderTime(expiresAt)}`;
  const start = publishedAt === null ? undefined : Date.parse(publishedAt);
  return html`${timeLeftWords(start, Date.parse(expiresAt), now)}, until ${renderTime(expiresAt)}`;
}

function renderSurfacing({ filled, resetsAt }: NonNullable<JobPage['surfacing']>): Html {
  if (filled === undefined) return html`<p class="line">${sign('good')} <span>Shown to candidates</span></p>`;
  const whose = filled.target === 'job' ? "this job's" : "the company's";
  return html`<p class="line">${sign('warn')} <span>Not shown to candidates: ${whose} ${valueWord(filled.window)} cap is filled${resetsAt === null ? '' : html` until ${renderTime(resetsAt)}`}. Further applications are free.</span></p>`;
}

function gateList({ id }: Job, gate: NonNullable<JobPage['gate']>): Html {
  const { gaps, termsAccepted, cardOnFile } = gate;
  const gapList = gaps.map(({ path, message }) => html`<li><code>${fieldName(path)}</code> ${message}</li>`);
  const isOpen = gaps.length === 0 && termsAccepted && cardOnFile;
  return html`<ul class="gate" role="list">
${step(gaps.length === 0, gaps.length === 0 ? 'The listing is complete' : html`The listing has ${formatCount(gaps.length, 'problem')}<ul class="gaps">${gapList}</ul>`)}
${step(termsAccepted, termsAccepted ? 'The terms are accepted' : html`The terms aren't accepted: <a href="${ROOT}/terms">read them</a>`)}
${step(cardOnFile, cardOnFile ? 'A card is on file' : html`No card is on file: <a href="${ROOT}/billing">add one</a>`)}
</ul>
${isOpen ? html`<p>Ready: publish it with <code>partner jobs publish ${id}</code></p>` : ''}`;
}

export function step(isDone: boolean, text: Html | string): Html {
  return html`<li>${sign(isDone ? 'good' : 'warn')}<span class="visually-hidden">${isDone ? 'Done: ' : 'To do: '}</span><div>${text}</div></li>`;
}

function listingContent(job: Job): Html {
  const work = [job.remoteOption, job.jobType, job.jobLevel].filter((value) => value !== null).map(valueWord);
  const places = job.locations.map(({ displayName }) => displayName);
  const bid = job.bidPerQualifiedApplicantCents;
  const isRemote = job.remoteOption === 'REMOTE' && job.remoteCountry !== null;
  return html`${facts([
    ['Bid', bid === null ? undefined : `${formatCents(bid)} per qualified applicant`],
    ['Work', capital(work.join(' · '))],
    ['Where', [...places, ...(isRemote ? [job.remoteCountry] : [])].join('; ')],
    ['Salary', salaryWords(job.salaryMin, job.salaryMax, job.salaryPeriod && valueWord(job.salaryPeriod))],
    ['Published', job.publishedAt === null ? undefined : renderTime(job.publishedAt)],
    ['Opportunity', job.opportunityId === null ? undefined : userText(job.opportunityId)],
    ['ATS', job.atsJobUrl === null ? undefined : renderLink(job.atsJobUrl)],
  ])}
${job.description.trim() === '' ? '' : html`<h3>Description</h3><p class="prose">${userText(job.description)}</p>`}
${job.qualifications.length === 0 ? '' : html`<h3>Qualifications</h3><ul>${qualifications(job)}</ul>`}
${job.questions.length === 0 ? '' : html`<h3>Questions</h3><ol>${questions(job)}</ol>`}
${job.isFrozen ? html`<p class="meta">Qualifications and questions are locked because the job has applications.</p>` : ''}`;
}

/** Only links web URLs, because other URIs can be `javascript:`. */
function renderLink(uri: string): Html {
  if (!isWebLink(uri)) return userText(uri);
  return html`<a href="${uri}" rel="noopener noreferrer">${userText(uri)}</a>`;
}

function qualifications(job: Job): Html[] {
  return byOrder(job.qualifications).map(
    ({ text, kind }) => html`<li>${userText(text)} <span class="meta">${valueWord(kind)}</span></li>`,
  );
}

function questions(job: Job): Html[] {
  return byOrder(job.questions).map(({ prompt, answerFormat, options = [] }) => {
    const choices = options.length === 0 ? '' : html`: ${userText(options.join(' · '))}`;
    return html`<li>${userText(prompt)} <span class="meta">${valueWord(answerFormat)}${choices}</span></li>`;
  });
}
