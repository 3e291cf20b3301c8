import { budgetWarnings } from './gate.ts';
import type { JobContent } from './job.ts';
import { nearest } from './nearest.ts';
import { normalise } from './place-names.ts';
import { clipped, invalid, type Problem } from './problems.ts';
import { COUNTRIES, countriesByName } from './regions.ts';
import { formatCents, formatDollars } from './words.ts';

/** A company's own rules, unknown to the server. */
export interface SpendRules {
  readonly maxBidCents?: number | undefined;
  readonly requireBudget?: boolean | undefined;
}

export interface GuardrailProblem extends Problem {
  readonly rule: 'unusual-value' | 'no-cap' | 'shown-literally' | 'spend-rule';
}

const LOWEST_BID_CENTS = 100;
const HIGHEST_BID_CENTS = 50_000;
/** Off the median by so many times, a bid is probably a slip. */
const TIMES_MEDIAN = 10;

const ANNUAL_AT_LEAST = 1000;
const HOURLY_AT_MOST = 1000;

/** What the service takes and the author hardly meant. `spend-rule` is what `rules` forbid. */
export function guardrails(listing: JobContent, isLive: boolean, rules: SpendRules = {}): GuardrailProblem[] {
  return [
    ...bidProblems(listing, rules),
    ...(isLive && listing.budgets.length === 0 ? [noCap(rules)] : []),
    ...budgetWarnings(listing).map((problem): GuardrailProblem => ({ ...problem, rule: 'unusual-value' })),
    ...payProblems(listing),
    ...countryProblems(listing),
    ...markupProblems(listing),
  ];
}

function guardrail(
  rule: GuardrailProblem['rule'],
  field: keyof JobContent,
  message: string,
  hint?: string,
): GuardrailProblem {
  return { rule, ...invalid([field], message, hint) };
}

function bidProblems({ bidPerQualifiedApplicantCents: bid }: JobContent, { maxBidCents }: SpendRules) {
  const field = 'bidPerQualifiedApplicantCents';
  if (bid === null || bid <= 0) return [];
  if (maxBidCents !== undefined && bid > maxBidCents) {
    const most = formatCents(maxBidCents);
    const message = `a bid of ${formatCents(bid)} is more than the ${most} that --max-bid-cents (PARTNER_MAX_BID_CENTS) allows`;
    return [guardrail('spend-rule', field, message, `write ${maxBidCents} or less`)];
  }
  const isLow = bid < LOWEST_BID_CENTS;
  if (!isLow && (bid <= HIGHEST_BID_CENTS || maxBidCents !== undefined)) return [];
  const message = `a bid of ${formatCents(bid)} for an applicant is unusually ${isLow ? 'low' : 'high'}`;
  const meant = isLow ? bid * 100 : Math.round(bid / 100);
  return [guardrail('unusual-value', field, message, `bids are in cents: ${meant} is ${formatCents(meant)}`)];
}

export function bidOffMedian(bidCents: number, medianCents: number): string | undefined {
  if (bidCents < LOWEST_BID_CENTS || bidCents > HIGHEST_BID_CENTS) return undefined;
  const [bid, median] = [formatCents(bidCents), formatCents(medianCents)];
  if (bidCents >= medianCents * TIMES_MEDIAN)
    return `a bid of ${bid} is ${Math.floor(bidCents / medianCents)} times the median of this set, ${median}`;
  return bidCents * TIMES_MEDIAN <= medianCents
    ? `a bid of ${bid} is low for this set: its median, ${median}, is ${Math.floor(medianCents / bidCents)} times as high`
    : undefined;
}

const UNLIMITED =
  'unless the dashboard has a budget for the company (not visible here), nothing limits its cost';

function noCap({ requireBudget }: SpendRules): GuardrailProblem {
  const message = 'a listing to be published has no cap of its own';
  if (!requireBudget) return guardrail('no-cap', 'budgets', `${message}: ${UNLIMITED}`);
  const rule = 'which --require-budget (PARTNER_REQUIRE_BUDGET) asks for';
  return guardrail('spend-rule', 'budgets', `${message}, ${rule}`);
}

export function manyWithoutCap(count: number): string {
  return `${count} listings to be published have no cap of their own, this one first: ${UNLIMITED}`;
}

function payProblems({ salaryMin, salaryMax, salaryPeriod }: JobContent): GuardrailProblem[] {
  const field = salaryMin === null ? 'salaryMax' : 'salaryMin';
  const [low, high] = [salaryMin ?? salaryMax, salaryMax ?? salaryMin];
  if (low === null || high === null) return [];
  if (salaryPeriod === 'ANNUAL' && low > 0 && low < ANNUAL_AT_LEAST) {
    const hint = `write ${low * 1000} for ${formatDollars(low * 1000)}, or "salaryPeriod": "HOURLY"`;
    return [guardrail('unusual-value', field, `${formatDollars(low)} a year is unusually low`, hint)];
  }
  if (salaryPeriod !== 'HOURLY' || high <= HOURLY_AT_MOST) return [];
  const hint = 'write "salaryPeriod": "ANNUAL", or the pay of an hour';
  return [guardrail('unusual-value', 'salaryMax', `${formatDollars(high)} an hour is unusually high`, hint)];
}

/** Countries of the United Kingdom, which the list of countries has as one. */
const HOME_NATIONS = ['england', 'scotland', 'wales', 'northern ireland'];

function countryProblems({ remoteCountry }: JobContent): GuardrailProblem[] {
  if (remoteCountry === null || remoteCountry.trim() === '') return [];
  const countries = countriesByName();
  const name = normalise(remoteCountry);
  if (countries.has(name) || countries.has(name.replace(/^the /, '')) || HOME_NATIONS.includes(name))
    return [];
  const near = nearest(
    remoteCountry,
    COUNTRIES.map((country) => country.name),
  );
  const hint = near === undefined ? 'name one country: "United States"' : `did you mean "${near}"?`;
  return [
    guardrail('unusual-value', 'remoteCountry', `${JSON.stringify(remoteCountry)} is no country`, hint),
  ];
}

const MARKUP: readonly (readonly [name: string, found: RegExp, hint: string])[] = [
  [
    'HTML',
    /<\/?(?:p|br|div|span|ul|ol|li|b|i|u|strong|em|a|h[1-6]|table|tr|td|th|img|hr|font|section|article)(?:\s[^<>]*)?\/?>/i,
    'write plain text; in JSON, \\n is a new line',
  ],
  ['an HTML entity', /&(?:[a-z]{2,8}|#\d{1,6}|#x[\da-f]{1,5});/i, 'write the character itself'],
  [
    'Markdown',
    /^# \S|(?:^|\n)#{2,6} \S|\*\*\S[^*\n]*\*\*|\[[^[\]\n]+\]\([a-z]+:[^()\s]+\)/i,
    'write plain text; in JSON, \\n is a new line',
  ],
];

function markupProblems({ description }: JobContent): GuardrailProblem[] {
  return MARKUP.flatMap(([name, found, hint]) => {
    const [sign] = found.exec(description) ?? [];
    if (sign === undefined) return [];
    const message = `holds ${name}, ${clipped(sign, 30)}, which candidates would see as it is`;
    return [guardrail('shown-literally', 'description', message, hint)];
  });
}
