import { checkJobUpdate } from '../../contract/check.ts';
import { PartnerError } from '../../contract/errors.ts';
import type { BudgetInput } from '../../contract/job.ts';
import { validationFailed } from '../../contract/problems.ts';
import { loadBudgetStates, loadSpending } from '../applications/caps.ts';
import {
  type ApplicationDecision,
  decideApplication,
  listApplications,
} from '../applications/company-applications.ts';
import type { ApplicationFilter } from '../store/applications.ts';
import type { LinesFilter } from '../store/billing-ledger.ts';
import { type Queries, type Store, settleExpiry } from '../store/store.ts';
import type { CompanyRow } from '../store/tables.ts';
import { loadCompany, toCard } from './company.ts';
import { buildInvoice } from './invoice.ts';
import { loadTerms, termsAccepted } from './terms.ts';

export type Dashboard = ReturnType<typeof createDashboard>;

/** Actions of a company's own users (section 5, rules 4 and 5). All throw USAGE for an unknown company. */
export function createDashboard(store: Store, clock: () => number) {
  const status = async (companyId: string) => {
    const company = await loadCompany(store.read, companyId);
    const { budgets, terms_version_accepted: acceptedVersion } = company;
    const terms = await loadTerms(store.read);
    const target = { target: 'company', id: companyId } as const;
    const now = await settleExpiry(store, clock);
    return {
      companyId,
      name: company.name,
      terms: { currentVersion: terms.version, acceptedVersion, accepted: termsAccepted(company, terms) },
      card: toCard(company),
      budgets: await loadBudgetStates(store.read, target, JSON.parse(budgets), now),
      jobs: await store.read.jobs.countByStatus(companyId),
    };
  };
  const change = async (companyId: string, write: (queries: Queries) => Promise<unknown>) => {
    await loadCompany(store.read, companyId);
    await store.write(write);
    return status(companyId);
  };
  const setCard = (card: Pick<CompanyRow, 'card_brand' | 'card_last4'>) => (companyId: string) =>
    change(companyId, ({ companies }) => companies.change(companyId, card));
  return {
    status,
    async invoice(request: LinesFilter) {
      await loadCompany(store.read, request.companyId);
      return buildInvoice(store.read, request, clock());
    },

    spending: (companyId: string, jobs: Parameters<typeof loadSpending>[2]) =>
      loadSpending(store.read, companyId, jobs, clock()),

    applications: (filter: ApplicationFilter) =>
      filter.jobId === undefined
        ? listApplications(store.read, filter)
        : store.write((queries) => listApplications(queries, filter)),

    decide: (companyId: string, applicationId: number, to: ApplicationDecision) =>
      store.write((queries) => decideApplication(queries, companyId, applicationId, to, clock())),

    /** `read` is the version that the user read. Throws AGREEMENT_OUTDATED if another version is in force. */
    acceptTerms: (companyId: string, read?: string) =>
      change(companyId, async (queries) => {
        const { version } = await loadTerms(queries);
        if (read !== undefined && read !== version) {
          throw new PartnerError('AGREEMENT_OUTDATED', {
            message: `the terms you read are no longer in force. The current version is ${version}`,
            hint: 'read that version, then accept it',
          });
        }
        await queries.companies.change(companyId, { terms_version_accepted: version });
      }),

    addCard: setCard({ card_brand: 'visa', card_last4: '4242' }),
    removeCard: setCard({ card_brand: null, card_last4: null }),

    /** `next` gets the current budgets, which are locked, and returns the new ones. Throws VALIDATION_FAILED. */
    setBudgets: (companyId: string, next: (standing: readonly BudgetInput[]) => readonly BudgetInput[]) =>
      change(companyId, async (queries) => {
        await queries.companies.lock(companyId);
        const { budgets: standing } = await loadCompany(queries, companyId);
        const checked = checkJobUpdate({ budgets: next(JSON.parse(standing)) });
        if (!checked.ok) throw validationFailed(checked.problems, checked.more);
        await queries.companies.change(companyId, { budgets: JSON.stringify(checked.value.budgets ?? []) });
      }),
  };
}
