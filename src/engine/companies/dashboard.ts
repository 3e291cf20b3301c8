import { checkBudgets } from '../../contract/check.ts';
import { PartnerError } from '../../contract/errors.ts';
import type { BudgetInput } from '../../contract/job.ts';
import { budgetStates } from '../applications/caps.ts';
import {
  type ApplicationDecision,
  decideApplication,
  listApplications,
} from '../applications/company-applications.ts';
import { validationFailed } from '../lifecycle/refusals.ts';
import type { ApplicationFilter } from '../store/applications.ts';
import { settleExpiry } from '../store/expiry.ts';
import type { Queries, Store } from '../store/store.ts';
import type { CompanyRow } from '../store/tables.ts';
import { cardOf, companyById } from './company.ts';
import { type InvoiceRequest, invoiceOf } from './invoice.ts';
import { currentTerms, termsAccepted } from './terms.ts';

export type Dashboard = ReturnType<typeof createDashboard>;

/** What only a company's own people can do (section 5, rules 4 and 5). All throw USAGE for an unknown company. */
export function createDashboard(store: Store, clock: () => number) {
  const status = async (companyId: string) => {
    const company = await companyById(store.read, companyId);
    const { budgets, terms_version_accepted: acceptedVersion } = company;
    const terms = await currentTerms(store.read);
    const accepted = termsAccepted(company, terms);
    const target = { target: 'company', id: companyId } as const;
    const now = await settleExpiry(store, clock);
    return {
      companyId,
      name: company.name,
      terms: { currentVersion: terms.version, acceptedVersion, accepted },
      card: cardOf(company),
      budgets: await budgetStates(store.read, target, JSON.parse(budgets), now),
      jobs: await store.read.jobs.countByStatus(companyId),
    };
  };
  const change = async (companyId: string, write: (queries: Queries) => Promise<void>) => {
    await companyById(store.read, companyId);
    await store.write(write);
    return status(companyId);
  };
  const setCard = (card: Pick<CompanyRow, 'card_brand' | 'card_last4'>) => (companyId: string) =>
    change(companyId, ({ companies }) => companies.change(companyId, card));
  return {
    status,
    /** Its month is the engine's current one where none is named. Throws VALIDATION_FAILED. */
    async invoice(request: InvoiceRequest) {
      await companyById(store.read, request.companyId);
      return invoiceOf(store.read, request, clock());
    },

    /** Newest first; those of one job open it. Throws NOT_FOUND for a job of another company. */
    applications: (filter: ApplicationFilter) =>
      filter.jobId === undefined
        ? listApplications(store.read, filter)
        : store.write((queries) => listApplications(queries, filter)),

    decide: (companyId: string, applicationId: number, to: ApplicationDecision) =>
      store.write((queries) => decideApplication(queries, companyId, applicationId, to, clock())),

    /** Accepts the terms in force. Throws AGREEMENT_OUTDATED where `read`, the version that was read, is another. */
    acceptTerms: (companyId: string, read?: string) =>
      change(companyId, async (queries) => {
        const { version } = await currentTerms(queries);
        if (read !== undefined && read !== version) {
          throw new PartnerError('AGREEMENT_OUTDATED', {
            message: `the terms that were read are no longer in force: version ${version} is`,
            hint: 'read that one, then accept it',
          });
        }
        await queries.companies.change(companyId, { terms_version_accepted: version });
      }),

    /** Puts the card on file that every payment service knows as its test card. */
    addCard: setCard({ card_brand: 'visa', card_last4: '4242' }),
    removeCard: setCard({ card_brand: null, card_last4: null }),

    /** By what `next` makes of those that stand, which nobody changes meanwhile. Throws VALIDATION_FAILED. */
    setBudgets: (companyId: string, next: (standing: readonly BudgetInput[]) => readonly BudgetInput[]) =>
      change(companyId, async (queries) => {
        await queries.companies.lock(companyId);
        const { budgets: standing } = await companyById(queries, companyId);
        const checked = checkBudgets({ budgets: next(JSON.parse(standing)) });
        if (!checked.ok) throw validationFailed(checked.problems, checked.more);
        await queries.companies.change(companyId, { budgets: JSON.stringify(checked.value.budgets ?? []) });
      }),
  };
}
