import type { PartnerClient } from '../client/client.ts';
import type { JobFields, ServerJob } from '../client/server-job.ts';
import { sameEntries } from '../contract/entries.ts';
import { budgetWarnings } from '../contract/gate.ts';
import type { BudgetInput, Job } from '../contract/job.ts';
import { BUDGET_WINDOWS, type BudgetWindow } from '../contract/values.ts';
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

interface CapChange {
  readonly drop: 'all' | readonly BudgetWindow[];
  readonly given: readonly BudgetInput[];
}

/** The standing caps without those that are dropped, and with those that are given instead of others of their windows. */
export function capsAfter(standing: readonly BudgetInput[], { drop, given }: CapChange): BudgetInput[] {
  const gone = drop === 'all' ? BUDGET_WINDOWS : [...drop, ...given.map(({ window }) => window)];
  return [...standing.filter(({ window }) => !gone.includes(window)), ...given];
}

/** Changes caps of a job; gives the job and a warning where the server has others than were sent. */
export async function changeCaps(
  client: PartnerClient,
  id: number,
  change: CapChange,
): Promise<{ readonly job: ServerJob; readonly warnings: string[] }> {
  // Caps are sent as a whole: they are read right before, so that other windows keep theirs.
  const standing = change.drop === 'all' ? [] : standingBudgets(await client.getJob(id));
  const budgets = capsAfter(standing, change);
  const job = await client.updateJob(id, { budgets });
  // The caps are set by now, whatever else the server answers.
  if (job.budgets === undefined || sameEntries(budgets, job.budgets)) return { job, warnings: [] };
  const changes = entryChanges('budgets', budgets, job.budgets).map(({ sign, text }) => `${sign} ${text}`);
  return { job, warnings: [`warning: the server has other caps than were sent: ${changes.join(', ')}`] };
}
