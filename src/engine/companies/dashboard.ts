import { checkBudgets } from '../../contract/check.ts';
import { PartnerError } from '../../contract/errors.ts';
import type { BudgetInput } from '../../contract/job.ts';
import { JOB_STATUSES, type JobStatus } from '../../contract/values.ts';
import {
  type ApplicationDecision,
  decideApplication,
  type ListedApplication,
  listApplications,
} from '../applications/company-applications.ts';
import { validationFailed } from '../lifecycle/refusals.ts';
import type { ApplicationFilter } from '../store/applications.ts';
import type { Store } from '../store/store.ts';
import { type BudgetState, budgetStates } from './budget-states.ts';
import { type Card, cardOf, companyById } from './company.ts';
import { type Invoice, type InvoiceRequest, invoiceOf } from './invoice.ts';
import { currentTerms, type Terms, termsAccepted } from './terms.ts';

/** The card that every payment service knows as its test card. */
const TEST_CARD: Card = { brand: 'visa', last4: '4242' };

interface CompanyStatus {
  readonly companyId: string;
  readonly name: string;
  readonly terms: {
    readonly currentVersion: string;
    readonly acceptedVersion: string | null;
    readonly accepted: boolean;
  };
  readonly card: Card | null;
  /** The company-wide caps, and what is spent of them. */
  readonly budgets: readonly BudgetState[];
  readonly jobs: Readonly<Record<JobStatus, number>>;
}

type NextBudgets = (standing: readonly BudgetInput[]) => readonly BudgetInput[];

/** What only a company's own people can do (section 5, rules 4 and 5). All throw USAGE for an unknown company. */
export interface Dashboard {
  /** The terms in force, to be read. */
  terms(): Promise<Terms>;
  /**
   * Accepts the terms in force. Throws AGREEMENT_OUTDATED where those that were read, by `version`, are not these.
   */
  acceptTerms(companyId: string, version?: string): Promise<CompanyStatus>;
  addCard(companyId: string, card?: Card): Promise<CompanyStatus>;
  removeCard(companyId: string): Promise<CompanyStatus>;
  /**
   * The company-wide caps, a new set in the place of the old one: as it is given, or made of the one that stands, which
   * nobody changes meanwhile. Throws VALIDATION_FAILED.
   */
  setBudgets(companyId: string, budgets: readonly BudgetInput[] | NextBudgets): Promise<CompanyStatus>;
  /** Its month is the engine's current one where none is named. Throws VALIDATION_FAILED. */
  invoice(request: InvoiceRequest): Promise<Invoice>;
  /** Newest first; those of one job open it. Throws NOT_FOUND for a job of another company. */
  applications(filter: ApplicationFilter): Promise<ListedApplication[]>;
  /** Throws NOT_FOUND for an application of another company. */
  decide(companyId: string, applicationId: number, to: ApplicationDecision): Promise<ListedApplication>;
  status(companyId: string): Promise<CompanyStatus>;
}

export function createDashboard(store: Store, clock: () => number): Dashboard {
  const status = async (companyId: string): Promise<CompanyStatus> => {
    const company = await companyById(store.read, companyId);
    const terms = await currentTerms(store.read);
    return {
      companyId,
      name: company.name,
      terms: {
        currentVersion: terms.version,
        acceptedVersion: company.terms_version_accepted,
        accepted: termsAccepted(company, terms),
      },
      card: cardOf(company),
      budgets: await budgetStates(
        store.read,
        { target: 'company', id: companyId },
        JSON.parse(company.budgets),
        clock(),
      ),
      jobs: everyStatus(await store.read.jobs.countByStatus(clock(), companyId)),
    };
  };
  return {
    status,
    async invoice(request) {
      await companyById(store.read, request.companyId);
      return invoiceOf(store.read, request, clock());
    },
    applications: (filter) =>
      filter.jobId === undefined
        ? listApplications(store.read, filter)
        : store.write((queries) => listApplications(queries, filter)),
    decide: (companyId, applicationId, to) =>
      store.write((queries) => decideApplication(queries, companyId, applicationId, to, clock())),
    terms: () => currentTerms(store.read),
    async acceptTerms(companyId, read) {
      await companyById(store.read, companyId);
      await store.write(async (queries) => {
        const { version } = await currentTerms(queries);
        if (read !== undefined && read !== version) throw outdated(version);
        await queries.companies.acceptTerms(companyId, version);
      });
      return status(companyId);
    },
    async addCard(companyId, card = TEST_CARD) {
      if (!/^\d{4}$/.test(card.last4)) {
        throw new PartnerError('USAGE', {
          message: `a card is named by its last 4 digits, not ${card.last4}`,
        });
      }
      await companyById(store.read, companyId);
      await store.write(({ companies }) => companies.putCard(companyId, card));
      return status(companyId);
    },
    async removeCard(companyId) {
      await companyById(store.read, companyId);
      await store.write(({ companies }) => companies.putCard(companyId, null));
      return status(companyId);
    },
    async setBudgets(companyId, given) {
      await store.write(async (queries) => {
        await queries.companies.lock(companyId);
        const { budgets: standing } = await companyById(queries, companyId);
        const budgets = typeof given === 'function' ? given(JSON.parse(standing)) : given;
        const checked = checkBudgets({ budgets });
        if (!checked.ok) throw validationFailed(checked.problems, checked.more);
        await queries.companies.putBudgets(companyId, checked.value.budgets ?? []);
      });
      return status(companyId);
    },
  };
}

function outdated(version: string): PartnerError {
  return new PartnerError('AGREEMENT_OUTDATED', {
    message: `the terms that were read are no longer in force: version ${version} is`,
    hint: 'read that one, then accept it',
  });
}

/** The counts with a 0 for the states in which there is no job. */
export function everyStatus(counts: Partial<Record<JobStatus, number>>): Record<JobStatus, number> {
  const entries = JOB_STATUSES.map((status) => [status, counts[status] ?? 0] as const);
  return Object.fromEntries(entries) as Record<JobStatus, number>;
}
