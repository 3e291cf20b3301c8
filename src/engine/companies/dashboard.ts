import { PartnerError } from '../../contract/errors.ts';
import { JOB_STATUSES, type JobStatus } from '../../contract/values.ts';
import type { Store } from '../store/store.ts';
import { companyById } from './company.ts';
import { CURRENT_TERMS_VERSION, termsAccepted } from './terms.ts';

/** All that is kept of a payment card; only test cards exist here. */
interface Card {
  readonly brand: string;
  readonly last4: string;
}

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
  readonly jobs: Readonly<Record<JobStatus, number>>;
}

/** What only a company's own people can do (section 5, rules 4 and 5). All throw USAGE for an unknown company. */
export interface Dashboard {
  acceptTerms(companyId: string): Promise<CompanyStatus>;
  addCard(companyId: string, card?: Card): Promise<CompanyStatus>;
  status(companyId: string): Promise<CompanyStatus>;
}

export function createDashboard(store: Store, clock: () => number): Dashboard {
  const status = async (companyId: string): Promise<CompanyStatus> => {
    const company = await companyById(store.read, companyId);
    const { card_brand: brand, card_last4: last4 } = company;
    return {
      companyId,
      name: company.name,
      terms: {
        currentVersion: CURRENT_TERMS_VERSION,
        acceptedVersion: company.terms_version_accepted,
        accepted: termsAccepted(company),
      },
      card: brand !== null && last4 !== null ? { brand, last4 } : null,
      jobs: everyStatus(await store.read.jobs.countByStatus(clock(), companyId)),
    };
  };
  return {
    status,
    async acceptTerms(companyId) {
      await companyById(store.read, companyId);
      await store.write(({ companies }) => companies.acceptTerms(companyId, CURRENT_TERMS_VERSION));
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
  };
}

/** The counts with a 0 for the states in which there is no job. */
export function everyStatus(counts: Partial<Record<JobStatus, number>>): Record<JobStatus, number> {
  const entries = JOB_STATUSES.map((status) => [status, counts[status] ?? 0] as const);
  return Object.fromEntries(entries) as Record<JobStatus, number>;
}
