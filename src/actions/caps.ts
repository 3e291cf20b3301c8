import { budgetWarnings } from '../contract/gate.ts';
import type { BudgetInput, Job } from '../contract/job.ts';
import type { BudgetWindow } from '../contract/values.ts';
import { type Fields, fieldsIn, listIn, numberIn, textIn } from '../ui/views/read.ts';

/** The warnings of caps that hide a job as a server answers it, a line each. */
export function capWarnings(job: unknown): string[] {
  const bidPerQualifiedApplicantCents = numberIn(fieldsIn(job).bidPerQualifiedApplicantCents) ?? null;
  const budgets = capsOf(job).filter(isBudget);
  return budgetWarnings({ budgets, bidPerQualifiedApplicantCents }).map(
    ({ message, hint }) => `warning: ${message}; ${hint}`,
  );
}

/** Says which caps of the job an update has removed by giving others: `budgets` is a replace-set (section 4). */
export function removedCaps(before: unknown, patch: unknown): string[] {
  const kept = capsOf(patch).map(({ window }) => window);
  const removed = capsOf(before).flatMap(({ window }) =>
    kept.includes(window) ? [] : (textIn(window) ?? []),
  );
  if (removed.length === 0) return [];
  const caps = removed.length === 1 ? 'cap' : 'caps';
  return [`removed: ${removed.join(', ')} ${caps}; \`partner budgets set\` keeps the others`];
}

/** The caps that stand with those that are given, which take the place of others for their windows. */
export function withCaps(standing: readonly BudgetInput[], given: readonly BudgetInput[]): BudgetInput[] {
  return [
    ...withoutCaps(
      standing,
      given.map(({ window }) => window),
    ),
    ...given,
  ];
}

/** The caps that stand, without those of some windows. */
export function withoutCaps(
  standing: readonly BudgetInput[],
  windows: readonly BudgetWindow[],
): BudgetInput[] {
  return standing.filter(({ window }) => !windows.includes(window));
}

function capsOf(job: unknown): Fields[] {
  return listIn(fieldsIn(job).budgets);
}

function isBudget(cap: Fields): cap is Job['budgets'][number] {
  return typeof cap.window === 'string' && Number.isSafeInteger(cap.budgetCents);
}
