import { readFileSync } from 'node:fs';
import type { ItemOutcome } from '../../src/bulk/apply/outcome.ts';
import type { PlanItem, PlanNotice } from '../../src/bulk/plan/plan-item.ts';
import { type Paint, painter, toView } from '../../src/cli/terminal/view.ts';
import { PartnerError } from '../../src/contract/errors.ts';
import type { Report } from '../../src/listings/check/check-files.ts';
import type { Finding } from '../../src/listings/check/finding.ts';
import { type CheckFormat, renderReport } from '../../src/reports/formats.ts';
import { NOTHING_KNOWN, type Run } from '../../src/reports/run.ts';
import { checkView } from '../../src/reports/text.ts';
import { fakeStreams } from '../cli/terminal/fake-streams.ts';
import items from './sample-run.json' with { type: 'json' };

/** Returns the text of a file next to this one. */
export function expected(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8');
}

export function planItem(given: Partial<PlanItem>): PlanItem {
  return {
    key: 'a.json',
    file: 'jobs/a.json',
    line: 1,
    action: 'create',
    jobId: undefined,
    status: undefined,
    publish: false,
    digest: 'd',
    patch: {},
    changes: [],
    notes: [],
    ...given,
  };
}

const CREATE = planItem({ publish: true });
const LONG_CHANGE = { field: 'description', from: 'x', to: 'y'.repeat(500) } as const;
const UPDATE = planItem({
  ...(items.update as Partial<PlanItem>),
  changes: [...(items.update.changes as PlanItem['changes']), LONG_CHANGE],
});
const HELD = planItem(items.held as Partial<PlanItem>);
const CLOSE = planItem({ ...(items.close as Partial<PlanItem>), file: undefined, line: undefined });

export const FINDING = items.finding as Finding;

export function runOf(given: Partial<Run>): Run {
  return {
    command: 'plan',
    plan: { items: [], notices: [], unchanged: 294, live: 294 },
    outcomes: [],
    found: NOTHING_KNOWN.found,
    startedAt: Date.parse('2025-11-21T07:09:00.000Z'),
    durationMs: 12_340,
    server: 'https://acme.example/v1',
    target: 'https://acme.example/v1',
    statePath: 'jobs/.partner/state.json',
    places: [],
    error: undefined,
    ...given,
  };
}

export const PLAN_RUN = runOf({
  plan: {
    items: [CREATE, UPDATE, HELD, CLOSE],
    unchanged: 294,
    live: 294,
    expiring: { jobs: 1200, earliest: '2025-11-24T07:09:00.000Z' },
    notices: [items.paused as PlanNotice],
  },
});

export function outcomeOf(item: PlanItem, given: Partial<ItemOutcome>): ItemOutcome {
  return {
    item,
    result: 'created',
    jobId: item.jobId,
    published: false,
    error: undefined,
    durationMs: 250,
    ...given,
  };
}

const INCOMPLETE = new PartnerError('VALIDATION_FAILED', {
  message: 'the listing is incomplete',
  fields: { title: 'is required to publish' },
  status: 422,
  hint: 'set title',
});
const CUT = new PartnerError('OUTCOME_UNKNOWN', { message: 'the connection broke', hint: 'settle it' });

export const APPLY_RUN = runOf({
  command: 'apply',
  plan: PLAN_RUN.plan && { ...PLAN_RUN.plan, notices: [] },
  outcomes: [
    outcomeOf(CREATE, { jobId: 20, published: true }),
    outcomeOf(UPDATE, { result: 'failed', error: INCOMPLETE }),
    outcomeOf(HELD, { result: 'held' }),
    outcomeOf(CLOSE, { result: 'closed' }),
    outcomeOf(planItem({ key: 'u.json', file: 'jobs/u.json' }), { result: 'unknown', error: CUT }),
    outcomeOf(planItem({ key: 'l.json', file: 'jobs/l.json' }), {
      result: 'left',
      error: new PartnerError('INTERRUPTED'),
    }),
  ],
});

/** Renders a check in a format of `validate`, without the final newline. */
export function renderCheck(format: CheckFormat, found: Report, paint: Paint = painter(false)): string {
  const view = { ...toView(fakeStreams(), 0), paint };
  const run: Run = { ...NOTHING_KNOWN, command: 'validate', found };
  return (format === 'text' ? checkView(found, view) : renderReport(format, run)).slice(0, -1);
}

/** Text that could control a terminal, a log, a table or a parser. */
export const HOSTILE =
  'x\u001b[2J\u009b\t\r\n::error::no\u202e%,|`<b>&]]>"\u0000\ud800😀 @me www.x.de https://x.de';

export const HOSTILE_ITEM = planItem({
  key: HOSTILE,
  file: HOSTILE,
  action: 'update',
  changes: [{ field: 'title', from: HOSTILE.slice(0, 30), to: 'b' }],
});

export const HOSTILE_RUN = runOf({
  command: 'apply',
  server: HOSTILE,
  target: HOSTILE,
  outcomes: [
    outcomeOf(HOSTILE_ITEM, {
      result: 'failed',
      error: new PartnerError('SERVER_FAILED', {
        message: HOSTILE,
        serverCode: HOSTILE,
        fields: { [HOSTILE]: HOSTILE },
        hint: HOSTILE,
      }),
    }),
  ],
});
