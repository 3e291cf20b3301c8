import * as Flags from '@oclif/core/flags';
import { textFlag, wholeNumber } from '../../cli/flags/flag-values.ts';
import { PartnerError } from '../../contract/errors.ts';
import { type GuardrailProblem, guardrails, type SpendRules } from '../../contract/guardrails.ts';
import type { JobUpdate } from '../../contract/job.ts';
import { fieldName, fieldsOf } from '../../contract/problems.ts';
import { sentence } from '../../listings/check/finding.ts';
import { wholeContent } from './job-gaps.ts';

export const spendFlags = {
  'max-bid-cents': textFlag('CENTS', 'Refuse a bid above this (also PARTNER_MAX_BID_CENTS)'),
  'require-budget': Flags.boolean({
    description: 'Refuse to publish a listing without a cap of its own (also PARTNER_REQUIRE_BUDGET)',
  }),
} as const;

type Environment = Readonly<Record<string, string | undefined>>;

/** What flags and, without them, the environment allow. Throws USAGE for a value that is none. */
export function spendRules(flags: Readonly<Record<string, unknown>>, env: Environment): SpendRules {
  const flag = flags['max-bid-cents'] as string | undefined;
  const max = flag ?? env.PARTNER_MAX_BID_CENTS;
  const name = flag === undefined ? 'PARTNER_MAX_BID_CENTS' : '--max-bid-cents';
  return {
    maxBidCents: max === undefined ? undefined : wholeNumber(name, max, { min: 1 }),
    requireBudget: flags['require-budget'] === true || isOn('PARTNER_REQUIRE_BUDGET', env),
  };
}

/** An empty rule is what a missing variable of a CI looks like: to take it for "no" would lift the rule unseen. */
function isOn(name: string, env: Environment): boolean {
  const given = env[name]?.trim().toLowerCase();
  if (given === undefined || /^(?:0|false|no)$/.test(given)) return false;
  if (/^(?:1|true|yes)$/.test(given)) return true;
  throw new PartnerError('USAGE', {
    message: `${name} is neither true nor false: \`${given}\``,
    hint: `write ${name}=true, or unset it`,
  });
}

/** What is hardly meant so in answers or changes: warnings in a sentence each, and what the rules forbid. */
export function guardedAnswers(
  { publish: _, ...input }: JobUpdate & { readonly publish?: boolean | undefined },
  isLive: boolean,
  rules: SpendRules,
): { readonly warnings: readonly string[]; readonly forbidden: readonly GuardrailProblem[] } {
  const found = guardrails(wholeContent(input), isLive, rules);
  return {
    warnings: found.map((problem) => sentence({ ...problem, field: fieldName(problem.path) })),
    forbidden: found.filter(({ rule }) => rule === 'spend-rule'),
  };
}

export function assertAllowed(patch: JobUpdate, rules: SpendRules): void {
  const { forbidden } = guardedAnswers(patch, patch.budgets !== undefined, rules);
  if (forbidden.length > 0) throw new PartnerError('VALIDATION_FAILED', { fields: fieldsOf(forbidden) });
}
