import type { BudgetInput, Job, JobContent } from './job.ts';
import { hasEnded } from './lifecycle.ts';
import { createProblem, type Problem } from './problems.ts';
import type { BudgetWindow } from './values.ts';
import { formatCents, valueWord } from './words.ts';

/** Gate 1 (section 8): returns every missing field of a live listing, in the specification's order. */
export function completenessGaps(listing: JobContent): Problem[] {
  const { remoteOption, salaryMin, salaryMax, bidPerQualifiedApplicantCents: bid, qualifications } = listing;
  const gaps: Problem[] = [];
  const gap = (field: keyof JobContent, message = 'is required to publish', hint?: string): void => {
    gaps.push({ ...createProblem([field], message, hint), kind: 'incomplete' });
  };
  if (isBlank(listing.title)) gap('title');
  if (isBlank(listing.description)) gap('description');
  if (remoteOption === null) gap('remoteOption', 'must be REMOTE, HYBRID or IN_PERSON to publish');
  else if (remoteOption === 'REMOTE') {
    if (isBlank(listing.remoteCountry)) gap('remoteCountry', 'is required to publish a REMOTE job');
  } else if (listing.locations.length === 0)
    gap('locations', `must have at least one place to publish a job that is ${remoteOption}`);
  for (const field of ['jobType', 'jobLevel', 'salaryMin', 'salaryMax'] as const)
    if (listing[field] === null) gap(field);
  if (areSalariesCrossed(listing))
    gap('salaryMin', `${salaryMin} is more than salaryMax, ${salaryMax}`, 'swap the two');
  if (listing.salaryPeriod === null) gap('salaryPeriod', 'must be ANNUAL or HOURLY to publish');
  if (bid === null || bid <= 0) gap('bidPerQualifiedApplicantCents', 'must be more than 0 to publish');
  if (!qualifications.some(({ kind }) => kind === 'REQUIRED')) {
    const hint = qualifications.length > 0 ? 'set "kind": "REQUIRED" on one of them' : undefined;
    gap('qualifications', 'must have at least one of kind REQUIRED to publish', hint);
  }
  return gaps;
}

/** Returns problems of a draft that would prevent publishing (decision 24). */
export function draftWarnings(listing: JobContent): Problem[] {
  const crossField: readonly string[] = ['remoteCountry', 'locations'];
  return completenessGaps(listing).filter(
    ({ path: [field] }) =>
      (field === 'salaryMin' && areSalariesCrossed(listing)) ||
      (listing.remoteOption !== null && crossField.includes(String(field))),
  );
}

/** A cap below one bid hides the job from the start of the window (docs/decisions.md, billing). */
export function isBelowBid(budgetCents: number, bidCents: number | null): boolean {
  return bidCents !== null && budgetCents < bidCents;
}

export function capBelowBid(bidCents: number): string {
  return `the bundled engine hides this job, and other servers may charge one applicant per window (${formatCents(bidCents)})`;
}

/** A cap below one bid was probably meant in dollars. A cap of zero is valid, because it stops spending. */
export function budgetWarnings({
  budgets,
  bidPerQualifiedApplicantCents: bidCents,
}: Pick<JobContent, 'budgets' | 'bidPerQualifiedApplicantCents'>): Problem[] {
  return budgets.flatMap(({ window, budgetCents }, index) => {
    if (bidCents === null || budgetCents === 0 || !isBelowBid(budgetCents, bidCents)) return [];
    const [cap, bid] = [formatCents(budgetCents), formatCents(bidCents)];
    const message = `the ${window} cap of ${cap} is less than one bid (${bid}): ${capBelowBid(bidCents)}`;
    const hint = `caps are in cents: ${budgetCents * 100} is ${formatCents(budgetCents * 100)}`;
    return [createProblem(['budgets', index, 'budgetCents'], message, hint)];
  });
}

/** Charges in the current window of each kind, in cents. */
export type SpentCents = Readonly<Record<BudgetWindow, number>>;

/** Returns the cap with the largest share spent, and what was spent of it. Without caps or after the end, the total. */
export function findFullestCap({ status, budgets }: Pick<Job, 'status' | 'budgets'>, spent: SpentCents) {
  // Adding a cent makes a cap of zero a full one.
  const share = ({ window, budgetCents }: BudgetInput) => (spent[window] + 1) / (budgetCents + 1);
  const caps = hasEnded(status) ? [] : budgets;
  const [cap] = caps.toSorted((one, other) => share(other) - share(one));
  return { spentCents: spent[cap?.window ?? 'LIFETIME'], cap, totalCents: spent.LIFETIME };
}

/** Formats `$45.00 of $100.00 daily`, or only the amount if there's no cap. */
export function formatSpentOfCap({ spentCents, cap }: ReturnType<typeof findFullestCap>): string {
  const ofCap = cap && ` of ${formatCents(cap.budgetCents)} ${valueWord(cap.window)}`;
  return `${formatCents(spentCents)}${ofCap ?? ''}`;
}

function areSalariesCrossed({ salaryMin, salaryMax }: JobContent): boolean {
  return salaryMin !== null && salaryMax !== null && salaryMin > salaryMax;
}

function isBlank(text: string | null): boolean {
  return text === null || text.trim() === '';
}

export interface GateFacts {
  readonly termsAccepted: boolean;
  readonly cardOnFile: boolean;
}

/** Checks all three gates in the specification's order. Only the first failure is returned (decision 13). */
export function publishGate(listing: JobContent, facts: GateFacts) {
  const gaps = completenessGaps(listing);
  if (gaps.length > 0) return { passed: false, code: 'VALIDATION_FAILED', gaps } as const;
  if (!facts.termsAccepted) return { passed: false, code: 'AGREEMENT_OUTDATED' } as const;
  if (!facts.cardOnFile) return { passed: false, code: 'PAYMENT_METHOD_REQUIRED' } as const;
  return { passed: true } as const;
}

type CapFields = { readonly window?: string | undefined; readonly budgetCents?: number | undefined };

interface SpendFields {
  readonly bidPerQualifiedApplicantCents?: number | null | undefined;
  readonly budgets?: readonly CapFields[] | undefined;
}

/** Describes a raised bid, and each cap that is raised or removed, because no cap means unlimited spending. */
export function describeRaises(
  before: SpendFields,
  { budgets, bidPerQualifiedApplicantCents: bid }: SpendFields,
): string[] {
  const was = before.bidPerQualifiedApplicantCents ?? 0;
  const raises = bid && bid > was ? [`raise the bid from ${formatCents(was)} to ${formatCents(bid)}`] : [];
  if (budgets === undefined) return raises;
  for (const { window, budgetCents = 0 } of before.budgets ?? []) {
    const cap = `the ${valueWord(window ?? '')} cap`;
    const to = budgets.find((budget) => budget.window === window)?.budgetCents;
    if (to === undefined) raises.push(`remove ${cap} of ${formatCents(budgetCents)}`);
    else if (to > budgetCents)
      raises.push(`raise ${cap} from ${formatCents(budgetCents)} to ${formatCents(to)}`);
  }
  return raises;
}
