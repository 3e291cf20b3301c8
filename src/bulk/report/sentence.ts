import type { FindingTotals } from '../../listings/check/tally.ts';
import type { ApplyResult, ItemOutcome } from '../apply/outcome.ts';
import type { Plan } from '../plan/plan-item.ts';
import { planSummary } from '../plan/summary.ts';
import type { BulkRun } from './run.ts';

/** How much an apply has come to. */
export interface ApplySummary {
  readonly byResult: Readonly<Record<ApplyResult, number>>;
  /** How many jobs went live. */
  readonly published: number;
}

export function applySummary(outcomes: readonly ItemOutcome[]): ApplySummary {
  const byResult = {
    created: 0,
    updated: 0,
    published: 0,
    closed: 0,
    recorded: 0,
    held: 0,
    failed: 0,
    unknown: 0,
    left: 0,
  };
  for (const { result } of outcomes) byResult[result]++;
  return { byResult, published: outcomes.filter(({ published }) => published).length };
}

/** `Plan: 3 to create, 1 to update, 2 held, 294 unchanged (2 go live)`. */
export function planSentence(plan: Plan): string {
  const { byAction, publishing, unchanged, notices } = planSummary(plan);
  const { create, update, publish, close, record, settle, held } = byAction;
  const parts = [
    counted(create, 'to create'),
    counted(update, 'to update'),
    counted(publish, 'to publish'),
    counted(close, 'to close'),
    counted(record, 'to record'),
    counted(settle, 'to settle'),
    counted(held, 'held'),
  ].filter((part) => part !== '');
  const rest = [`${grouped(unchanged)} unchanged`, counted(notices, 'left as they are')];
  const said = [...(parts.length === 0 ? ['nothing to do'] : parts), ...rest].filter((part) => part !== '');
  return `Plan: ${said.join(', ')}${live(publishing)}`;
}

/** What somebody is asked before a plan is done: `Publish 3 jobs, and close 1 job for good?` */
export function planQuestion(plan: Plan): string {
  const { publishing, byAction } = planSummary(plan);
  const jobs = (count: number): string => `${grouped(count)} job${count === 1 ? '' : 's'}`;
  const parts = [
    ...(publishing === 0 ? [] : [`publish ${jobs(publishing)}`]),
    ...(byAction.close === 0 ? [] : [`close ${jobs(byAction.close)} for good`]),
  ].join(', and ');
  return `${parts.charAt(0).toUpperCase()}${parts.slice(1)}?`;
}

/** `Apply: 3 created, 1 failed, 294 unchanged (2 went live) in 12.3 s, 310/s`. */
export function applySentence(
  outcomes: readonly ItemOutcome[],
  unchanged: number,
  durationMs: number,
): string {
  const { byResult, published } = applySummary(outcomes);
  const { created, updated, closed, recorded, held, failed, unknown, left } = byResult;
  const parts = [
    counted(created, 'created'),
    counted(updated, 'updated'),
    counted(byResult.published, 'published'),
    counted(closed, 'closed'),
    counted(recorded, 'recorded'),
    counted(held, 'held'),
    counted(failed, 'failed'),
    counted(unknown, 'unknown'),
    counted(left, 'not attempted'),
  ].filter((part) => part !== '');
  const said = [...(parts.length === 0 ? ['nothing to do'] : parts), `${grouped(unchanged)} unchanged`];
  const pace = rate(created + updated + byResult.published + closed, durationMs);
  const wentLive = published === 0 ? '' : ` (${grouped(published)} went live)`;
  return `Apply: ${said.join(', ')}${wentLive} in ${duration(durationMs)}${pace}`;
}

/** What a run has come to, in one sentence. */
export function runSentence({ command, plan, outcomes, found, durationMs, error }: BulkRun): string {
  if (plan === undefined && found.errors > 0) return nothingSent(found);
  if (plan === undefined || (error !== undefined && outcomes.length === 0))
    return `The ${command} ended before its work was done`;
  return command === 'plan' ? planSentence(plan) : applySentence(outcomes, plan.unchanged, durationMs);
}

/** `Nothing was sent: 3 problems in 2 listings`. */
function nothingSent({ errors, listingsWithErrors }: FindingTotals): string {
  const listings = `${grouped(listingsWithErrors)} listing${listingsWithErrors === 1 ? '' : 's'}`;
  return `Nothing was sent: ${grouped(errors)} problem${errors === 1 ? '' : 's'} in ${listings}`;
}

export function grouped(count: number): string {
  return count.toLocaleString('en-US');
}

function counted(count: number, said: string): string {
  return count === 0 ? '' : `${grouped(count)} ${said}`;
}

function live(count: number): string {
  return count === 0 ? '' : ` (${grouped(count)} ${count === 1 ? 'goes' : 'go'} live)`;
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
