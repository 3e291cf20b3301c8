import { html } from 'hono/html';
import { formatCents } from '../../../contract/money.ts';
import { JOB_STATUSES } from '../../../contract/values.ts';
import { counted, valueWord } from '../../../contract/words.ts';
import type { JobsPage } from '../models/jobs.ts';
import type { Listing } from '../models/listing.ts';
import type { Html, Visit } from '../visit.ts';
import { budgetBars } from './budget-bars.ts';
import { gateList, statusBadge, statusText, step, surfacingLine, timeLeft, titleOf } from './listing.ts';
import { address, badge, pager, ROOT, tabs, theirs } from './parts.ts';

/** The company's jobs, and what there is to do before one can go live. */
export function jobsPage(page: JobsPage, { now }: Visit): Html {
  const { listings, counts, status } = page;
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return html`<h1>Jobs</h1>
${setUp(page, total)}
${total === 0 ? '' : filters(page, total)}
${listings.length === 0 && total > 0 ? html`<p class="empty">${status === undefined ? 'There are no older jobs.' : `No job is ${statusText(status).toLowerCase()}.`}</p>` : ''}
${listings.length === 0 ? '' : html`<ul class="cards" role="list">${listings.map((listing) => jobCard(listing, now))}</ul>`}
${pager('Pages of jobs', {
  newest: page.isLater ? address(ROOT, { status }) : undefined,
  older: page.beforeId === undefined ? undefined : address(ROOT, { status, before: page.beforeId }),
})}`;
}

/** The caps of a draft, of which nothing is spent yet. */
function capsLine(budgets: Listing['budgets']): Html {
  const caps = budgets.map(({ window, budgetCents }) => `${formatCents(budgetCents)} ${valueWord(window)}`);
  return html`<p class="meta">Caps: ${caps.join(', ')}</p>`;
}

/** The way from an empty company to a live job; gone once it was gone. */
function setUp({ facts: { termsAccepted, cardOnFile } }: JobsPage, total: number): Html | '' {
  if (termsAccepted && cardOnFile && total > 0) return '';
  return html`<section class="card" aria-labelledby="set-up">
<h2 id="set-up">Before a job can go live</h2>
<ul class="gate" role="list">
${step(termsAccepted, termsAccepted ? 'The employer terms are accepted' : html`<a href="${ROOT}/terms">Read and accept the employer terms</a>`)}
${step(cardOnFile, cardOnFile ? 'A payment card is on file' : html`<a href="${ROOT}/billing">Add a payment card</a>`)}
${step(total > 0, total > 0 ? 'There is a job' : html`Create a job on the command line: <code>partner jobs create</code> asks for each field.<br>From a file, and live at once: <code>partner jobs create job.json --publish</code>`)}
</ul>
</section>`;
}

function filters({ counts, status }: JobsPage, total: number): Html {
  return tabs('Jobs by status', [
    { text: 'All', count: total, href: ROOT, isCurrent: status === undefined },
    ...JOB_STATUSES.map((one) => ({
      text: statusText(one),
      count: counts[one],
      href: address(ROOT, { status: one }),
      isCurrent: one === status,
    })),
  ]);
}

function jobCard({ job, budgets, gate, surfacing }: Listing, now: number): Html {
  const bid = job.bidPerQualifiedApplicantCents;
  const { pending, accepted, rejected } = job.applicationCounts;
  const left = timeLeft(job, now);
  return html`<li class="card">
<div class="card-head"><h2><a href="${ROOT}/jobs/${job.id}">${theirs(titleOf(job))}</a></h2>${statusBadge(job.status)}</div>
<p class="meta">Job ${job.id}${left === '' ? '' : html` · ${left}`}${bid === null ? '' : ` · ${formatCents(bid)} per qualified applicant`}</p>
${
  gate === undefined
    ? html`<p class="line">${counted(pending + accepted + rejected, 'application')}${
        job.isFrozen ? `: ${pending} pending, ${accepted} accepted, ${rejected} rejected` : ''
      } ${job.newApplicantCount > 0 ? badge('new', `${job.newApplicantCount} new`) : ''}</p>`
    : gateList(job, gate, 'short')
}
${surfacing === undefined ? '' : surfacingLine(surfacing)}
${budgets.length === 0 ? '' : gate === undefined ? budgetBars(budgets, 'short') : capsLine(budgets)}
${budgets.length === 0 && gate === undefined ? html`<p class="meta">No caps of its own: spending is unlimited but for the company's budget.</p>` : ''}
</li>`;
}
