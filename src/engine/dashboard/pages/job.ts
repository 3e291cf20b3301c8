import { html } from 'hono/html';
import { EDITABLE } from '../../../contract/lifecycle.ts';
import { formatCents } from '../../../contract/money.ts';
import { APPLICATION_STATUSES } from '../../../contract/values.ts';
import { counted } from '../../../contract/words.ts';
import type { JobPage } from '../models/job.ts';
import type { Html, Visit } from '../visit.ts';
import { applicationCard } from './application.ts';
import { budgetBars } from './budget-bars.ts';
import { gateList, listingContent, statusBadge, surfacingLine, timeLeft, titleOf } from './listing.ts';
import { address, badge, capital, notice, pager, ROOT, tabs, theirs } from './parts.ts';

/** What has just been done with an application, by what the address says of it. */
const DONE: Readonly<Record<string, string>> = {
  accepted: 'The application was accepted.',
  rejected: 'The application was rejected.',
};

/** A job: how it stands, who has applied, and what the listing says. */
export function jobPage(page: JobPage, visit: Visit): Html {
  const { job, gate, surfacing } = page;
  const done = visit.url.searchParams.get('done') ?? '';
  const left = timeLeft(job, visit.now);
  return html`<p class="crumb"><a href="${ROOT}">Jobs</a></p>
<div class="title"><div class="card-head"><h1>${theirs(titleOf(job))}</h1>${statusBadge(job.status)}</div>
<p class="meta">Job ${job.id}${left === '' ? '' : html` · ${left}`}</p></div>
${Object.hasOwn(DONE, done) ? notice('good', DONE[done] ?? '') : ''}
${surfacing === undefined ? '' : surfacingLine(surfacing)}
${gate === undefined ? '' : html`<section class="card" aria-labelledby="gate"><h2 id="gate">Before it can be published</h2>${gateList(job, gate, 'whole')}</section>`}
${budgetSection(page)}
${listingSection(page)}
${gate !== undefined ? '' : job.isFrozen ? applications(page, visit) : html`<section aria-labelledby="applications"><h2 id="applications">Applications</h2><p class="empty">Nobody has applied yet.</p></section>`}`;
}

function budgetSection({ job, budgets, sums }: JobPage): Html {
  const { charges, chargedCents, skipped, skippedCents } = sums;
  return html`<section class="card" aria-labelledby="budgets"><h2 id="budgets">Budgets</h2>
${budgets.length === 0 ? html`<p>No caps of its own: spending is unlimited but for the company's budget.</p>` : budgetBars(budgets, 'whole')}
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

function applications(page: JobPage, visit: Visit): Html {
  const { job, status, applications: shown } = page;
  const path = `${ROOT}/jobs/${job.id}`;
  const { pending, accepted, rejected } = job.applicationCounts;
  const fresh = job.newApplicantCount;
  return html`<section aria-labelledby="applications">
<div class="card-head"><h2 id="applications">Applications</h2>${fresh > 0 ? badge('new', `${fresh} new`) : ''}</div>
${tabs('Applications by status', [
  { text: 'All', count: pending + accepted + rejected, href: path, isCurrent: status === undefined },
  ...APPLICATION_STATUSES.map((one) => ({
    text: capital(one),
    count: job.applicationCounts[one],
    href: address(path, { status: one }),
    isCurrent: one === status,
  })),
])}
${
  shown.length === 0
    ? html`<p class="empty">No ${status === undefined ? 'older' : status} application.</p>`
    : html`<ul class="cards" role="list" aria-label="${counted(shown.length, 'application')}">${shown.map((one) => applicationCard(one, page, visit))}</ul>`
}
${pager('Pages of applications', {
  newest: page.isLater ? address(path, { status }) : undefined,
  older: page.beforeId === undefined ? undefined : address(path, { status, before: page.beforeId }),
})}
</section>`;
}
