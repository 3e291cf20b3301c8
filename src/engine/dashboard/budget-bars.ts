import { html } from 'hono/html';
import { formatCents } from '../../contract/money.ts';
import { counted, RESETS, valueWord } from '../../contract/words.ts';
import type { BudgetState } from '../applications/caps.ts';
import type { Html } from './page.ts';
import { badge, capital, timeOf, userText } from './parts.ts';

const BAR_UNITS = 100;

/** The caps of a job or a company, a bar for each window: what is spent of it, and what was skipped. */
export function budgetBars(budgets: readonly BudgetState[]): Html {
  return html`<ul class="budgets" role="list">${budgets.map(budgetBar)}</ul>`;
}

function budgetBar(budget: BudgetState): Html {
  const { window, budgetCents, spentCents, skippedCharges, isFilled, notes } = budget;
  const leftCents = Math.max(budgetCents - spentCents, 0);
  const left = `${formatCents(leftCents)} left${isFilled && leftCents > 0 ? ', less than a bid' : ''}`;
  return html`<li class="budget${isFilled ? ' filled' : ''}">
<p class="budget-head"><strong>${capital(valueWord(window))}</strong> <span class="figures">${formatCents(spentCents)} of ${formatCents(budgetCents)}</span></p>
${bar(spentCents, budgetCents)}
<p class="budget-foot">${isFilled ? html`${badge('warn', 'Filled')} ` : ''}<span>${left} · ${counted(skippedCharges, 'charge')} skipped</span></p>
<p class="meta">${reset(budget)}</p>
${notes ? html`<p class="meta">${userText(notes)}</p>` : ''}
</li>`;
}

function reset({ window, resetsAt, budgetCents }: BudgetState): Html | string {
  const never =
    budgetCents === 0 ? 'A cap of zero: not shown to candidates, every application is free. ' : '';
  if (resetsAt === null) return `${never}Never resets`;
  return html`${never}Resets ${RESETS[window]}, next on ${timeOf(resetsAt)}`;
}

/** Hidden from screen readers: the figures are beside it as text. */
export function bar(spentCents: number, budgetCents: number): Html {
  const share = budgetCents === 0 ? 1 : Math.min(spentCents / budgetCents, 1);
  const width = Math.round(share * BAR_UNITS * 10) / 10;
  return html`<svg class="bar" viewBox="0 0 ${BAR_UNITS} 8" preserveAspectRatio="none" aria-hidden="true" focusable="false"><rect class="bar-track" width="${BAR_UNITS}" height="8" /><rect class="bar-fill" width="${width}" height="8" /></svg>`;
}
