import { budgetWarnings } from '../../contract/gate.ts';
import type { JobContent } from '../../contract/job.ts';
import { clipText, createProblem, type Problem } from '../../contract/problems.ts';
import { formatCents, formatDollars } from '../../contract/words.ts';
import { normalise } from '../../places/place-names.ts';
import { COUNTRIES, countriesByName } from '../../places/regions.ts';
import { nearest } from '../../text/nearest.ts';
import markup from './markup.json' with { type: 'json' };

export interface SpendRules {
  readonly maxBidCents?: number | undefined;
  readonly requireBudget?: boolean | undefined;
}

export interface GuardrailProblem extends Problem {
  readonly rule: 'unusual-value' | 'no-cap' | 'shown-literally' | 'spend-rule';
}

const LOWEST_BID_CENTS = 100;
const HIGHEST_BID_CENTS = 50_000;
/** A bid that differs from the median by this factor is probably a mistake. */
const TIMES_MEDIAN = 10;

const ANNUAL_AT_LEAST = 1000;
const HOURLY_AT_MOST = 1000;

export function guardrails(listing: JobContent, isLive: boolean, rules: SpendRules = {}): GuardrailProblem[] {
  return [
    ...bidProblems(listing, rules),
    ...(isLive && listing.budgets.length === 0 ? [noCap(rules)] : []),
    ...budgetWarnings(listing).map((problem): GuardrailProblem => ({ ...problem, rule: 'unusual-value' })),
    // For example a postal code, an amount or a full job posting.
    ...(/\n|^(?=.*\d)(?!.*\p{L}{3})/u.test(listing.title.trim())
      ? [guardrail('unusual-value', 'title', "doesn't look like a job title")]
      : []),
    ...payProblems(listing),
    ...countryProblems(listing),
    ...markupProblems(listing),
  ];
}

function guardrail(rule: GuardrailProblem['rule'], field: keyof JobContent, message: string, hint?: string) {
  return { rule, ...createProblem([field], message, hint) };
}

function bidProblems({ bidPerQualifiedApplicantCents: bid }: JobContent, { maxBidCents }: SpendRules) {
  const field = 'bidPerQualifiedApplicantCents';
  if (bid === null || bid <= 0) return [];
  if (maxBidCents !== undefined && bid > maxBidCents) {
    const most = formatCents(maxBidCents);
    const message = `a bid of ${formatCents(bid)} is more than ${most}, the maximum set by --max-bid-cents (PARTNER_MAX_BID_CENTS)`;
    return [guardrail('spend-rule', field, message, `use ${maxBidCents} or less`)];
  }
  const isLow = bid < LOWEST_BID_CENTS;
  if (!isLow && (bid <= HIGHEST_BID_CENTS || maxBidCents !== undefined)) return [];
  const message = `a bid of ${formatCents(bid)} per applicant is unusually ${isLow ? 'low' : 'high'}`;
  const meant = isLow ? bid * 100 : Math.round(bid / 100);
  return [guardrail('unusual-value', field, message, `bids are in cents: ${meant} is ${formatCents(meant)}`)];
}

export function bidOffMedian(bidCents: number, medianCents: number): string | undefined {
  if (bidCents < LOWEST_BID_CENTS || bidCents > HIGHEST_BID_CENTS) return undefined;
  const [bid, median] = [formatCents(bidCents), formatCents(medianCents)];
  if (bidCents >= medianCents * TIMES_MEDIAN)
    return `a bid of ${bid} is ${Math.floor(bidCents / medianCents)} times the median of these listings, ${median}`;
  return bidCents * TIMES_MEDIAN <= medianCents
    ? `a bid of ${bid} is low: the median of these listings, ${median}, is ${Math.floor(medianCents / bidCents)} times as high`
    : undefined;
}

const UNLIMITED = 'the cost is unlimited unless the dashboard has a company budget (not visible here)';

function noCap({ requireBudget }: SpendRules): GuardrailProblem {
  const message = 'this listing has no spend cap';
  if (!requireBudget) return guardrail('no-cap', 'budgets', `${message}: ${UNLIMITED}`);
  const rule = 'but --require-budget (PARTNER_REQUIRE_BUDGET) requires one';
  return guardrail('spend-rule', 'budgets', `${message}, ${rule}`);
}

export function manyWithoutCap(count: number): string {
  return `${count} listings have no spend cap, starting with this one: ${UNLIMITED}`;
}

function payProblems({ salaryMin, salaryMax, salaryPeriod }: JobContent): GuardrailProblem[] {
  const field = salaryMin === null ? 'salaryMax' : 'salaryMin';
  const [low, high] = [salaryMin ?? salaryMax, salaryMax ?? salaryMin];
  if (low === null || high === null) return [];
  if (salaryPeriod === 'ANNUAL' && low > 0 && low < ANNUAL_AT_LEAST) {
    const hint = `use ${low * 1000} for ${formatDollars(low * 1000)}, or "salaryPeriod": "HOURLY"`;
    return [guardrail('unusual-value', field, `${formatDollars(low)} a year is unusually low`, hint)];
  }
  if (salaryPeriod !== 'HOURLY' || high <= HOURLY_AT_MOST) return [];
  const hint = 'use "salaryPeriod": "ANNUAL", or the hourly pay';
  return [guardrail('unusual-value', 'salaryMax', `${formatDollars(high)} an hour is unusually high`, hint)];
}

/** Parts of the United Kingdom, which the country list doesn't contain separately. */
const HOME_NATIONS = ['england', 'scotland', 'wales', 'northern ireland'];

function countryProblems({ remoteCountry }: JobContent): GuardrailProblem[] {
  if (remoteCountry === null || remoteCountry.trim() === '') return [];
  const countries = countriesByName();
  const name = normalise(remoteCountry);
  if (countries.has(name) || countries.has(name.replace(/^the /, '')) || HOME_NATIONS.includes(name))
    return [];
  const names = COUNTRIES.map((country) => country.name);
  const near = nearest(remoteCountry, names);
  const hint = near === undefined ? 'use one country, such as "United States"' : `did you mean "${near}"?`;
  const message = `${JSON.stringify(remoteCountry)} isn't a known country`;
  return [guardrail('unusual-value', 'remoteCountry', message, hint)];
}

const MARKUP = markup.map(({ found, ...row }) => ({ ...row, pattern: new RegExp(found, 'i') }));

function markupProblems({ description }: JobContent): GuardrailProblem[] {
  return MARKUP.flatMap(({ name, pattern, hint }) => {
    const [sign] = pattern.exec(description) ?? [];
    if (sign === undefined) return [];
    const message = `contains ${name}, ${clipText(sign, 30)}, which candidates would see unformatted`;
    return [guardrail('shown-literally', 'description', message, hint)];
  });
}
