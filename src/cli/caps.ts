import type { PartnerClient } from '../client/client.ts';
import type { JobFields, ServerJob } from '../client/server-job.ts';
import { sameEntries } from '../contract/entries.ts';
import { budgetWarnings } from '../contract/gate.ts';
import type { BudgetInput, Job } from '../contract/job.ts';
import type { BudgetWindow } from '../contract/values.ts';
import { standingBudgets } from './job-input.ts';
import { entryChanges } from './terminal/job-diff.ts';

/** The warnings of caps that hide a job as a server answers it, a line each. */
export function capWarnings({ budgets = [], bidPerQualifiedApplicantCents = null }: JobFields): string[] {
  const known = budgets.filter(
    ({ window, budgetCents }) => window !== undefined && budgetCents !== undefined,
  ) as Job['budgets'];
  return budgetWarnings({ budgets: known, bidPerQualifiedApplicantCents }).map(
    ({ message, hint }) => `warning: ${message}; ${hint}`,
  );
}

/** Says which caps of the job an update has removed by giving others: `budgets` is a replace-set (section 4). */
export function removedCaps({ budgets: before = [] }: JobFields, given: readonly BudgetInput[]): string[] {
  const removed = before.flatMap(({ window }) =>
    given.some((cap) => cap.window === window) ? [] : (window ?? []),
  );
  if (removed.length === 0) return [];
  const caps = removed.length === 1 ? 'cap' : 'caps';
  return [`removed: ${removed.join(', ')} ${caps}; \`partner budgets set\` keeps the others`];
}

/** The standing caps with those that are given, which replace others of the same window. */
export function withCaps(standing: readonly BudgetInput[], given: readonly BudgetInput[]): BudgetInput[] {
  const windows = given.map(({ window }) => window);
  return [...withoutCaps(standing, windows), ...given];
}

export function withoutCaps(
  standing: readonly BudgetInput[],
  windows: readonly BudgetWindow[],
): BudgetInput[] {
  return standing.filter(({ window }) => !windows.includes(window));
}

/**
 * Sets and drops caps of a job; gives the job and, a line each, what moved meanwhile. Caps are sent as a whole, so they
 * are read right before that: what somebody else sets for other windows is kept.
 */
export async function changeCaps(
  client: PartnerClient,
  id: number,
  { drop, given }: { readonly drop: 'all' | readonly BudgetWindow[]; readonly given: readonly BudgetInput[] },
): Promise<{ readonly job: ServerJob; readonly moved: string[] }> {
  const read = async () => (drop === 'all' ? [] : standingBudgets(await client.getJob(id)));
  const before = await read();
  const standing = await read();
  const budgets = withCaps(drop === 'all' ? [] : withoutCaps(standing, drop), given);
  const job = await client.updateJob(id, { budgets });
  const answered = job.budgets === undefined ? budgets : standingBudgets(job);
  return {
    job,
    moved: [
      ...movedCaps('the caps were changed elsewhere while this ran', before, standing),
      ...movedCaps('the server has other caps than were sent', budgets, answered),
    ],
  };
}

function movedCaps(what: string, from: readonly BudgetInput[], to: readonly BudgetInput[]): string[] {
  if (sameEntries(from, to)) return [];
  const changes = entryChanges('budgets', from, to).map(({ sign, text }) => `${sign} ${text}`);
  return [`warning: ${what}: ${changes.join(', ')}`];
}
