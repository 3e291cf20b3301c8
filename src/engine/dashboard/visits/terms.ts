import { PartnerError } from '../../../contract/errors.ts';
import { companyById } from '../../companies/company.ts';
import { createDashboard } from '../../companies/dashboard.ts';
import { currentTerms } from '../../companies/terms.ts';
import type { EngineParts } from '../../parts.ts';
import { ROOT } from '../pages/parts.ts';
import { termsPage } from '../pages/terms.ts';
import type { DashboardRoute, Reply, Visit } from '../visit.ts';

/** The employer terms: to read and to accept. */
export const TERMS_VISITS: readonly DashboardRoute[] = [
  { method: 'GET', path: '/terms', handle: (visit, parts) => shown(visit, parts) },
  {
    method: 'POST',
    path: '/terms',
    async handle(visit, parts) {
      const { company, form } = visit;
      try {
        await createDashboard(parts.store, parts.clock).acceptTerms(company.id, form.get('version') ?? '');
      } catch (error) {
        if (!(error instanceof PartnerError) || error.code !== 'AGREEMENT_OUTDATED') throw error;
        return shown(visit, parts, true);
      }
      return { redirect: `${ROOT}/terms` };
    },
  },
];

/** `isOutdatedRead`: another version came into force between reading and accepting. */
async function shown(visit: Visit, { store }: EngineParts, isOutdatedRead = false): Promise<Reply> {
  const terms = await currentTerms(store.read);
  const { terms_version_accepted: acceptedVersion } = await companyById(store.read, visit.company.id);
  const body = termsPage({ terms, acceptedVersion, isOutdatedRead }, visit);
  return { page: { title: 'Employer terms', body, ...(isOutdatedRead ? { status: 409 } : {}) } };
}
