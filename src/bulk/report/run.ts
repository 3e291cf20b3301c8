import type { PartnerError } from '../../contract/errors.ts';
import type { FindingTotals } from '../../listings/check/tally.ts';
import type { ItemOutcome } from '../apply/outcome.ts';
import type { Plan } from '../plan/plan-item.ts';
import type { ResolvedPlace } from '../session.ts';

/** The target of a run that no server has seen. */
export const BUNDLED_ENGINE = 'bundled engine';

export interface RunFacts {
  /** Undefined where the run ended before there was one. */
  readonly plan: Plan | undefined;
  /** Of an apply, in the plan's order; empty for a plan, and where the run ended before its items. */
  readonly outcomes: readonly ItemOutcome[];
  readonly found: FindingTotals;
  readonly places: readonly ResolvedPlace[];
  readonly server: string | undefined;
  /** BUNDLED_ENGINE or the server: how reports name where the calls went. */
  readonly target: string | undefined;
  readonly statePath: string | undefined;
  /** Why the run could not begin, or was stopped. */
  readonly error: PartnerError | undefined;
}

export const NOTHING_KNOWN: RunFacts = {
  plan: undefined,
  outcomes: [],
  found: { findings: [], errors: 0, warnings: 0, listingsWithErrors: 0 },
  places: [],
  server: undefined,
  target: undefined,
  statePath: undefined,
  error: undefined,
};

export interface BulkRun extends RunFacts {
  readonly command: 'plan' | 'apply';
  readonly startedAt: number;
  readonly durationMs: number;
}
