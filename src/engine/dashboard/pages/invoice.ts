import { html } from 'hono/html';
import { formatCents } from '../../../contract/money.ts';
import type { InvoiceItem } from '../../billing/invoice.ts';
import type { BillingPage } from '../models/billing.ts';
import type { Html } from '../visit.ts';
import { address, facts, ROOT, theirs } from './parts.ts';
import { spendChart } from './spend-chart.ts';

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

/** What a month cost: by day as a chart, by job as the invoice. */
export function monthSection(page: BillingPage): Html {
  const { month, earlier, later, days, invoice } = page;
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
    ['Charged', formatCents(invoice.totalChargedCents)],
    ['Charges', String(charges(invoice.items))],
  ],
  'narrow',
)}
${spendChart(days, text)}
${invoice.items.length === 0 ? '' : html`<h3 id="invoice">Invoice</h3>${invoiceTable(page, text)}`}
<p><a class="button" href="${address(`${path}/invoice.csv`, { month })}" download>Download as CSV</a></p>
</section>`;
}

function monthText(month: string): string {
  const [year, number] = month.split('-');
  return `${MONTHS[Number(number) - 1]} ${year}`;
}

function charges(items: readonly InvoiceItem[]): number {
  return items.reduce((total, item) => total + item.charges, 0);
}

function invoiceTable({ invoice }: BillingPage, text: string): Html {
  return html`<div class="scroll" role="region" aria-label="Invoice of ${text}" tabindex="0"><table>
<caption class="spoken">Invoice of ${text}, by job</caption>
<thead><tr><th scope="col">Job</th><th scope="col" class="number">Charges</th><th scope="col" class="number">Amount</th></tr></thead>
<tbody>${invoice.items.map(
    ({ jobId, title, charges, chargedCents }) =>
      html`<tr><th scope="row"><a href="${ROOT}/jobs/${jobId}">${theirs(title || 'Untitled')}</a> <span class="meta">job ${jobId}</span></th><td class="number">${charges}</td><td class="number">${formatCents(chargedCents)}</td></tr>`,
  )}</tbody>
<tfoot><tr><th scope="row">Total</th><td class="number">${charges(invoice.items)}</td><td class="number">${formatCents(invoice.totalChargedCents)}</td></tr></tfoot>
</table></div>`;
}
