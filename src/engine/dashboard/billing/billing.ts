import { html } from 'hono/html';
import type { BudgetInput } from '../../../contract/job.ts';
import { BUDGET_WINDOWS, type BudgetWindow } from '../../../contract/values.ts';
import { formatCents, parseDollars, RESETS, valueWord } from '../../../contract/words.ts';
import { budgetStates } from '../../applications/caps.ts';
import { eachWindow } from '../../billing/windows.ts';
import { cardOf, companyById } from '../../companies/company.ts';
import { createDashboard } from '../../companies/dashboard.ts';
import type { Queries } from '../../store/store.ts';
import { type DashboardRoute, get, type Html, type PageContext, post, ROOT } from '../page.ts';
import { budgetBars, capital, doneNotice, notice, postForm } from '../parts.ts';
import { INVOICE_ROUTE, loadMonth, monthSection } from './month.ts';

const TITLE = 'Billing';
const DONE = {
  'card-added': 'The card is on file.',
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
    const form = budgetForm(context.form);
    if (isFaulty(form)) {
      const body = billingPage(page, context, form);
      return { page: { title: `Nothing was changed: ${TITLE}`, status: 422, body } };
    }
    const { setBudgets } = createDashboard(store, clock);
    await setBudgets(context.company.id, (standing) => budgetsOf(form, standing));
    return { redirect: `${ROOT}/billing?done=budget-set` };
  }),
];

type BillingPage = Awaited<ReturnType<typeof loadBilling>>;

/** The company's money, with the month that the address names. Throws VALIDATION_FAILED for what is no month. */
async function loadBilling(queries: Queries, context: PageContext) {
  const { company, now } = context;
  const row = await companyById(queries, company.id);
  const caps = JSON.parse(row.budgets) as BudgetInput[];
  return {
    card: cardOf(row),
    caps,
    budgets: await budgetStates(queries, { target: 'company', id: company.id }, caps, now),
    month: await loadMonth(queries, context, row.created_at.slice(0, 7)),
  };
}

type BudgetForm = Readonly<Record<BudgetWindow, { text: string; budgetCents?: number; fault?: string }>>;

const TYPED_CHARACTERS_MAX = 40;
const FAULT = 'Write an amount of dollars, as 1500 or 1,500.00, or leave the field empty for no cap.';

function budgetForm(form: URLSearchParams): BudgetForm {
  return eachWindow((window) => {
    const text = (form.get(window) ?? '').trim().slice(0, TYPED_CHARACTERS_MAX);
    if (text === '') return { text };
    const amount = parseDollars(text, 'cents');
    return 'value' in amount && amount.value >= 0
      ? { text, budgetCents: amount.value }
      : { text, fault: FAULT };
  });
}

function budgetsOf(form: BudgetForm, before: readonly BudgetInput[]): BudgetInput[] {
  return BUDGET_WINDOWS.flatMap((window) => {
    const { budgetCents } = form[window];
    if (budgetCents === undefined) return [];
    return [{ ...before.find((budget) => budget.window === window), window, budgetCents }];
  });
}

function isFaulty(form: BudgetForm): boolean {
  return Object.values(form).some(({ fault }) => fault !== undefined);
}

function billingPage(page: BillingPage, context: PageContext, form: BudgetForm = formOf(page)): Html {
  return html`<h1>Billing</h1>
${doneNotice(context, DONE)}
${page.card === null ? cardSection(page, context) : ''}
${monthSection(page.month)}
${budgetSection(page, context, form)}
${page.card === null ? '' : cardSection(page, context)}`;
}

function cardSection({ card }: BillingPage, context: PageContext): Html {
  return html`<section class="card" aria-labelledby="card"><h2 id="card">Payment card</h2>
${
  card === null
    ? html`<p>No card is on file. Add one: without it no job can be published.</p>${addCard(context)}`
    : html`<p><strong>${capital(card.brand)}</strong> that ends in <strong>${card.last4}</strong></p>
<p class="meta">Without a card no job can be published; what is live stays live.</p>
${postForm(context, '/billing/card/remove', html`<button class="danger">Remove the card</button>`, 'closing')}`
}
</section>`;
}

/** No number is ever asked for, so that no real one can be given. */
function addCard(context: PageContext): Html {
  return postForm(
    context,
    '/billing/card',
    html`<p class="meta">Only the published test card is taken here. No card number is asked for; brand and last four digits are all that is kept.</p>
<button class="primary">Add the test card</button>`,
    'closing',
  );
}

function budgetSection(page: BillingPage, context: PageContext, form: BudgetForm): Html {
  return html`<section class="card" aria-labelledby="company-budget"><h2 id="company-budget">Company budget</h2>
<p>Caps over all jobs together. An application that does not fit into every cap is delivered free of charge.</p>
${page.budgets.length === 0 ? html`<p class="meta">No caps: spending is unlimited but for the budgets of the jobs.</p>` : budgetBars(page.budgets)}
${!isFaulty(form) ? '' : notice('bad', 'Nothing was changed: look at the fields below.', true)}
${postForm(
  context,
  '/billing/budget',
  html`<fieldset aria-describedby="budget-hint"><legend>Caps in US dollars</legend>
<p class="meta" id="budget-hint">As 1500 or 1,500.00. An empty field is no cap. A cap of 0 means that no job is shown to candidates and every application is free.</p>
<div class="fields">${BUDGET_WINDOWS.map((window) => budgetField(window, form))}</div></fieldset>
<button class="primary">Set the budget</button>`,
  'closing',
)}
</section>`;
}

function budgetField(window: BudgetWindow, form: BudgetForm): Html {
  const id = `cap-${window.toLowerCase()}`;
  const { text, fault } = form[window];
  const described = fault === undefined ? `${id}-hint` : `${id}-fault ${id}-hint`;
  return html`<div class="field">
<label for="${id}">${capital(valueWord(window))} cap</label>
<div class="money"><span aria-hidden="true">$</span><input id="${id}" name="${window}" inputmode="decimal" autocomplete="off" maxlength="20" value="${text}" aria-describedby="${described}"${fault === undefined ? '' : html` aria-invalid="true"`}></div>
${fault === undefined ? '' : html`<p class="fault" id="${id}-fault">${fault}</p>`}
<p class="meta" id="${id}-hint">${window === 'LIFETIME' ? 'Never resets' : `Resets ${RESETS[window]}`}</p>
</div>`;
}

function formOf({ caps }: BillingPage): BudgetForm {
  return eachWindow((window) => {
    const cap = caps.find((one) => one.window === window);
    return { text: cap === undefined ? '' : formatCents(cap.budgetCents).replace('$', '') };
  });
}
