import type { PartnerError } from '../../contract/errors.ts';
import { omitted } from '../../listings/check/tally.ts';
import { type Beside, ignoredJson } from '../../listings/read/unknown-files.ts';
import { type ItemOutcome, liveCounts, notLiveAfter } from '../apply/outcome.ts';
import type { Plan, PlanItem, PlanNotice } from '../plan/plan-item.ts';
import { sourceJson } from '../server-jobs.ts';
import type { ResolvedPlace } from '../session.ts';
import type { BulkRun } from './run.ts';
import { applySummary, planSummary } from './sentence.ts';

/** Of the form of `--json` and `--report json`; a field that is added leaves it as it is. */
const VERSION = 1;
const NO_PLAN: Plan = { items: [], notices: [], unchanged: 0, live: 0 };

/** A plan as `--json` prints it; what there is none of is null. */
export function planJson(plan: Plan, places: readonly ResolvedPlace[] = [], beside: Beside = {}) {
  const { byAction, publishing } = planSummary(plan);
  return {
    version: VERSION,
    items: plan.items.map(planItemJson),
    notices: plan.notices.map(noticeJson),
    places,
    summary: { ...byAction, publishing, unchanged: plan.unchanged, ...liveCounts(plan) },
    expiring: plan.expiring ?? null,
    ...(plan.complete === undefined ? {} : sourceJson(plan.complete)),
    ...ignoredJson(beside),
  };
}

export function applyJson(
  outcomes: readonly ItemOutcome[],
  plan: Plan = NO_PLAN,
  durationMs: number,
  beside: Beside = {},
) {
  const { byResult, published } = applySummary(outcomes);
  const live = liveCounts(plan, outcomes);
  return {
    version: VERSION,
    items: outcomes.map(outcomeJson),
    notices: plan.notices.map(noticeJson),
    summary: { ...byResult, wentLive: published, unchanged: plan.unchanged, ...live, durationMs },
    expiring: plan.expiring ?? null,
    ...(plan.complete === undefined ? {} : sourceJson(plan.complete)),
    ...ignoredJson(beside),
  };
}

/** A run as `--report json` writes it: what `--json` prints, and what is known of the run (docs/bulk.md). */
export function runJson(run: BulkRun) {
  const { command, plan, outcomes, found, startedAt, durationMs, places, error } = run;
  const { server = null, target = null, statePath = null } = run;
  const more = omitted(found);
  const { version, ...result } =
    command === 'apply' ? applyJson(outcomes, plan, durationMs, run) : planJson(plan ?? NO_PLAN, places, run);
  return {
    version,
    command,
    startedAt: new Date(startedAt).toISOString(),
    durationMs,
    server,
    target,
    state: statePath,
    ...(error === undefined ? {} : { error: errorJson(error) }),
    findings: found.findings,
    ...(more === 0 ? {} : { findingsOmitted: more }),
    ...result,
  };
}

function planItemJson(item: PlanItem) {
  const { action, publish, was, replaces } = item;
  return { ...noticeJson(item), action, publish, was, replaces };
}

function noticeJson({ key, file, line, jobId, status, changes, notes, ...more }: PlanItem | PlanNotice) {
  const { notLive, origins } = more;
  return {
    key,
    file: file ?? null,
    line: line ?? null,
    jobId: jobId ?? null,
    status: status ?? null,
    changes: changes.map(({ field, from = null, to = null }) => ({ field, from, to })),
    notes,
    notLive,
    ...(origins === undefined ? {} : { origins }),
  };
}

function outcomeJson(outcome: ItemOutcome) {
  const { item, result, jobId, published, error, durationMs } = outcome;
  const { key, file = null, line = null, action, notes } = item;
  return {
    key,
    file,
    line,
    action,
    result,
    jobId: jobId ?? null,
    published,
    ...(notes.length === 0 ? {} : { notes }),
    notLive: notLiveAfter(outcome),
    ...(error === undefined ? {} : { error: errorJson(error) }),
    durationMs,
  };
}

function errorJson({ code, serverCode, message, fields, status, hint }: PartnerError) {
  return { code: serverCode ?? code, message, fields, status, hint };
}
