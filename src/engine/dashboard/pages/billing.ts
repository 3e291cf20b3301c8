import { html } from 'hono/html';
import { formatCents } from '../../../contract/money.ts';
import { BUDGET_WINDOWS, type BudgetWindow } from '../../../contract/values.ts';
import { RESETS, valueWord } from '../../../contract/words.ts';
import type { BillingPage } from '../models/billing.ts';
import { brandName, TEST_CARDS } from '../test-cards.ts';
import type { Html, Visit } from '../visit.ts';
import { budgetBars } from './budget-bars.ts';
import { monthSection } from './invoice.ts';
import { capital, notice, postForm } from './parts.ts';

/** What was typed into the form of the company's caps, and what is wrong with it. */
export interface BudgetForm {
  readonly typed: Readonly<Partial<Record<BudgetWindow, string>>>;
  readonly faults: Readonly<Partial<Record<BudgetWindow, string>>>;
}

const DONE: Readonly<Record<string, string>> = {
  'card-added': 'The card is on file.',
  'card-removed': 'The card was removed.',
  'budget-set': "The company's budget was set.",
};

/** The card, the company's budget, and what a month cost. */
export function billingPage(page: BillingPage, visit: Visit, form: BudgetForm = formOf(page)): Html {
  const done = visit.url.searchParams.get('done') ?? '';
  return html`<h1>Billing</h1>
${Object.hasOwn(DONE, done) ? notice('good', DONE[done] ?? '') : ''}
${page.card === null ? cardSection(page, visit) : ''}
${monthSection(page)}
${budgetSection(page, visit, form)}
${page.card === null ? '' : cardSection(page, visit)}`;
}

function cardSection({ card }: BillingPage, visit: Visit): Html {
  return html`<section class="card" aria-labelledby="card"><h2 id="card">Payment card</h2>
${
  card === null
    ? html`<p>No card is on file. Add one: without it no job can be published.</p>${addCard(visit)}`
    : html`<p><strong>${brandName(card.brand)}</strong> that ends in <strong>${card.last4}</strong></p>
<p class="meta">Without a card no job can be published; what is live stays live.</p>
${postForm(visit, '/billing/card/remove', html`<button class="danger">Remove the card</button>`, 'closing')}`
}
</section>`;
}

function addCard(visit: Visit): Html {
  return postForm(
    visit,
    '/billing/card',
    html`<fieldset aria-describedby="card-hint"><legend>Test card</legend>
<p class="meta" id="card-hint">Only the published test cards are taken here. No card number is asked for; brand and last four digits are all that is kept.</p>
${TEST_CARDS.map(
  ({ brand, name, last4 }, index) =>
    html`<label class="choice"><input type="radio" name="card" value="${brand}" required${index === 0 ? html` checked` : ''}> <span>${name} <span class="meta">ends in ${last4}</span></span></label>`,
)}
</fieldset>
<button class="primary">Add the card</button>`,
  );
}

function budgetSection(page: BillingPage, visit: Visit, form: BudgetForm): Html {
  const faults = Object.keys(form.faults).length;
  return html`<section class="card" aria-labelledby="company-budget"><h2 id="company-budget">Company budget</h2>
<p>Caps over all jobs together. An application that does not fit into every cap is delivered free of charge.</p>
${page.budgets.length === 0 ? html`<p class="meta">No caps: spending is unlimited but for the budgets of the jobs.</p>` : budgetBars(page.budgets, 'whole')}
${faults === 0 ? '' : notice('bad', 'Nothing was changed: look at the fields below.', true)}
${postForm(
  visit,
  '/billing/budget',
  html`<fieldset aria-describedby="budget-hint"><legend>Caps in US dollars</legend>
<p class="meta" id="budget-hint">As 1500 or 1,500.00. An empty field is no cap. A cap of 0 means that no job is shown to candidates and every application is free.</p>
<div class="fields">${BUDGET_WINDOWS.map((window) => budgetField(window, form))}</div></fieldset>
<button class="primary">Set the budget</button>`,
  'closing',
)}
</section>`;
}

function budgetField(window: BudgetWindow, { typed, faults }: BudgetForm): Html {
  const id = `cap-${window.toLowerCase()}`;
  const fault = faults[window];
  const described = fault === undefined ? `${id}-hint` : `${id}-fault ${id}-hint`;
  return html`<div class="field">
<label for="${id}">${capital(valueWord(window))} cap</label>
<div class="money"><span aria-hidden="true">$</span><input id="${id}" name="${window}" inputmode="decimal" autocomplete="off" maxlength="20" value="${typed[window] ?? ''}" aria-describedby="${described}"${fault === undefined ? '' : html` aria-invalid="true"`}></div>
${fault === undefined ? '' : html`<p class="fault" id="${id}-fault">${fault}</p>`}
<p class="meta" id="${id}-hint">${window === 'LIFETIME' ? 'Never resets' : `Resets ${RESETS[window]}`}</p>
</div>`;
}

function formOf({ caps }: BillingPage): BudgetForm {
  const typed = caps.map(({ window, budgetCents }) => [window, formatCents(budgetCents).replace('$', '')]);
  return { typed: Object.fromEntries(typed), faults: {} };
}
