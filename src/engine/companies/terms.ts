import { textProblems } from '../../contract/check.ts';
import { PartnerError } from '../../contract/errors.ts';
import type { GateFacts } from '../../contract/gate.ts';
import { isoTime } from '../../contract/time.ts';
import { LIMITS } from '../../contract/values.ts';
import type { Queries } from '../store/store.ts';
import type { CompanyRow } from '../store/tables.ts';
import firstTerms from './first-terms.json' with { type: 'json' };

export interface Terms {
  readonly version: string;
  readonly text: string;
  readonly issuedAt: string | null;
}

export const FIRST_TERMS: Terms = firstTerms;

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
      hint: 'use a month, such as 2026-07',
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
