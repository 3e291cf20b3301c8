import type { PartnerClient, ServerJob } from '../client/client.ts';
import { sameEntries } from '../contract/entries.ts';
import { budgetWarnings } from '../contract/gate.ts';
import type { BudgetInput, Job } from '../contract/job.ts';
import type { BudgetWindow } from '../contract/values.ts';
import { standingBudgets } from '../listings/job-file.ts';
import { entryChanges } from './terminal/entry-diff.ts';
import { type Fields, fieldsIn, listIn, numberIn, textIn } from './terminal/read.ts';

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

/**
 * Sets and drops caps of a job. They are sent as a whole, so those that stand are read again right before that:
 * what another sets meanwhile for other windows is kept. Gives the job and, a line each, what moved.
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

function capsOf(job: unknown): Fields[] {
  return listIn(fieldsIn(job).budgets);
}

function isBudget(cap: Fields): cap is Job['budgets'][number] {
  return typeof cap.window === 'string' && Number.isSafeInteger(cap.budgetCents);
}
