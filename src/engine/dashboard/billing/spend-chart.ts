import { html } from 'hono/html';
import { formatCents } from '../../../contract/money.ts';
import type { Html } from '../page.ts';

export interface DaySpend {
  readonly day: number;
  readonly chargedCents: number;
}

const DAY_UNITS = 10;
const BAR_UNITS = 7;
const HEIGHT_UNITS = 100;
const LABEL_EVERY_DAYS = 7;

/** What was charged on each day of a month, as bars; the same as a table below. Of nothing, no bars. */
export function spendChart(days: readonly DaySpend[], monthText: string): Html {
  const busy = days.filter(({ chargedCents }) => chargedCents > 0);
  if (busy.length === 0) return html`<p class="empty">Nothing was charged in ${monthText}.</p>`;
  const top = niceTop(Math.max(...busy.map(({ chargedCents }) => chargedCents)));
  const width = days.length * DAY_UNITS;
  return html`<figure class="chart">
<figcaption id="chart">Spend by day, ${monthText} (UTC)</figcaption>
<div class="plot">
<div class="scale" aria-hidden="true"><span>${formatCents(top)}</span><span>${formatCents(top / 2)}</span><span>${formatCents(0)}</span></div>
<svg role="img" aria-labelledby="chart chart-said" viewBox="0 0 ${width} ${HEIGHT_UNITS}" preserveAspectRatio="none" focusable="false"><desc id="chart-said">${said(busy, days.length)}</desc>
${[0, 0.5, 1].map((share) => html`<line class="rule" x1="0" x2="${width}" y1="${share * HEIGHT_UNITS}" y2="${share * HEIGHT_UNITS}" />`)}
${busy.map((day) => bar(day, top))}
</svg>
<div class="days" aria-hidden="true">${days.map(({ day }) => html`<span>${day % LABEL_EVERY_DAYS === 1 ? day : ''}</span>`)}</div>
</div>
<details><summary>The same as a table</summary>${dayTable(busy, monthText)}</details>
</figure>`;
}

function bar({ day, chargedCents }: DaySpend, top: number): Html {
  const x = (day - 1) * DAY_UNITS + (DAY_UNITS - BAR_UNITS) / 2;
  const height = (chargedCents / top) * HEIGHT_UNITS;
  return html`<rect class="charged" x="${x}" y="${round(HEIGHT_UNITS - height)}" width="${BAR_UNITS}" height="${round(height)}" />`;
}

function round(units: number): number {
  return Math.round(units * 100) / 100;
}

/** The least of 1, 2, 5 and their tens that is as much, in cents; a dollar at least. */
function niceTop(cents: number): number {
  if (cents <= 100) return 100;
  const ten = 10 ** Math.floor(Math.log10(cents));
  return [1, 2, 5, 10].map((step) => step * ten).find((step) => step >= cents) ?? cents;
}

function said(busy: readonly DaySpend[], days: number): string {
  const charged = busy.reduce((sum, { chargedCents }) => sum + chargedCents, 0);
  return `${formatCents(charged)} charged on ${busy.length} of ${days} days. `;
}

function dayTable(busy: readonly DaySpend[], monthText: string): Html {
  return html`<table>
<caption class="visually-hidden">Spend by day, ${monthText}; days without any are left out</caption>
<thead><tr><th scope="col">Day</th><th scope="col" class="number">Charged</th></tr></thead>
<tbody>${busy.map(
    ({ day, chargedCents }) =>
      html`<tr><th scope="row">${day}</th><td class="number">${formatCents(chargedCents)}</td></tr>`,
  )}</tbody>
</table>`;
}
