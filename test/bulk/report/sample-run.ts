import type { ItemOutcome } from '../../../src/bulk/apply/outcome.ts';
import type { PlanItem } from '../../../src/bulk/plan/plan-item.ts';
import type { BulkRun } from '../../../src/bulk/report/run.ts';
import { PartnerError } from '../../../src/contract/errors.ts';
import type { Finding } from '../../../src/listings/check/finding.ts';

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
const UPDATE = planItem({
  key: 'b.json#2',
  file: 'jobs/b.json',
  line: 31,
  action: 'update',
  jobId: 12,
  status: 'ACTIVE',
  changes: [
    { field: 'salaryMax', from: 80_000, to: 95_000 },
    { field: 'jobLevel', from: null, to: 'SENIOR' },
    { field: 'description', from: 'x', to: 'y'.repeat(500) },
  ],
  origins: { jobLevel: 'jobs/_defaults.yaml' },
});
const HELD = planItem({
  key: 'c.json',
  file: 'jobs/c.json',
  action: 'held',
  jobId: 13,
  status: 'CLOSED',
  notes: [{ code: 'CLOSED', message: 'the job was closed', hint: 'take the file out' }],
  notLive: 'CLOSED',
});
const CLOSE = planItem({
  key: 'gone.json',
  file: undefined,
  line: undefined,
  action: 'close',
  jobId: 14,
  status: 'ACTIVE',
});

export const FINDING: Finding = {
  file: 'jobs/x.json',
  index: 0,
  line: 3,
  column: 12,
  field: 'salaryMin',
  level: 'error',
  rule: 'invalid-value',
  message: 'must be a whole number',
  hint: 'write 85000',
};

const NOTHING_FOUND = { findings: [], errors: 0, warnings: 0, listingsWithErrors: 0 };

export function runOf(given: Partial<BulkRun>): BulkRun {
  return {
    command: 'plan',
    plan: { items: [], notices: [], unchanged: 294, live: 294 },
    outcomes: [],
    found: NOTHING_FOUND,
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
    notices: [
      {
        key: 'p.json',
        file: 'jobs/p.json',
        line: 1,
        jobId: 15,
        status: 'PAUSED',
        changes: [],
        notes: [{ code: 'PAUSED', message: 'somebody has paused it' }],
        notLive: 'PAUSED',
      },
    ],
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
  fields: { title: 'a live listing needs a title' },
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

/** All that could steer a terminal, a log, a table or a parser. */
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
