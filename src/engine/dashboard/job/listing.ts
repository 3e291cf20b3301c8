import { html } from 'hono/html';
import { completenessGaps } from '../../../contract/gate.ts';
import type { BudgetInput, Job } from '../../../contract/job.ts';
import { fieldName } from '../../../contract/problems.ts';
import { isoTime } from '../../../contract/time.ts';
import { isWebLink } from '../../../contract/uri.ts';
import type { JobStatus } from '../../../contract/values.ts';
import { formatCents, formatCount, salaryWords, timeLeftWords, valueWord } from '../../../contract/words.ts';
import { loadBudgetStates, loadCaps } from '../../applications/caps.ts';
import { byOrder } from '../../applications/company-applications.ts';
import { findFilledWindow, toWindowSpan } from '../../billing/charge.ts';
import { loadCompany } from '../../companies/company.ts';
import { loadGateFacts } from '../../companies/terms.ts';
import { withExpiry } from '../../lifecycle/job-state.ts';
import type { Queries } from '../../store/store.ts';
import { type Html, ROOT } from '../page.ts';
import { badge, capital, facts, renderTime, sign, type Tone, userText } from '../parts.ts';

export type Listing = Awaited<ReturnType<typeof loadListing>>;

/** Loads what the page of a job shows. */
export async function loadListing(queries: Queries, found: Job, now: number) {
  const job = withExpiry(found, now);
  const bidCents = job.bidPerQualifiedApplicantCents ?? undefined;
  const facts = await loadGateFacts(queries, job.companyId);
  return {
    job,
    budgets: await loadBudgetStates(queries, { target: 'job', id: job.id }, job.budgets, now, bidCents),
    gate: job.status === 'DRAFT' ? { ...facts, gaps: completenessGaps(job) } : undefined,
    surfacing: job.status === 'ACTIVE' ? await loadSurfacing(queries, job, now) : undefined,
  };
}

async function loadSurfacing(queries: Queries, job: Job, now: number) {
  const companyBudgets = JSON.parse((await loadCompany(queries, job.companyId)).budgets) as BudgetInput[];
  const caps = await loadCaps(queries.billingLedger, { ...job, companyBudgets }, now);
  const filled = findFilledWindow(job.bidPerQualifiedApplicantCents ?? 0, caps);
  if (filled === undefined) return { filled: null, resetsAt: null };
  const { endsAt } = toWindowSpan(filled.window, now);
  return { filled, resetsAt: endsAt === null ? null : isoTime(endsAt) };
}

const STATUS_TONES: Readonly<Record<JobStatus, Tone>> = {
  DRAFT: 'info',
  ACTIVE: 'good',
  PAUSED: 'warn',
  CLOSED: 'quiet',
  EXPIRED: 'quiet',
};

export function statusBadge(status: JobStatus): Html {
  return badge(STATUS_TONES[status], statusText(status));
}

export function statusText(status: JobStatus): string {
  return capital(status.toLowerCase());
}

export function formatTitle({ title }: Pick<Job, 'title'>): string {
  return title.trim() || 'Untitled';
}

export function timeLeft({ status, publishedAt, expiresAt, closedAt }: Job, now: number): Html | '' {
  if (status === 'CLOSED' && closedAt !== null) return html`closed ${renderTime(closedAt)}`;
  if (expiresAt === null) return '';
  if (status === 'EXPIRED') return html`expired ${renderTime(expiresAt)}`;
  const start = publishedAt === null ? undefined : Date.parse(publishedAt);
  return html`${timeLeftWords(start, Date.parse(expiresAt), now)}, until ${renderTime(expiresAt)}`;
}

export function renderSurfacing({ filled, resetsAt }: NonNullable<Listing['surfacing']>): Html {
  if (filled === null) return html`<p class="line">${sign('good')} <span>Shown to candidates</span></p>`;
  const whose = filled.target === 'job' ? "this job's" : "the company's";
  return html`<p class="line">${sign('warn')} <span>Not shown to candidates: ${whose} ${valueWord(filled.window)} cap is filled${resetsAt === null ? '' : html` until ${renderTime(resetsAt)}`}. Further applications are free.</span></p>`;
}

export function gateList({ id }: Job, gate: NonNullable<Listing['gate']>): Html {
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

export function listingContent(job: Job): Html {
  const work = [job.remoteOption, job.jobType, job.jobLevel].filter((value) => value !== null).map(valueWord);
  const places = job.locations.map(({ displayName }) => displayName);
  const bid = job.bidPerQualifiedApplicantCents;
  const isRemote = job.remoteOption === 'REMOTE' && job.remoteCountry !== null;
  return html`${facts([
    ['Bid', bid === null ? undefined : `${formatCents(bid)} per qualified applicant`],
    ['Work', capital(work.join(' · '))],
    ['Where', [...places, ...(isRemote ? [job.remoteCountry] : [])].join('; ')],
    [
      'Salary',
      salaryWords(
        job.salaryMin ?? undefined,
        job.salaryMax ?? undefined,
        job.salaryPeriod === null ? undefined : valueWord(job.salaryPeriod),
      ),
    ],
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
  return isWebLink(uri)
    ? html`<a href="${uri}" rel="noopener noreferrer">${userText(uri)}</a>`
    : userText(uri);
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
