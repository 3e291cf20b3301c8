import assert from 'node:assert/strict';
import { LISTING_MS } from '../../../src/contract/limits.ts';
import type { JobStatus } from '../../../src/contract/values.ts';
import { type Action, decide, type LifecycleDecision } from '../../../src/engine/lifecycle/decide.ts';
import { draftOf, type JobState } from '../../../src/engine/lifecycle/job-state.ts';
import { COMPLETE } from '../listing.ts';
import { AUSTIN } from '../some-places.ts';

const NOW = Date.parse('2026-03-02T09:00:00.000Z');
const PASSING = { termsAccepted: true, cardOnFile: true };

const publish: Action = { type: 'publish', facts: PASSING };
const edit = (changes: Extract<Action, { type: 'edit' }>['changes']): Action => ({ type: 'edit', changes });

/** A complete job in a state, as it is stored: EXPIRED is an ACTIVE one whose time is over. */
function jobIn(status: JobStatus, changes: Partial<JobState> = {}): JobState {
  const draft: JobState = {
    ...draftOf('cmp_1', {}),
    ...COMPLETE,
    locations: [AUSTIN],
    qualifications: COMPLETE.qualifications.map((entry, index) => ({ id: `q${index}`, ...entry })),
    questions: COMPLETE.questions.map((entry, index) => ({ id: `s${index}`, ...entry })),
  };
  if (status === 'DRAFT') return { ...draft, ...changes };
  const publishedTime = status === 'EXPIRED' ? NOW - LISTING_MS : NOW - 1000;
  return {
    ...draft,
    status: status === 'EXPIRED' ? 'ACTIVE' : status,
    publishedAt: new Date(publishedTime).toISOString(),
    expiresAt: new Date(publishedTime + LISTING_MS).toISOString(),
    closedAt: status === 'CLOSED' ? new Date(NOW - 500).toISOString() : null,
    ...changes,
  };
}

function changesOf(decision: LifecycleDecision): Partial<JobState> {
  assert.ok('changes' in decision, 'refusal' in decision ? decision.refusal.message : '');
  return decision.changes;
}

function refusalOf(decision: LifecycleDecision) {
  assert.ok('refusal' in decision, 'the action was allowed');
  return decision.refusal;
}

const ACTIONS: Record<Action['type'], Action> = {
  publish,
  pause: { type: 'pause' },
  resume: { type: 'resume' },
  close: { type: 'close' },
  edit: edit({ title: 'Another title' }),
};

/** Section 3 with decisions 1, 3, 8, 9 and 10: the state after each action; every other action is refused. */
const TRANSITIONS: Record<JobStatus, Partial<Record<Action['type'], JobStatus>>> = {
  DRAFT: { publish: 'ACTIVE', edit: 'DRAFT' },
  ACTIVE: { pause: 'PAUSED', close: 'CLOSED', edit: 'ACTIVE' },
  PAUSED: { resume: 'ACTIVE', close: 'CLOSED', edit: 'PAUSED' },
  CLOSED: {},
  EXPIRED: {},
};

describe('the lifecycle of a job', () => {
  for (const [status, moves] of Object.entries(TRANSITIONS)) {
    for (const [type, action] of Object.entries(ACTIONS)) {
      const outcome = moves[type as Action['type']];
      it(`${type} of a job that is ${status}: ${outcome ?? 'INVALID_TRANSITION'}`, () => {
        const job = jobIn(status as JobStatus);
        const decision = decide(job, action, NOW);
        if (outcome === undefined) {
          const { code, message } = refusalOf(decision);
          assert.equal(code, 'INVALID_TRANSITION');
          assert.match(message, new RegExp(`this job is ${status}$`), 'the message names the state');
        } else {
          assert.equal({ ...job, ...changesOf(decision) }.status, outcome);
        }
      });
    }
  }
});

describe('publishing', () => {
  const refusedFor = (job: JobState, termsAccepted: boolean, cardOnFile: boolean) =>
    refusalOf(decide(job, { type: 'publish', facts: { termsAccepted, cardOnFile } }, NOW));

  it('names the card together with the terms where both are missing, and neither that is settled', () => {
    const job = jobIn('DRAFT');
    assert.match(refusedFor(job, false, false).message, /terms .*payment card .*both are missing/);
    assert.doesNotMatch(refusedFor(job, false, true).message, /card/);
    assert.doesNotMatch(refusedFor(job, true, false).message, /terms/);
  });
});
