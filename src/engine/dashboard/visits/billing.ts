import type { BudgetInput } from '../../../contract/job.ts';
import { parseDollars } from '../../../contract/money.ts';
import { BUDGET_WINDOWS, type BudgetWindow } from '../../../contract/values.ts';
import { createDashboard } from '../../companies/dashboard.ts';
import { invoiceOf } from '../../companies/invoice.ts';
import { validationFailed } from '../../lifecycle/refusals.ts';
import { invoiceCsv } from '../invoice-csv.ts';
import { loadBilling, monthIn } from '../models/billing.ts';
import { type BudgetForm, billingPage } from '../pages/billing.ts';
import { ROOT } from '../pages/parts.ts';
import { TEST_CARDS } from '../test-cards.ts';
import type { DashboardRoute } from '../visit.ts';

const TITLE = 'Billing';

/** The card, the company's budget and the invoices. */
export const BILLING_VISITS: readonly DashboardRoute[] = [
  {
    method: 'GET',
    path: '/billing',
    async handle(visit, { store }) {
      return { page: { title: TITLE, body: billingPage(await loadBilling(store.read, visit), visit) } };
    },
  },
  {
    method: 'GET',
    path: '/billing/invoice.csv',
    async handle(visit, { store }) {
      const month = monthIn(visit);
      const invoice = await invoiceOf(
        store.read,
        { companyId: visit.company.id, month, outcome: 'charged' },
        visit.now,
      );
      const name = `invoice-${month}.csv`;
      return { download: { name, type: 'text/csv; charset=utf-8', content: invoiceCsv(invoice) } };
    },
  },
  {
    method: 'POST',
    path: '/billing/card',
    async handle({ company, form }, { store, clock }) {
      const card = TEST_CARDS.find(({ brand }) => brand === form.get('card'));
      // What was sent is not repeated: it may be the number of a card.
      if (card === undefined) {
        throw validationFailed([{ path: ['card'], kind: 'invalid', message: 'is none of the test cards' }]);
      }
      const { brand, last4 } = card;
      await createDashboard(store, clock).addCard(company.id, { brand, last4 });
      return { redirect: `${ROOT}/billing?done=card-added` };
    },
  },
  {
    method: 'POST',
    path: '/billing/card/remove',
    async handle({ company }, { store, clock }) {
      await createDashboard(store, clock).removeCard(company.id);
      return { redirect: `${ROOT}/billing?done=card-removed` };
    },
  },
  {
    method: 'POST',
    path: '/billing/budget',
    async handle(visit, { store, clock }) {
      const page = await loadBilling(store.read, visit);
      const form = budgetForm(visit.form);
      if (Object.keys(form.faults).length > 0) {
        return {
          page: { title: `Nothing was changed: ${TITLE}`, status: 422, body: billingPage(page, visit, form) },
        };
      }
      const { setBudgets } = createDashboard(store, clock);
      await setBudgets(visit.company.id, (standing) => budgetsOf(form, standing));
      return { redirect: `${ROOT}/billing?done=budget-set` };
    },
  },
];

const TYPED_CHARACTERS_MAX = 40;

function budgetForm(form: URLSearchParams): BudgetForm {
  const typed: Partial<Record<BudgetWindow, string>> = {};
  const faults: Partial<Record<BudgetWindow, string>> = {};
  for (const window of BUDGET_WINDOWS) {
    const text = (form.get(window) ?? '').trim().slice(0, TYPED_CHARACTERS_MAX);
    typed[window] = text;
    if (text !== '' && parseDollars(text) === undefined) {
      faults[window] =
        'Write an amount of dollars, as 1500 or 1,500.00, or leave the field empty for no cap.';
    }
  }
  return { typed, faults };
}

/** The caps that were typed; the notes of those before stay with their windows. */
function budgetsOf({ typed }: BudgetForm, before: readonly BudgetInput[]): BudgetInput[] {
  return BUDGET_WINDOWS.flatMap((window) => {
    const budgetCents = parseDollars(typed[window] ?? '');
    if (budgetCents === undefined) return [];
    return [{ ...before.find((budget) => budget.window === window), window, budgetCents }];
  });
}
