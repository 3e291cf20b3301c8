import type { AppliedSet } from '../../bulk/apply/apply-set.ts';
import { grouped } from '../../bulk/report/sentence.ts';
import type { Connection } from '../../cli/connection/connection.ts';
import { explained } from '../../cli/failure.ts';
import type { PartnerError } from '../../contract/errors.ts';

/** What became of a set, with the next steps that fit the place where the calls went. */
export function explainedSet(applied: AppliedSet, connection: Connection): AppliedSet {
  const told = (error: PartnerError | undefined) => error && explained(error, connection);
  const { outcomes, stopped, gate } = applied;
  return {
    ...applied,
    outcomes: outcomes.map((outcome) => ({ ...outcome, error: told(outcome.error) })),
    stopped: told(stopped),
    gate: told(gate),
  };
}

/** What to do after an apply, a line each. A terminal has been shown why, below what was not attempted. */
export function nextSteps(
  { plan, outcomes, stopped, gate }: AppliedSet,
  { command, isTerminal }: { readonly command: string; readonly isTerminal: boolean },
): string[] {
  const because = stopped ?? gate;
  const isLeft = because !== undefined || outcomes.some(({ result }) => result === 'left');
  const known = plan.notices.length;
  return [
    ...(isTerminal || because?.hint === undefined ? [] : [because.hint]),
    ...(isTerminal || !isLeft ? [] : [`what was done is recorded; this does the rest: ${command}`]),
    ...(known === 0
      ? []
      : [`${grouped(known)} left as they are: \`partner jobs plan\` shows which, and why`]),
  ];
}
