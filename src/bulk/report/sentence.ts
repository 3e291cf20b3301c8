import { counted, grouped } from '../../contract/words.ts';
import { type ApplyResult, type ItemOutcome, liveCounts } from '../apply/outcome.ts';
import type { Plan, PlanAction, PlanNote } from '../plan/plan-item.ts';
import type { BulkRun } from './run.ts';

const PLANNED: Readonly<Record<PlanAction, string>> = {
  create: 'to create',
  update: 'to update',
  publish: 'to publish',
  close: 'to close',
  record: 'to record',
  settle: 'to settle',
  held: 'held',
};

const DONE: Readonly<Record<ApplyResult, string>> = {
  created: 'created',
  updated: 'updated',
  published: 'published',
  closed: 'closed',
  recorded: 'recorded',
  held: 'held',
  failed: 'failed',
  unknown: 'unknown',
  left: 'not attempted',
};

export function planSummary({ items }: Plan) {
  const actions = items.map(({ action }) => action);
  return { byAction: countsOf(PLANNED, actions), publishing: items.filter(({ publish }) => publish).length };
}

export function applySummary(outcomes: readonly ItemOutcome[]) {
  const results = outcomes.map(({ result }) => result);
  return {
    byResult: countsOf(DONE, results),
    published: outcomes.filter(({ published }) => published).length,
  };
}

function countsOf<Name extends string>(
  words: Readonly<Record<Name, string>>,
  names: readonly Name[],
): Record<Name, number> {
  const counts = Object.fromEntries(Object.keys(words).map((name) => [name, 0])) as Record<Name, number>;
  for (const name of names) counts[name]++;
  return counts;
}

export function countNoted({ items, notices }: Plan, ...codes: readonly PlanNote['code'][]): number {
  return [...items, ...notices].filter(({ notes }) => notes.some(({ code }) => codes.includes(code))).length;
}

/** `Plan: 3 to create, 1 to update, 2 held, 294 unchanged (2 go live)`. */
export function planSentence(plan: Plan): string {
  const { byAction, publishing } = planSummary(plan);
  const notices = plan.notices.length;
  const left = notices === 0 ? '' : `, ${grouped(notices)} left as they are`;
  const live = publishing === 0 ? '' : ` (${grouped(publishing)} ${publishing === 1 ? 'goes' : 'go'} live)`;
  const { changes, notLive } = listed(byAction, PLANNED, plan);
  return `Plan: ${changes}${left}${live}${notLive}`;
}

/** What somebody is asked before a plan is done: `Publish 3 jobs, and close 1 job for good?` */
export function planQuestion(plan: Plan): string {
  const { publishing, byAction } = planSummary(plan);
  const publish = publishing > 0 && `publish ${counted(publishing, 'job')}`;
  const close = byAction.close > 0 && `close ${counted(byAction.close, 'job')} for good`;
  const parts = [publish, close].filter(Boolean).join(', and ');
  return `${parts.charAt(0).toUpperCase()}${parts.slice(1)}?`;
}

/** `Apply: 3 created, 1 failed, 294 unchanged (2 went live) in 12.3 s, 310/s`. */
export function applySentence(outcomes: readonly ItemOutcome[], plan: Plan, durationMs: number): string {
  const { byResult, published } = applySummary(outcomes);
  const pace = rate(byResult.created + byResult.updated + byResult.published + byResult.closed, durationMs);
  const live = published === 0 ? '' : ` (${grouped(published)} went live)`;
  const { changes, notLive } = listed(byResult, DONE, plan, outcomes);
  return `Apply: ${changes}${live} in ${duration(durationMs)}${pace}${notLive}`;
}

export function runSentence({ command, plan, outcomes, found, durationMs, error }: BulkRun): string {
  const { errors, listingsWithErrors: listings } = found;
  if (plan === undefined && errors > 0)
    return `Nothing was sent: ${counted(errors, 'problem')} in ${counted(listings, 'listing')}`;
  if (plan === undefined || (error !== undefined && outcomes.length === 0))
    return `The ${command} ended before its work was done`;
  return command === 'plan' ? planSentence(plan) : applySentence(outcomes, plan, durationMs);
}

function listed<Name extends string>(
  counts: Readonly<Record<Name, number>>,
  words: Readonly<Record<Name, string>>,
  plan: Plan,
  outcomes?: readonly ItemOutcome[],
) {
  const { notLive, paused } = liveCounts(plan, outcomes);
  const duplicates = countNoted(plan, 'POSSIBLE_DUPLICATE');
  const also = duplicates > 0 ? `; ${counted(duplicates, 'possible duplicate')}` : '';
  const names = Object.keys(words) as Name[];
  const parts = names
    .filter((name) => counts[name] > 0)
    .map((name) => `${grouped(counts[name])} ${words[name]}`);
  if (parts.length + notLive + paused + duplicates === 0) parts.push('nothing to do');
  return {
    changes: [...parts, `${grouped(plan.unchanged)} unchanged`].join(', '),
    notLive: `${notLive > 0 ? `; ${grouped(notLive)} not live` : ''}${paused > 0 ? `; ${grouped(paused)} paused` : ''}${also}`,
  };
}

/** `340 ms`, `12.3 s`, `2 min 5 s`. */
function duration(durationMs: number): string {
  if (durationMs < 1000) return `${Math.round(durationMs)} ms`;
  if (durationMs < 60_000) return `${(durationMs / 1000).toFixed(1)} s`;
  const seconds = Math.round(durationMs / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Over less than a second a rate says nothing. */
function rate(done: number, durationMs: number): string {
  if (done === 0 || durationMs < 1000) return '';
  const perSecond = (done * 1000) / durationMs;
  return `, ${perSecond < 10 ? perSecond.toFixed(1) : grouped(Math.round(perSecond))}/s`;
}
