import type { CompanyRow } from '../store/tables.ts';

/** The employer terms in force. A new version has to be accepted anew before the next publish. */
export const CURRENT_TERMS_VERSION = '2025-01';

export function termsAccepted(company: CompanyRow): boolean {
  return company.terms_version_accepted === CURRENT_TERMS_VERSION;
}
