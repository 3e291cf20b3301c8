import { html } from 'hono/html';
import { formatMonth } from '../../../contract/time.ts';
import { formatCents } from '../../../contract/words.ts';
import { csvLines } from '../../../text/csv.ts';
import { INVISIBLE_CHARS } from '../../../text/outside-text.ts';
import { buildInvoice, type Invoice, type InvoiceItem, monthSpan, sum } from '../../companies/invoice.ts';
import type { Queries } from '../../store/store.ts';
import { get, type Html, type PageContext, ROOT } from '../page.ts';
import { address, bar, facts, userText } from '../parts.ts';

export const INVOICE_ROUTE = get('/billing/invoice.csv', async ({ company, now, url }, { store }) => {
  const month = readMonth(url, now);
  const invoice = await buildInvoice(store.read, { companyId: company.id, month, outcome: 'charged' }, now);
  const name = `invoice-${month}.csv`;
  return { download: { name, type: 'text/csv; charset=utf-8', content: invoiceCsv(invoice) } };
});

const JOBS_SHOWN = 20;

type MonthSection = Awaited<ReturnType<typeof loadMonth>>;

/** Throws VALIDATION_FAILED for an invalid month in the URL. */
export async function loadMonth(queries: Queries, { company, url, now }: PageContext, firstMonth: string) {
  const month = readMonth(url, now);
  const span = monthSpan(month);
  const target = { target: 'company', id: company.id } as const;
  const asked = { companyId: company.id, month, outcome: 'charged', jobsMax: JOBS_SHOWN } as const;
  const { items } = await buildInvoice(queries, asked, now);
  // Read last, so that the total includes every charge in the items.
  const days = await queries.billingLedger.days(target, span);
  return {
    month,
    earlier: month > firstMonth ? formatMonth(span.startsAt - 1) : undefined,
    later: month < formatMonth(now) ? formatMonth(span.endsAt) : undefined,
    days,
    total: sumCharges(days),
    items,
  };
}

function readMonth(url: URL, now: number): string {
  return url.searchParams.get('month')?.trim() || formatMonth(now);
}

export function monthSection(section: MonthSection): Html {
  const { month, earlier, later, days, total, items } = section;
  const text = monthText(month);
  const path = `${ROOT}/billing`;
  return html`<section class="card" aria-labelledby="month">
<div class="card-head"><h2 id="month">${text}</h2>
<nav class="months" aria-label="Months">
${earlier === undefined ? '' : html`<a class="button" rel="prev" href="${address(path, { month: earlier })}">${monthText(earlier)}</a>`}
${later === undefined ? '' : html`<a class="button" rel="next" href="${address(path, { month: later })}">${monthText(later)}</a>`}
</nav></div>
${facts(
  [
    ['Charged', formatCents(total.chargedCents)],
    ['Charges', String(total.charges)],
  ],
  'narrow',
)}
${dayTable(days, text)}
${items.length === 0 ? '' : html`<h3 id="invoice">Invoice</h3>${invoiceTable(section, text)}`}
<p><a class="button" href="${address(`${path}/invoice.csv`, { month })}" download>Download as CSV</a></p>
</section>`;
}

function dayTable(days: MonthSection['days'], text: string): Html {
  const busy = days.filter(({ chargedCents }) => chargedCents > 0);
  if (busy.length === 0) return html`<p class="empty">Nothing was charged in ${text}.</p>`;
  const most = Math.max(...busy.map(({ chargedCents }) => chargedCents));
  return html`<h3 id="days">Spend by day (UTC)</h3>
<table class="days">
<caption class="visually-hidden">Spend by day, ${text}, without days that have no spend</caption>
<thead class="visually-hidden"><tr><th scope="col">Day</th><td></td><th scope="col">Charged</th></tr></thead>
<tbody>${busy.map(
    ({ day, chargedCents }) =>
      html`<tr><th scope="row">${Number(day.slice(8))}</th><td>${bar(chargedCents, most)}</td><td class="number">${formatCents(chargedCents)}</td></tr>`,
  )}</tbody>
</table>`;
}

const MONTH_NAME = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });

function monthText(month: string): string {
  return MONTH_NAME.format(monthSpan(month).startsAt);
}

type Charged = Pick<InvoiceItem, 'charges' | 'chargedCents'>;

function sumCharges(charged: readonly Charged[]): Charged {
  return {
    charges: sum(charged, ({ charges }) => charges),
    chargedCents: sum(charged, ({ chargedCents }) => chargedCents),
  };
}

function invoiceTable({ total, items }: MonthSection, text: string): Html {
  const shown = sumCharges(items);
  const others = total.charges - shown.charges;
  const amount = ({ charges, chargedCents }: Charged) =>
    html`<td class="number">${charges}</td><td class="number">${formatCents(chargedCents)}</td>`;
  return html`<div class="scroll" role="region" aria-label="Invoice of ${text}" tabindex="0"><table>
<caption class="visually-hidden">Invoice of ${text}, by job</caption>
<thead><tr><th scope="col">Job</th><th scope="col" class="number">Charges</th><th scope="col" class="number">Amount</th></tr></thead>
<tbody>${items.map(
    (item) =>
      html`<tr><th scope="row"><a href="${ROOT}/jobs/${item.jobId}">${userText(item.title || 'Untitled')}</a> <span class="meta">job ${item.jobId}</span></th>${amount(item)}</tr>`,
  )}${
    items.length < JOBS_SHOWN || others === 0
      ? ''
      : html`<tr><th scope="row">All other jobs <span class="meta">in the CSV</span></th>${amount({ charges: others, chargedCents: total.chargedCents - shown.chargedCents })}</tr>`
  }</tbody>
<tfoot><tr><th scope="row">Total</th>${amount(total)}</tr></tfoot>
</table></div>`;
}

function invoiceCsv({ items }: Invoice): string {
  const rows = items.map(({ jobId, title, charges, chargedCents }) => [
    String(jobId),
    title.replace(/\p{Cc}+/gu, ' ').replace(INVISIBLE_CHARS, ''),
    String(charges),
    String(chargedCents),
  ]);
  return csvLines([['JOB', 'TITLE', 'CHARGES', 'CHARGED_CENTS'], ...rows]);
}
