import type { GateFacts } from '../../contract/gate.ts';
import type { Queries } from '../store/store.ts';
import { currentTerms, termsAccepted } from './terms.ts';

/** What the two gates behind completeness depend on. */
export async function gateFacts(queries: Queries, companyId: string): Promise<GateFacts> {
  const company = await queries.companies.find(companyId);
  return {
    termsAccepted: company !== undefined && termsAccepted(company, await currentTerms(queries)),
    cardOnFile: company?.card_last4 != null,
  };
}
