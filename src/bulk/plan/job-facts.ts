import type { ServerJob } from '../../client/client.ts';
import { isOver } from '../../contract/lifecycle.ts';
import { JOB_STATUSES } from '../../contract/values.ts';
import { wholeDigest } from './content.ts';
import type { Match } from './match.ts';
import type { PlanOptions } from './plan-item.ts';

/** What a plan goes by of a job, as the server has it now. */
export interface JobFacts {
  readonly id: number;
  /** `undefined`, as a text, where the server gives none. */
  readonly status: string;
  /** True once it has applications. */
  readonly isFrozen: boolean;
  /** As `isAsApplied` says of it. */
  readonly isAsApplied: boolean;
  /** The whole of it, for those whose content `needsContent` asks for. */
  readonly job?: ServerJob | undefined;
}

/** Whether planning a listing takes its content and the whole of its job: what needs no diff needs neither. */
export function needsContent(
  { wanted, entry }: Match,
  facts: JobFacts | 'gone' | undefined,
  { repost }: PlanOptions,
): boolean {
  if (entry === undefined || facts === undefined || facts === 'gone') return false;
  if (facts.status === 'EXPIRED' && repost) return false;
  const isChanged = wanted.digest !== wholeDigest(entry.applied);
  return isChanged || (!isOver(facts.status) && !facts.isAsApplied);
}

/** True of a job whose status is one of the contract's (section 3): of any other nobody can say whether it is live. */
export function isKnown({ status }: JobFacts): boolean {
  return (JOB_STATUSES as readonly string[]).includes(status);
}
