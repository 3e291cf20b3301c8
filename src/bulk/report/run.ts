import type { PartnerError } from '../../contract/errors.ts';
import type { FindingTotals } from '../../listings/check/tally.ts';
import type { Beside } from '../../listings/read/unknown-files.ts';
import type { ItemOutcome } from '../apply/outcome.ts';
import { listingOfKey } from '../plan/desired-listing.ts';
import type { Plan, PlanItem } from '../plan/plan-item.ts';
import type { ResolvedPlace } from '../session.ts';
import { changesOnOneLine } from '../view/plan-diff.ts';

/** The target of a run that no server has seen. */
export const BUNDLED_ENGINE = 'bundled engine';

export interface RunFacts extends Beside {
  /** Undefined where the run ended before there was one. */
  readonly plan?: Plan | undefined;
  /** Of an apply, in the plan's order; empty for a plan, and where the run ended before its items. */
  readonly outcomes: readonly ItemOutcome[];
  readonly found: FindingTotals;
  readonly places: readonly ResolvedPlace[];
  readonly server?: string | undefined;
  /** BUNDLED_ENGINE or the server: how reports name where the calls went. */
  readonly target?: string | undefined;
  readonly statePath?: string | undefined;
  /** Why the run could not begin, or was stopped. */
  readonly error?: PartnerError | undefined;
}

export const NOTHING_KNOWN: RunFacts = {
  outcomes: [],
  found: { findings: [], errors: 0, warnings: 0, listingsWithErrors: 0 },
  places: [],
};

export interface BulkRun extends RunFacts {
  readonly command: 'plan' | 'apply';
  readonly startedAt: number;
  readonly durationMs: number;
}

export interface Problem {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly fields?: Readonly<Record<string, string>> | undefined;
}

export interface ReportLine {
  readonly item: PlanItem;
  readonly outcome: ItemOutcome | undefined;
  readonly problem: Problem | undefined;
  /** What else there is to know and to do, where there is no problem. */
  readonly advice: readonly Problem[];
}

export function reportLines({ command, plan, outcomes }: BulkRun): ReportLine[] {
  const lineOf = (item: PlanItem, outcome?: ItemOutcome, problem?: Problem): ReportLine => ({
    item,
    outcome,
    problem,
    advice: problem === undefined ? item.notes : [],
  });
  if (command === 'apply')
    return outcomes.map((outcome) => lineOf(outcome.item, outcome, problemOf(outcome)));
  return (plan?.items ?? []).map((item) => {
    const isOpen = item.action === 'held' || item.action === 'settle';
    return lineOf(item, undefined, isOpen ? heldProblem(item) : undefined);
  });
}

function problemOf({ item, result, error }: ItemOutcome): Problem | undefined {
  if (error !== undefined) return problemOfError(error);
  if (result === 'held') return heldProblem(item);
  return result === 'left' ? { code: 'left', message: 'the run was stopped before it' } : undefined;
}

export function problemOfError({ code, serverCode = code, message, hint, fields }: PartnerError): Problem {
  return { code: serverCode, message, hint, fields };
}

/** Why a run could not begin, or was stopped. Its fields are left out where they are among the findings. */
export function runProblem({ error, found }: BulkRun): Problem | undefined {
  if (error === undefined) return undefined;
  const problem = problemOfError(error);
  return found.errors > 0 ? { ...problem, fields: {} } : problem;
}

function heldProblem({ notes }: PlanItem): Problem {
  const message = notes.map((note) => note.message).join('; ');
  return { code: 'held', ...notes[0], message: message || 'it may not be made as it is wanted' };
}

export function problemText({ message, hint, fields = {} }: Problem): string {
  const wrong = Object.entries(fields).map(([field, text]) => `${field}: ${text}`);
  const said = wrong.length === 0 ? message : `${message} (${wrong.join('; ')})`;
  return hint === undefined ? said : `${said}; ${hint}`;
}

/** The file of an item as the user named it; for one that is no longer in the set, the path of its key. */
export function fileOf({ file, key }: Pick<PlanItem, 'file' | 'key'>): string {
  return file ?? listingOfKey(key).path;
}

/** What a plan does with a listing: `changes job 7: salaryMax $80,000 → $95,000; budgets 1 added, and goes live`. */
export function whatIsDone({ action, jobId, changes, publish, replaces, origins }: PlanItem): string {
  const job = jobId === undefined ? 'its job' : `job ${jobId}`;
  const live = publish ? ', and goes live' : '';
  switch (action) {
    case 'create':
      return `creates a job${replaces === undefined ? '' : ` in place of job ${replaces}`}${live}`;
    case 'update':
      return `changes ${job}: ${changesOnOneLine(changes, origins)}${live}`;
    case 'publish':
      return `publishes ${job}`;
    case 'close':
      return `closes ${job}, for good`;
    case 'record':
      return `is recorded as ${job}`;
    case 'settle':
      return 'may have been created already: that is settled first';
    case 'held':
      return `is not as wanted, and ${job} is left as it is`;
  }
}
