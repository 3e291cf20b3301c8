import { DONE, type ItemOutcome, liveCounts, NOT_DONE } from '../bulk/apply/outcome.ts';
import { listingOfKey } from '../bulk/plan/desired-listing.ts';
import type { PlanNote } from '../bulk/plan/notes.ts';
import { PLAN_ACTIONS, type Plan, type PlanItem } from '../bulk/plan/plan-item.ts';
import type { ResolvedPlace } from '../bulk/session.ts';
import type { PartnerError } from '../contract/errors.ts';
import { describeRaises } from '../contract/gate.ts';
import { isPublished } from '../contract/lifecycle.ts';
import { formatCount, formatNumber } from '../contract/words.ts';
import type { Report } from '../listings/check/check-files.ts';
import type { FindingTotals } from '../listings/check/tally.ts';
import type { Beside } from '../listings/read/formats.ts';
import { countEach } from '../text/group-by.ts';
import { changesOnOneLine, describeRuled } from './changes.ts';

export const BUNDLED_ENGINE = 'bundled engine';

export interface RunFacts extends Beside {
  readonly plan?: Plan | undefined;
  readonly outcomes: readonly ItemOutcome[];
  readonly found: FindingTotals | Report;
  readonly places: readonly ResolvedPlace[];
  readonly server?: string | undefined;
  readonly target?: string | undefined;
  readonly statePath?: string | undefined;
  readonly error?: PartnerError | undefined;
  readonly startedAt: number;
  readonly durationMs: number;
}

export const NOTHING_KNOWN: RunFacts = {
  outcomes: [],
  found: { findings: [], errors: 0, warnings: 0, listingsWithErrors: 0 },
  places: [],
  startedAt: 0,
  durationMs: 0,
};

export interface Run extends RunFacts {
  readonly command: 'validate' | 'plan' | 'apply';
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
}

export function reportLines({ command, plan, outcomes }: Run): ReportLine[] {
  if (command === 'apply')
    return outcomes.map((outcome) => ({ item: outcome.item, outcome, problem: findProblem(outcome) }));
  return (plan?.items ?? []).map((item) => {
    const isOpen = item.action === 'held' || item.action === 'settle';
    return { item, outcome: undefined, problem: isOpen ? toHeldProblem(item) : undefined };
  });
}

function findProblem({ item, result, error }: ItemOutcome): Problem | undefined {
  if (error !== undefined) return problemOfError(error);
  if (result === 'held') return toHeldProblem(item);
  return result === 'left' ? { code: 'left', message: 'the run stopped before this listing' } : undefined;
}

export function problemOfError({ code, serverCode = code, message, hint, fields }: PartnerError): Problem {
  return { code: serverCode, message, hint, fields };
}

export function runProblem({ error, found }: Run): Problem | undefined {
  return error && { ...problemOfError(error), ...(found.errors > 0 && { fields: {} }) };
}

function toHeldProblem({ notes }: PlanItem): Problem {
  const message = notes.map((note) => note.message).join('; ');
  return { code: 'held', ...notes[0], message: message || "the listing can't be applied as it is" };
}

export function problemText({ message, hint, fields = {} }: Omit<Problem, 'code'>): string {
  const wrong = Object.entries(fields).map(([field, text]) => `${field}: ${text}`);
  const said = wrong.length === 0 ? message : `${message} (${wrong.join('; ')})`;
  return hint === undefined ? said : `${said}; ${hint}`;
}

export function getListingFile({ file, key }: Pick<PlanItem, 'file' | 'key'>): string {
  return file ?? listingOfKey(key).path;
}

/** Describes a change and its notes. A line with a problem shows only that. */
export function describeLine({ item, problem }: ReportLine, publish = item.publish): string {
  const notes = problem === undefined ? item.notes : [];
  return [whatIsDone({ ...item, publish }), ...notes.map(problemText)].join('; ');
}

function whatIsDone({ action, jobId, changes, publish, replaces, origins }: PlanItem): string {
  const job = jobId === undefined ? 'its job' : `job ${jobId}`;
  const live = publish ? ', and publishes it' : '';
  const replaced = replaces === undefined ? '' : ` to replace job ${replaces}`;
  switch (action) {
    case 'create':
      return [`creates a job${replaced}${live}`, describeRuled(origins)].filter(Boolean).join(': ');
    case 'update':
      return `updates ${job}: ${changesOnOneLine(changes, origins)}${live}`;
    case 'publish':
      return `publishes ${job}`;
    case 'close':
      return `closes ${job} permanently`;
    case 'record':
      return `records ${job}`;
    case 'settle':
      return 'may already exist (checked first)';
    case 'held':
      return `is held, so ${job} isn't changed`;
  }
}

export function planSummary({ items }: Plan) {
  const actions = items.map(({ action }) => action);
  const publishing = items.filter(({ publish }) => publish).length;
  return { byAction: countEach(PLAN_ACTIONS, actions), publishing };
}

export function applySummary(outcomes: readonly ItemOutcome[]) {
  const results = outcomes.map(({ result }) => result);
  const published = outcomes.filter((outcome) => outcome.published).length;
  return { byResult: countEach([...DONE, ...NOT_DONE], results), published };
}

export function countNoted({ items, notices }: Plan, ...codes: readonly PlanNote['code'][]): number {
  return [...items, ...notices].filter(({ notes }) => notes.some(({ code }) => codes.includes(code))).length;
}

export function planSentence(plan: Plan): string {
  const { byAction, publishing } = planSummary(plan);
  const notices = plan.notices.length;
  const left = notices === 0 ? '' : `, ${formatNumber(notices)} to review`;
  const live =
    publishing === 0 ? '' : ` (${formatNumber(publishing)} ${publishing === 1 ? 'goes' : 'go'} live)`;
  const describeAction = (action: string) => (action === 'held' ? action : `to ${action}`);
  const { changes, notLive } = formatCounts(byAction, describeAction, plan);
  return `Plan: ${changes}${left}${live}${notLive}`;
}

/** Returns `publish 3 jobs and close 1 job permanently`, or '' if no job goes live, spends more or is closed. */
export function describeSpending(plan: Plan): string {
  const { publishing, byAction } = planSummary(plan);
  const publish = publishing > 0 && `publish ${formatCount(publishing, 'job')}`;
  const close = byAction.close > 0 && `close ${formatCount(byAction.close, 'job')} permanently`;
  const raising = plan.items.filter(raisesSpending).length;
  const raise = raising > 0 && `raise the bid or a cap of ${formatCount(raising, 'live job')}`;
  return [publish, raise, close].filter(Boolean).join(' and ');
}

function raisesSpending({ action, status, changes, patch }: PlanItem): boolean {
  const before = Object.fromEntries(changes.map(({ field, from }) => [field, from]));
  return action === 'update' && isPublished(status) && describeRaises(before, patch).length > 0;
}

export function applySentence(outcomes: readonly ItemOutcome[], plan: Plan, durationMs: number): string {
  const { byResult, published } = applySummary(outcomes);
  const pace = rate(byResult.created + byResult.updated + byResult.published + byResult.closed, durationMs);
  const live = published === 0 ? '' : ` (${formatNumber(published)} went live)`;
  const describeResult = (result: string) => (result === 'left' ? 'not attempted' : result);
  const { changes, notLive } = formatCounts(byResult, describeResult, plan, outcomes);
  return `Apply: ${changes}${live} in ${duration(durationMs)}${pace}${notLive}`;
}

export function runSentence({ command, plan, outcomes, found, durationMs, error }: Run): string {
  if ('files' in found) return checkSentence(found);
  const { errors, listingsWithErrors: listings } = found;
  if (plan === undefined && errors > 0)
    return `Nothing was sent: ${formatCount(errors, 'problem')} in ${formatCount(listings, 'listing')}`;
  if (plan === undefined || (error !== undefined && outcomes.length === 0))
    return `The ${command} stopped before it finished`;
  return command === 'plan' ? planSentence(plan) : applySentence(outcomes, plan, durationMs);
}

export function checkSentence({ files, listings, errors, warnings, listingsWithErrors }: Report): string {
  const all = formatCount(listings, 'listing');
  const alsoWarnings = warnings === 0 ? '' : `, ${formatCount(warnings, 'warning')}`;
  if (errors + warnings === 0) return `${all} in ${formatCount(files.length, 'file')}: no problems found`;
  if (errors === 0) return `no problems in ${all}${alsoWarnings}`;
  return `${formatCount(errors, 'problem')} in ${formatNumber(listingsWithErrors)} of ${all}${alsoWarnings}`;
}

function formatCounts(
  counts: Readonly<Record<string, number>>,
  wordOf: (name: string) => string,
  plan: Plan,
  outcomes?: readonly ItemOutcome[],
) {
  const { notLive, paused } = liveCounts(plan, outcomes);
  const duplicates = countNoted(plan, 'POSSIBLE_DUPLICATE');
  const also = [
    notLive > 0 && `; ${formatNumber(notLive)} not live`,
    paused > 0 && `; ${formatNumber(paused)} paused`,
    duplicates > 0 && `; ${formatCount(duplicates, 'possible duplicate')}`,
  ].filter(Boolean);
  const named = Object.entries(counts).filter(([, count]) => count > 0);
  const parts = named.map(([name, count]) => `${formatNumber(count)} ${wordOf(name)}`);
  if (parts.length + also.length === 0) parts.push('nothing to do');
  return {
    changes: [...parts, `${formatNumber(plan.unchanged)} unchanged`].join(', '),
    notLive: also.join(''),
  };
}

function duration(durationMs: number): string {
  if (durationMs < 1000) return `${Math.round(durationMs)} ms`;
  if (durationMs < 60_000) return `${(durationMs / 1000).toFixed(1)} s`;
  const seconds = Math.round(durationMs / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Omits the rate of a run that took less than a second, because it's meaningless. */
function rate(done: number, durationMs: number): string {
  if (done === 0 || durationMs < 1000) return '';
  const perSecond = (done * 1000) / durationMs;
  return `, ${perSecond < 10 ? perSecond.toFixed(1) : formatNumber(Math.round(perSecond))}/s`;
}

export function sourceJson(complete: boolean) {
  return { complete, source: complete ? 'server' : 'this machine' };
}
