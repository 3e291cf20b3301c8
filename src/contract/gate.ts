import type { JobContent } from './job.ts';
import { invalid, type Problem } from './problems.ts';
import { formatCents } from './words.ts';

/** Gate 1 (section 8): every gap of a listing that is to be live, in the specification's order. */
export function completenessGaps(listing: JobContent): Problem[] {
  const gaps: Problem[] = [];
  const gap = (field: keyof JobContent, message: string, hint?: string): void => {
    gaps.push({ path: [field], kind: 'incomplete', message, ...(hint === undefined ? {} : { hint }) });
  };

  if (isBlank(listing.title)) gap('title', 'a live listing needs a title');
  if (isBlank(listing.description)) gap('description', 'a live listing needs a description');

  if (listing.remoteOption === null) {
    gap('remoteOption', 'a live listing says REMOTE, HYBRID or IN_PERSON');
  } else if (listing.remoteOption === 'REMOTE') {
    if (isBlank(listing.remoteCountry)) {
      gap('remoteCountry', 'a REMOTE listing names the country where people may work');
    }
  } else if (listing.locations.length === 0) {
    gap('locations', `a listing that is ${listing.remoteOption} needs at least one location`);
  }

  if (listing.jobType === null) gap('jobType', 'a live listing needs a job type');
  if (listing.jobLevel === null) gap('jobLevel', 'a live listing needs a job level');

  if (listing.salaryMin === null) gap('salaryMin', 'a live listing needs the lower end of the salary');
  if (listing.salaryMax === null) gap('salaryMax', 'a live listing needs the upper end of the salary');
  if (salariesAreCrossed(listing)) {
    gap('salaryMin', `${listing.salaryMin} is more than salaryMax, ${listing.salaryMax}`, 'exchange the two');
  }
  if (listing.salaryPeriod === null)
    gap('salaryPeriod', 'a live listing says whether the salary is ANNUAL or HOURLY');

  if (listing.bidPerQualifiedApplicantCents === null || listing.bidPerQualifiedApplicantCents <= 0) {
    gap('bidPerQualifiedApplicantCents', 'a live listing needs a bid of more than 0 cents');
  }
  if (!listing.qualifications.some((qualification) => qualification.kind === 'REQUIRED')) {
    const hint = listing.qualifications.length > 0 ? 'give one of them "kind": "REQUIRED"' : undefined;
    gap('qualifications', 'a live listing needs at least one qualification of kind REQUIRED', hint);
  }
  return gaps;
}

/** Decision 24: what a draft may hold but is worth a warning, because publishing would refuse it. */
export function draftWarnings(listing: JobContent): Problem[] {
  const crossField: readonly string[] = ['remoteCountry', 'locations'];
  return completenessGaps(listing).filter(
    ({ path: [field] }) =>
      (field === 'salaryMin' && salariesAreCrossed(listing)) ||
      (listing.remoteOption !== null && crossField.includes(String(field))),
  );
}

/** True where not even one bid fits a cap: its window counts as filled from the start (decisions, billing). */
export function isBelowBid(budgetCents: number, bidCents: number | null): boolean {
  return bidCents !== null && budgetCents < bidCents;
}

/** What a cap below one bid does here, and what 8.5(a) allows elsewhere. */
export function capBelowBid(bidCents: number): string {
  return `the bundled engine hides this job; by the specification, other servers may charge one applicant per window (${formatCents(bidCents)})`;
}

/** A cap below one bid was probably meant in dollars; a cap of zero stops spending on purpose. */
export function budgetWarnings({
  budgets,
  bidPerQualifiedApplicantCents: bidCents,
}: Pick<JobContent, 'budgets' | 'bidPerQualifiedApplicantCents'>): Problem[] {
  return budgets.flatMap(({ window, budgetCents }, index) => {
    if (bidCents === null || budgetCents === 0 || !isBelowBid(budgetCents, bidCents)) return [];
    const [cap, bid] = [formatCents(budgetCents), formatCents(bidCents)];
    const message = `the ${window} cap of ${cap} is less than one bid (${bid}): ${capBelowBid(bidCents)}`;
    const hint = `caps are in cents: ${budgetCents * 100} is ${formatCents(budgetCents * 100)}`;
    return [invalid(['budgets', index, 'budgetCents'], message, hint)];
  });
}

function salariesAreCrossed({ salaryMin, salaryMax }: JobContent): boolean {
  return salaryMin !== null && salaryMax !== null && salaryMin > salaryMax;
}

function isBlank(text: string | null): boolean {
  return text === null || text.trim() === '';
}

export interface GateFacts {
  readonly termsAccepted: boolean;
  readonly cardOnFile: boolean;
}

/** All three publish gates in the specification's order; the first failing one is answered (decision 13). */
export function publishGate(listing: JobContent, facts: GateFacts) {
  const gaps = completenessGaps(listing);
  if (gaps.length > 0) return { passed: false, code: 'VALIDATION_FAILED', gaps } as const;
  if (!facts.termsAccepted) return { passed: false, code: 'AGREEMENT_OUTDATED' } as const;
  if (!facts.cardOnFile) return { passed: false, code: 'PAYMENT_METHOD_REQUIRED' } as const;
  return { passed: true } as const;
}
