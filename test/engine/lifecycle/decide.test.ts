import assert from 'node:assert/strict';
import type { JobStatus } from '../../../src/contract/values.ts';
import { type Action, decideChanges } from '../../../src/engine/lifecycle/decide.ts';
import { createDraft, type JobState } from '../../../src/engine/lifecycle/job-state.ts';
import { COMPLETE } from '../listing.ts';
import { AUSTIN } from '../some-places.ts';

const NOW = Date.parse('2026-03-02T09:00:00.000Z');

/** An expired job is stored as ACTIVE with an `expiresAt` in the past. */
function jobIn(status: JobStatus): JobState {
  const expiresAt = new Date(status === 'EXPIRED' ? NOW : NOW + 1).toISOString();
  return {
    ...createDraft('cmp_1', {}),
    ...COMPLETE,
    locations: [AUSTIN],
    qualifications: [{ id: 'q1', text: 'Can weld', kind: 'REQUIRED', order: 1 }],
    questions: [],
    status: status === 'EXPIRED' ? 'ACTIVE' : status,
    expiresAt: status === 'DRAFT' ? null : expiresAt,
  };
}

const ACTIONS: Record<Action['type'], Action> = {
  publish: { type: 'publish', facts: { termsAccepted: true, cardOnFile: true } },
  pause: { type: 'pause' },
  resume: { type: 'resume' },
  close: { type: 'close' },
  edit: { type: 'edit', changes: { title: 'Another title' } },
};

/** Section 3 with decisions 1, 3, 8, 9 and 10. Every other action is refused. */
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
      const outcome = moves[type as Action['type']] ?? 'INVALID_TRANSITION';
      it(`${type} of a job that is ${status}: ${outcome}`, () => {
        const job = jobIn(status as JobStatus);
        const act = () => decideChanges(job, action, NOW);
        if (outcome !== 'INVALID_TRANSITION') return assert.equal({ ...job, ...act() }.status, outcome);
        assert.throws(act, { code: outcome, message: new RegExp(`this job is ${status}$`) });
      });
    }
  }
});
