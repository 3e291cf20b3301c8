import { PartnerError } from '../../contract/errors.ts';
import type { GateFacts } from '../../contract/gate.ts';
import { textProblems } from '../../contract/rules.ts';
import { isoTime } from '../../contract/time.ts';
import { LIMITS } from '../../contract/values.ts';
import type { Queries } from '../store/store.ts';
import type { CompanyRow } from '../store/tables.ts';

export interface Terms {
  readonly version: string;
  readonly text: string;
  readonly issuedAt: string | null;
}

export const FIRST_TERMS: Terms = {
  version: '2025-01',
  text: `These employer terms come with the bundled engine. They aren't legally binding. They're a placeholder for a job board's terms.

1. Listings. A listing runs for 30 days from its publication and then expires. The employer is responsible for its content.
2. Applicants. Applicants are notified of the outcome of their application. Their data is used only for hiring.
3. Money. The employer pays the bid of a listing for each qualified applicant, within the budgets in effect when the applicant arrives. An applicant who arrives after a window is full is delivered free of charge, permanently.
4. Changes. A new version of these terms must be accepted before another listing is published. Live listings stay live.`,
  issuedAt: null,
};

export async function loadTerms({ terms }: Queries): Promise<Terms> {
  const latest = await terms.latest();
  return latest === undefined
    ? FIRST_TERMS
    : { version: latest.version, text: latest.text, issuedAt: latest.issued_at };
}

const VERSION = /^[\w.-]{1,40}$/;

/** Adds a version of the terms, which every company must accept. Throws USAGE if it exists or is invalid. */
export async function issueTerms(
  { terms }: Queries,
  { version, text }: Pick<Terms, 'version' | 'text'>,
  now: number,
): Promise<Terms> {
  if (!VERSION.test(version)) {
    throw new PartnerError('USAGE', {
      message: 'a version name must be 1 to 40 letters, digits, dots, hyphens or underscores',
      hint: 'use a month, for example: 2026-07',
    });
  }
  const fault = findTextFault(text);
  if (fault !== undefined) throw new PartnerError('USAGE', { message: `the text of the terms ${fault}` });
  const issuedAt = isoTime(now);
  const isNew =
    version !== FIRST_TERMS.version && (await terms.issue({ version, text, issued_at: issuedAt }));
  if (isNew) return { version, text, issuedAt };
  throw new PartnerError('USAGE', {
    message: `version ${version} of the terms already exists`,
    hint: 'choose another name for the new version',
  });
}

function findTextFault(text: string): string | undefined {
  if (text.trim() === '') return 'is empty';
  if (text.length > LIMITS.descriptionCharacters) {
    return `has ${text.length} characters (maximum ${LIMITS.descriptionCharacters})`;
  }
  return [...textProblems(text)][0]?.message;
}

export function termsAccepted(company: CompanyRow, current: Terms): boolean {
  return company.terms_version_accepted === current.version;
}

export async function loadGateFacts(queries: Queries, companyId: string): Promise<GateFacts> {
  const company = await queries.companies.find(companyId);
  return {
    termsAccepted: company !== undefined && termsAccepted(company, await loadTerms(queries)),
    cardOnFile: company?.card_last4 != null,
  };
}
