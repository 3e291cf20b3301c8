import { html } from 'hono/html';
import { completenessGaps, type GateFacts } from '../../../contract/gate.ts';
import type { BudgetInput, Job } from '../../../contract/job.ts';
import { fieldName } from '../../../contract/problems.ts';
import { isWebLink } from '../../../contract/uri.ts';
import type { JobStatus } from '../../../contract/values.ts';
import { counted, formatCents, salaryWords, timeLeftWords, valueWord } from '../../../contract/words.ts';
import { budgetStates, capsAt, intervalOf } from '../../applications/caps.ts';
import { byOrder } from '../../applications/company-applications.ts';
import { filledWindow } from '../../billing/charge.ts';
import { windowAt } from '../../billing/windows.ts';
import type { Queries } from '../../store/store.ts';
import { type Html, ROOT } from '../page.ts';
import { badge, capital, facts, sign, type Tone, timeOf, userText } from '../parts.ts';

export type Listing = Awaited<ReturnType<typeof loadListing>>;

/** A job with its budgets; of a draft all that keeps it from being published, of an ACTIVE job who sees it. */
export async function loadListing(
  queries: Queries,
  job: Job,
  facts: GateFacts,
  companyBudgets: readonly BudgetInput[],
  now: number,
) {
  const bidCents = job.bidPerQualifiedApplicantCents ?? undefined;
  const isActive = job.status === 'ACTIVE';
  return {
    job,
    budgets: await budgetStates(queries, { target: 'job', id: job.id }, job.budgets, now, bidCents),
    gate: job.status === 'DRAFT' ? { ...facts, gaps: completenessGaps(job) } : undefined,
    surfacing: isActive ? await surfacingOf(queries, job, companyBudgets, now) : undefined,
  };
}

async function surfacingOf(
  { billingLedger }: Queries,
  job: Job,
  companyBudgets: readonly BudgetInput[],
  now: number,
) {
  const caps = await capsAt(billingLedger, { ...job, companyBudgets }, now);
  const filled = filledWindow(job.bidPerQualifiedApplicantCents ?? 0, caps);
  if (filled === undefined) return { filled: null, resetsAt: null };
  return { filled, resetsAt: intervalOf(windowAt(filled.window, now)).to };
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

export function titleOf({ title }: Pick<Job, 'title'>): string {
  return title.trim() || 'Untitled';
}

export function timeLeft({ status, publishedAt, expiresAt, closedAt }: Job, now: number): Html | '' {
  if (status === 'CLOSED' && closedAt !== null) return html`closed ${timeOf(closedAt)}`;
  if (expiresAt === null) return '';
  if (status === 'EXPIRED') return html`expired ${timeOf(expiresAt)}`;
  const start = publishedAt === null ? undefined : Date.parse(publishedAt);
  return html`${timeLeftWords(start, Date.parse(expiresAt), now)}, until ${timeOf(expiresAt)}`;
}

export function surfacingLine({ filled, resetsAt }: NonNullable<Listing['surfacing']>): Html {
  if (filled === null) return html`<p class="line">${sign('good')} <span>Shown to candidates</span></p>`;
  const whose = filled.target === 'job' ? "this job's" : "the company's";
  return html`<p class="line">${sign('warn')} <span>Not shown to candidates: ${whose} ${valueWord(filled.window)} cap is filled${
    resetsAt === null ? '' : html` until ${timeOf(resetsAt)}`
  }. Applications that still come are free.</span></p>`;
}

export function gateList({ id }: Job, gate: NonNullable<Listing['gate']>): Html {
  const { gaps, termsAccepted, cardOnFile } = gate;
  const gapList = gaps.map(({ path, message }) => html`<li><code>${fieldName(path)}</code> ${message}</li>`);
  const isOpen = gaps.length === 0 && termsAccepted && cardOnFile;
  return html`<ul class="gate" role="list">
${step(gaps.length === 0, gaps.length === 0 ? 'The listing is complete' : html`The listing has ${counted(gaps.length, 'gap')}<ul class="gaps">${gapList}</ul>`)}
${step(termsAccepted, termsAccepted ? 'The terms are accepted' : html`The terms are not accepted: <a href="${ROOT}/terms">read them</a>`)}
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
    ['Published', job.publishedAt === null ? undefined : timeOf(job.publishedAt)],
    ['Opportunity', job.opportunityId === null ? undefined : userText(job.opportunityId)],
    ['ATS', job.atsJobUrl === null ? undefined : linked(job.atsJobUrl)],
  ])}
${job.description.trim() === '' ? '' : html`<h3>Description</h3><p class="prose">${userText(job.description)}</p>`}
${job.qualifications.length === 0 ? '' : html`<h3>Qualifications</h3><ul>${qualifications(job)}</ul>`}
${job.questions.length === 0 ? '' : html`<h3>Questions</h3><ol>${questions(job)}</ol>`}
${job.isFrozen ? html`<p class="meta">Qualifications and questions are locked, since the job has applications.</p>` : ''}`;
}

/** A link where a browser may be sent there; any other URI is text, and `javascript:` is one. */
function linked(uri: string): Html {
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
