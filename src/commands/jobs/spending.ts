import { PartnerError } from '../../contract/errors.ts';
import { type Guarded, guardrails, type SpendRules } from '../../contract/guardrails.ts';
import { EMPTY_CONTENT, type JobContent, type JobUpdate } from '../../contract/job.ts';
import { fieldName, fieldsOf } from '../../contract/problems.ts';
import { sentence } from '../../listings/check/formats/summary.ts';

/** What is hardly meant so in answers or changes: warnings in a sentence each, and what the rules forbid. */
export function guardedAnswers(
  { publish: _, ...input }: JobUpdate & { readonly publish?: boolean | undefined },
  isLive: boolean,
  rules: SpendRules,
): { readonly warnings: readonly string[]; readonly forbidden: readonly Guarded[] } {
  const found = guardrails({ ...EMPTY_CONTENT, ...input } as JobContent, isLive, rules);
  return {
    warnings: found.map((problem) => sentence({ ...problem, field: fieldName(problem.path) })),
    forbidden: found.filter(({ rule }) => rule === 'spend-rule'),
  };
}

/** Throws VALIDATION_FAILED for changes that the rules forbid. */
export function assertAllowed(patch: JobUpdate, rules: SpendRules): void {
  const { forbidden } = guardedAnswers(patch, patch.budgets !== undefined, rules);
  if (forbidden.length > 0) throw new PartnerError('VALIDATION_FAILED', { fields: fieldsOf(forbidden) });
}
