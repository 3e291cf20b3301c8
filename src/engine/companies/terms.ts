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
  /** Null for the version that comes with the engine. */
  readonly issuedAt: string | null;
}

export const FIRST_TERMS: Terms = {
  version: '2025-01',
  text: `These employer terms come with the bundled engine. They bind nobody: they stand where a board's own terms would.

1. Listings. A listing runs for 30 days from its publication and then expires. The employer answers for what it says.
2. Applicants. Applicants are told what becomes of their application. What they send is used for hiring only.
3. Money. The employer pays the bid of a listing for each qualified applicant, within the budgets that stand when the applicant arrives. An applicant who arrives after a window is filled is delivered free of charge, for good.
4. Changes. A new version of these terms is to be accepted before anything more is published; what is live stays live.`,
  issuedAt: null,
};

/** The terms in force. A new version has to be accepted anew before the next publish. */
export async function currentTerms({ terms }: Queries): Promise<Terms> {
  const latest = await terms.latest();
  return latest === undefined
    ? FIRST_TERMS
    : { version: latest.version, text: latest.text, issuedAt: latest.issued_at };
}

/** A version stands in a line of its own and in file names; it is no text. */
const VERSION = /^[\w.-]{1,40}$/;

/** Every company has to accept it from now on. Throws USAGE for a version that was issued, or that is no name or text. */
export async function issueTerms(
  { terms }: Queries,
  { version, text }: Pick<Terms, 'version' | 'text'>,
  now: number,
): Promise<Terms> {
  if (!VERSION.test(version)) {
    throw new PartnerError('USAGE', {
      message: 'a version is called by 1 to 40 letters, digits, dots, hyphens and underscores',
      hint: 'call it by its month, as 2026-07',
    });
  }
  const fault = textFault(text);
  if (fault !== undefined) throw new PartnerError('USAGE', { message: `the text of the terms ${fault}` });
  const issuedAt = isoTime(now);
  const isNew =
    version !== FIRST_TERMS.version && (await terms.issue({ version, text, issued_at: issuedAt }));
  if (isNew) return { version, text, issuedAt };
  throw new PartnerError('USAGE', {
    message: `the terms ${version} were issued before`,
    hint: 'give the new version another name',
  });
}

function textFault(text: string): string | undefined {
  if (text.trim() === '') return 'is empty';
  if (text.length > LIMITS.descriptionCharacters) {
    return `has ${text.length} characters; at most ${LIMITS.descriptionCharacters}`;
  }
  return [...textProblems(text)][0]?.message;
}

export function termsAccepted(company: CompanyRow, current: Terms): boolean {
  return company.terms_version_accepted === current.version;
}

export async function gateFacts(queries: Queries, companyId: string): Promise<GateFacts> {
  const company = await queries.companies.find(companyId);
  return {
    termsAccepted: company !== undefined && termsAccepted(company, await currentTerms(queries)),
    cardOnFile: company?.card_last4 != null,
  };
}
