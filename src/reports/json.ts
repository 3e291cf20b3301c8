import { findNotLiveReason, type ItemOutcome, liveCounts } from '../bulk/apply/outcome.ts';
import { nameListing } from '../bulk/plan/desired-listing.ts';
import type { Plan, PlanItem, PlanNotice } from '../bulk/plan/plan-item.ts';
import type { ResolvedPlace } from '../bulk/session.ts';
import { errorJson } from '../contract/errors.ts';
import type { Report } from '../listings/check/check-files.ts';
import { countOmitted } from '../listings/check/tally.ts';
import { type Beside, toIgnoredJson } from '../listings/read/formats.ts';
import { applySummary, planSummary, type Run, sourceJson } from './run.ts';

/** Version of the `--json` and `--report json` output. Adding a field doesn't change the version. */
const VERSION = 1;
const NO_PLAN: Plan = { items: [], notices: [], unchanged: 0, live: 0 };

export function checkJson(report: Report) {
  const { files, listings, findings, errors, warnings } = report;
  const more = countOmitted(report);
  return {
    listings,
    errors,
    warnings,
    files,
    findings,
    ...(more === 0 ? {} : { omitted: more }),
    ...toIgnoredJson(report),
  };
}

export function planJson(plan: Plan, places: readonly ResolvedPlace[] = [], beside: Beside = {}) {
  const { byAction, publishing } = planSummary(plan);
  const summary = { ...byAction, publishing, unchanged: plan.unchanged, ...liveCounts(plan) };
  const { notices, ...sources } = toSharedJson(plan, beside);
  const items = plan.items.map((item) => {
    const { action, publish, was, replaces } = item;
    return { ...noticeJson(item), action, publish, was, replaces };
  });
  return { version: VERSION, items, notices, places, summary, ...sources };
}

export function applyJson(
  outcomes: readonly ItemOutcome[],
  plan: Plan = NO_PLAN,
  durationMs: number,
  beside: Beside = {},
) {
  const { byResult, published } = applySummary(outcomes);
  const live = liveCounts(plan, outcomes);
  const summary = { ...byResult, wentLive: published, unchanged: plan.unchanged, ...live, durationMs };
  const { notices, ...sources } = toSharedJson(plan, beside);
  return { version: VERSION, items: outcomes.map(outcomeJson), notices, summary, ...sources };
}

function toSharedJson({ notices, expiring = null, complete }: Plan, beside: Beside) {
  return {
    notices: notices.map(noticeJson),
    expiring,
    ...(complete === undefined ? {} : sourceJson(complete)),
    ...toIgnoredJson(beside),
  };
}

/** Formats a run for `--report json`, which adds details of the run to the `--json` output (docs/reports.md). */
export function runJson(run: Run) {
  const { command, plan, outcomes, found, startedAt, durationMs, places, error } = run;
  const { server = null, target = null, statePath = null } = run;
  if ('files' in found) return checkJson(found);
  const more = countOmitted(found);
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
    ...(error === undefined ? {} : errorJson(error)),
    findings: found.findings,
    ...(more === 0 ? {} : { findingsOmitted: more }),
    ...result,
  };
}

function noticeJson(listing: PlanItem | PlanNotice) {
  const { key, file = null, line = null, jobId = null, status = null, notes, notLive } = listing;
  const changes = listing.changes.map(({ field, from = null, to = null }) => ({ field, from, to }));
  const entries = Object.entries(listing.origins ?? {});
  const origins = listing.origins && Object.fromEntries(entries.map(([field, { file }]) => [field, file]));
  const ruled = entries.filter(([, { rule }]) => rule !== undefined);
  const rules = ruled.length > 0 ? Object.fromEntries(ruled) : undefined;
  const name = nameListing(listing);
  return { key, name, file, line, jobId, status, changes, notes, notLive, origins, rules };
}

function outcomeJson(outcome: ItemOutcome) {
  const { item, result, jobId, published, error, durationMs } = outcome;
  const { key, file = null, line = null, action, notes } = item;
  return {
    key,
    name: nameListing(item),
    file,
    line,
    action,
    result,
    jobId: jobId ?? null,
    published,
    ...(notes.length === 0 ? {} : { notes }),
    notLive: findNotLiveReason(outcome),
    ...(error === undefined ? {} : errorJson(error)),
    durationMs,
  };
}
