import { html } from 'hono/html';
import type { BudgetInput } from '../../../contract/job.ts';
import { BUDGET_WINDOWS, type BudgetWindow } from '../../../contract/values.ts';
import { formatCents, parseDollars, RESETS, valueWord } from '../../../contract/words.ts';
import { loadBudgetStates } from '../../applications/caps.ts';
import { eachWindow } from '../../billing/charge.ts';
import { loadCompany, toCard } from '../../companies/company.ts';
import { createDashboard } from '../../companies/dashboard.ts';
import type { Queries } from '../../store/store.ts';
import { type DashboardRoute, get, type Html, type PageContext, post, ROOT } from '../page.ts';
import { budgetBars, capital, notice, postForm, renderDoneNotice } from '../parts.ts';
import { INVOICE_ROUTE, loadMonth, monthSection } from './month.ts';

const TITLE = 'Billing';
const DONE = {
  'card-added': 'The card was added.',
  'card-removed': 'The card was removed.',
  'budget-set': "The company's budget was set.",
};

export const BILLING_ROUTES: readonly DashboardRoute[] = [
  get('/billing', async (context, { store }) => {
    return { page: { title: TITLE, body: billingPage(await loadBilling(store.read, context), context) } };
  }),
  INVOICE_ROUTE,
  post('/billing/card', async ({ company }, { store, clock }) => {
    await createDashboard(store, clock).addCard(company.id);
    return { redirect: `${ROOT}/billing?done=card-added` };
  }),
  post('/billing/card/remove', async ({ company }, { store, clock }) => {
    await createDashboard(store, clock).removeCard(company.id);
    return { redirect: `${ROOT}/billing?done=card-removed` };
  }),
  post('/billing/budget', async (context, { store, clock }) => {
    const page = await loadBilling(store.read, context);
    const form = eachWindow((window) =>
      (context.form.get(window) ?? '').trim().slice(0, TYPED_CHARACTERS_MAX),
    );
    if (Object.values(form).some(isFaulty)) {
      const body = billingPage(page, context, form);
      return { page: { title: `Nothing was changed: ${TITLE}`, status: 422, body } };
    }
    const { setBudgets } = createDashboard(store, clock);
    await setBudgets(context.company.id, (standing) => toBudgets(form, standing));
    return { redirect: `${ROOT}/billing?done=budget-set` };
  }),
];

type BillingPage = Awaited<ReturnType<typeof loadBilling>>;

async function loadBilling(queries: Queries, context: PageContext) {
  const { company, now } = context;
  const row = await loadCompany(queries, company.id);
  const caps = JSON.parse(row.budgets) as BudgetInput[];
  return {
    card: toCard(row),
    caps,
    budgets: await loadBudgetStates(queries, { target: 'company', id: company.id }, caps, now),
    month: await loadMonth(queries, context, row.created_at.slice(0, 7)),
  };
}

/** What the user typed. Empty means no cap. */
type BudgetForm = Readonly<Record<BudgetWindow, string>>;

const TYPED_CHARACTERS_MAX = 40;
const FAULT = 'Enter an amount in dollars, such as 1500 or 1,500.00, or leave the field empty for no cap.';

function toBudgetForm({ caps }: BillingPage): BudgetForm {
  return eachWindow((window) => {
    const cap = caps.find((one) => one.window === window);
    return cap === undefined ? '' : formatCents(cap.budgetCents).replace('$', '');
  });
}

function toBudgets(form: BudgetForm, before: readonly BudgetInput[]): BudgetInput[] {
  return BUDGET_WINDOWS.flatMap((window) => {
    const budgetCents = parseCap(form[window]);
    if (budgetCents === undefined) return [];
    return [{ ...before.find((budget) => budget.window === window), window, budgetCents }];
  });
}

function parseCap(text: string): number | undefined {
  const amount = parseDollars(text, 'cents');
  return 'value' in amount && amount.value >= 0 ? amount.value : undefined;
}

function isFaulty(text: string): boolean {
  return text !== '' && parseCap(text) === undefined;
}

function billingPage(page: BillingPage, context: PageContext, form: BudgetForm = toBudgetForm(page)): Html {
  return html`<h1>Billing</h1>
${renderDoneNotice(context, DONE)}
${page.card === null ? cardSection(page, context) : ''}
${monthSection(page.month)}
${budgetSection(page, context, form)}
${page.card === null ? '' : cardSection(page, context)}`;
}

function cardSection({ card }: BillingPage, context: PageContext): Html {
  return html`<section class="card" aria-labelledby="card"><h2 id="card">Payment card</h2>
${
  card === null
    ? html`<p>No card is on file. Add one to publish jobs.</p>${addCard(context)}`
    : html`<p><strong>${capital(card.brand)}</strong> ending in <strong>${card.last4}</strong></p>
<p class="meta">Without a card, no job can be published. Live jobs stay live.</p>
${postForm(context, '/billing/card/remove', html`<button class="danger">Remove the card</button>`, 'closing')}`
}
</section>`;
}

/** The form has no field for a card number, so that users can't enter a real one. */
function addCard(context: PageContext): Html {
  return postForm(
    context,
    '/billing/card',
    html`<p class="meta">Only the published test card is accepted here. No card number is requested. Only the brand and the last four digits are stored.</p>
<button class="primary">Add the test card</button>`,
    'closing',
  );
}

function budgetSection(page: BillingPage, context: PageContext, form: BudgetForm): Html {
  return html`<section class="card" aria-labelledby="company-budget"><h2 id="company-budget">Company budget</h2>
<p>Caps across all jobs. An application that doesn't fit into every cap is delivered free of charge.</p>
${page.budgets.length === 0 ? html`<p class="meta">No caps. Only the budgets of jobs limit spending.</p>` : budgetBars(page.budgets)}
${Object.values(form).some(isFaulty) ? notice('bad', 'Nothing was changed. Check the fields below.', true) : ''}
${postForm(
  context,
  '/billing/budget',
  html`<fieldset aria-describedby="budget-hint"><legend>Caps in US dollars</legend>
<p class="meta" id="budget-hint">For example 1500 or 1,500.00. An empty field means no cap. With a cap of 0, no job is shown to candidates and every application is free.</p>
<div class="fields">${BUDGET_WINDOWS.map((window) => budgetField(window, form[window]))}</div></fieldset>
<button class="primary">Set the budget</button>`,
  'closing',
)}
</section>`;
}

function budgetField(window: BudgetWindow, text: string): Html {
  const id = `cap-${window.toLowerCase()}`;
  const described = isFaulty(text) ? `${id}-fault ${id}-hint` : `${id}-hint`;
  return html`<div class="field">
<label for="${id}">${capital(valueWord(window))} cap</label>
<div class="money"><span aria-hidden="true">$</span><input id="${id}" name="${window}" inputmode="decimal" autocomplete="off" maxlength="20" value="${text}" aria-describedby="${described}"${isFaulty(text) ? html` aria-invalid="true"` : ''}></div>
${isFaulty(text) ? html`<p class="fault" id="${id}-fault">${FAULT}</p>` : ''}
<p class="meta" id="${id}-hint">${window === 'LIFETIME' ? 'Never resets' : `Resets ${RESETS[window]}`}</p>
</div>`;
}
