import assert from 'node:assert/strict';
import type { ErrorCode } from '../../../src/contract/errors.ts';
import { LISTING_MS } from '../../../src/contract/limits.ts';
import type { JobStatus } from '../../../src/contract/values.ts';
import { type Action, decide, type LifecycleDecision } from '../../../src/engine/lifecycle/decide.ts';
import { draftOf, type JobState, jobAt } from '../../../src/engine/lifecycle/job-state.ts';
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

/** Section 3 with decisions 1, 3, 8, 9 and 10: the state after each action, or what it is refused with. */
const TRANSITIONS: Record<JobStatus, Record<Action['type'], JobStatus | ErrorCode>> = {
  DRAFT: {
    publish: 'ACTIVE',
    pause: 'INVALID_TRANSITION',
    resume: 'INVALID_TRANSITION',
    close: 'INVALID_TRANSITION',
    edit: 'DRAFT',
  },
  ACTIVE: {
    publish: 'INVALID_TRANSITION',
    pause: 'PAUSED',
    resume: 'INVALID_TRANSITION',
    close: 'CLOSED',
    edit: 'ACTIVE',
  },
  PAUSED: {
    publish: 'INVALID_TRANSITION',
    pause: 'INVALID_TRANSITION',
    resume: 'ACTIVE',
    close: 'CLOSED',
    edit: 'PAUSED',
  },
  CLOSED: {
    publish: 'INVALID_TRANSITION',
    pause: 'INVALID_TRANSITION',
    resume: 'INVALID_TRANSITION',
    close: 'INVALID_TRANSITION',
    edit: 'INVALID_TRANSITION',
  },
  EXPIRED: {
    publish: 'INVALID_TRANSITION',
    pause: 'INVALID_TRANSITION',
    resume: 'INVALID_TRANSITION',
    close: 'INVALID_TRANSITION',
    edit: 'INVALID_TRANSITION',
  },
};

const ACTIONS: Record<Action['type'], Action> = {
  publish,
  pause: { type: 'pause' },
  resume: { type: 'resume' },
  close: { type: 'close' },
  edit: edit({ title: 'Another title' }),
};

describe('the lifecycle of a job', () => {
  for (const [status, outcomes] of Object.entries(TRANSITIONS)) {
    for (const [type, outcome] of Object.entries(outcomes)) {
      it(`${type} of a job that is ${status}: ${outcome}`, () => {
        const job = jobIn(status as JobStatus);
        const decision = decide(job, ACTIONS[type as Action['type']], NOW);
        if (outcome === 'INVALID_TRANSITION') {
          const { code, message } = refusalOf(decision);
          assert.equal(code, outcome);
          assert.match(message, new RegExp(`this job is ${status}$`), 'the message names the state');
        } else {
          assert.equal({ ...job, ...changesOf(decision) }.status, outcome);
        }
      });
    }
  }

  it('says that only active jobs can be paused', () => {
    assert.match(
      refusalOf(decide(jobIn('DRAFT'), { type: 'pause' }, NOW)).message,
      /only active jobs can be paused/,
    );
  });
});

describe('publishing', () => {
  it('dates the listing from now and lets it run 30 days', () => {
    assert.deepEqual(changesOf(decide(jobIn('DRAFT'), publish, NOW)), {
      status: 'ACTIVE',
      publishedAt: '2026-03-02T09:00:00.000Z',
      expiresAt: '2026-04-01T09:00:00.000Z',
    });
  });

  it('answers every gap at once before the terms and the card', () => {
    const job = jobIn('DRAFT', { title: '', jobLevel: null });
    const facts = { termsAccepted: false, cardOnFile: false };
    const refusal = refusalOf(decide(job, { type: 'publish', facts }, NOW));
    assert.equal(refusal.code, 'VALIDATION_FAILED');
    assert.deepEqual(Object.keys(refusal.fields ?? {}), ['title', 'jobLevel']);
  });

  it('answers the terms before the card', () => {
    const facts = { termsAccepted: false, cardOnFile: false };
    assert.equal(
      refusalOf(decide(jobIn('DRAFT'), { type: 'publish', facts }, NOW)).code,
      'AGREEMENT_OUTDATED',
    );
  });

  it('tells of the card together with the terms where both are missing, and of neither that is settled', () => {
    const message = (termsAccepted: boolean, cardOnFile: boolean): string =>
      refusalOf(decide(jobIn('DRAFT'), { type: 'publish', facts: { termsAccepted, cardOnFile } }, NOW))
        .message;
    assert.match(message(false, false), /terms .*payment card .*both are missing/);
    assert.doesNotMatch(message(false, true), /card/);
    assert.doesNotMatch(message(true, false), /terms/);
  });

  it('answers a missing card last', () => {
    const facts = { termsAccepted: true, cardOnFile: false };
    const refusal = refusalOf(decide(jobIn('DRAFT'), { type: 'publish', facts }, NOW));
    assert.equal(refusal.code, 'PAYMENT_METHOD_REQUIRED');
  });

  it('answers the state before any gate', () => {
    const facts = { termsAccepted: false, cardOnFile: false };
    const refusal = refusalOf(decide(jobIn('ACTIVE', { title: '' }), { type: 'publish', facts }, NOW));
    assert.equal(refusal.code, 'INVALID_TRANSITION');
  });
});

describe('the 30 days of a listing', () => {
  const expiresAt = new Date(NOW).toISOString();

  for (const status of ['ACTIVE', 'PAUSED'] as const) {
    it(`end at expiresAt itself, not before, for one that is ${status}`, () => {
      const job = jobIn(status, { expiresAt });
      assert.equal(jobAt(job, NOW - 1).status, status);
      assert.equal(jobAt(job, NOW).status, 'EXPIRED');
    });
  }

  for (const status of ['DRAFT', 'CLOSED'] as const) {
    it(`say nothing of one that is ${status}`, () => {
      assert.equal(jobAt(jobIn(status), NOW + 10 * LISTING_MS).status, status);
    });
  }

  it('run on while the job is paused: resume leaves expiresAt', () => {
    assert.deepEqual(changesOf(decide(jobIn('PAUSED'), { type: 'resume' }, NOW)), { status: 'ACTIVE' });
  });
});

describe('closing', () => {
  it('sets closedAt', () => {
    const changes = changesOf(decide(jobIn('PAUSED'), { type: 'close' }, NOW));
    assert.deepEqual(changes, { status: 'CLOSED', closedAt: '2026-03-02T09:00:00.000Z' });
  });
});

describe('editing', () => {
  it('changes nothing for an empty edit', () => {
    assert.deepEqual(changesOf(decide(jobIn('ACTIVE'), edit({}), NOW)), {});
  });

  it('lets a draft be incomplete', () => {
    assert.deepEqual(changesOf(decide(jobIn('DRAFT'), edit({ title: '', jobType: null }), NOW)), {
      title: '',
      jobType: null,
    });
  });

  for (const status of ['ACTIVE', 'PAUSED'] as const) {
    it(`refuses the whole edit that would leave one that is ${status} incomplete`, () => {
      const refusal = refusalOf(
        decide(jobIn(status), edit({ title: 'New', salaryMin: 99, jobType: null }), NOW),
      );
      assert.equal(refusal.code, 'VALIDATION_FAILED');
      assert.deepEqual(Object.keys(refusal.fields ?? {}), ['jobType', 'salaryMin']);
    });
  }

  it('measures completeness after the edit, so that one field can replace another', () => {
    const changes = { remoteOption: 'REMOTE', remoteCountry: 'Germany', locations: [] } as const;
    assert.deepEqual(changesOf(decide(jobIn('ACTIVE'), edit({ ...changes, locations: [] }), NOW)), changes);
  });

  const frozen = jobIn('ACTIVE', {
    isFrozen: true,
    applicationCounts: { pending: 1, accepted: 0, rejected: 0 },
  });

  it('lets the bid and every other field of a frozen job change', () => {
    const changes = { bidPerQualifiedApplicantCents: 2500, title: 'Welder', budgets: [] };
    assert.deepEqual(changesOf(decide(frozen, edit(changes), NOW)), changes);
  });

  it('refuses other qualifications and questions on a frozen job, and names both', () => {
    const refusal = refusalOf(decide(frozen, edit({ qualifications: [], questions: [] }), NOW));
    assert.equal(refusal.code, 'JOB_FROZEN');
    assert.match(refusal.message, /qualifications and questions/);
  });

  it('answers that a job is frozen before it answers what the edit leaves incomplete', () => {
    assert.equal(refusalOf(decide(frozen, edit({ title: '', qualifications: [] }), NOW)).code, 'JOB_FROZEN');
  });

  it('takes frozen sets that are sent unchanged, under other ids, as no change', () => {
    const again = {
      qualifications: COMPLETE.qualifications.map((entry) => ({ id: 'new', ...entry })),
      questions: COMPLETE.questions.map((entry) => ({ id: 'new', ...entry })),
    };
    const changes = changesOf(decide(frozen, edit(again), NOW));
    assert.deepEqual({ ...frozen, ...changes }, frozen);
  });

  it('keeps the id of an entry whose content is unchanged and gives the others new ones', () => {
    const sent = [
      { id: 'new-1', text: 'Forklift licence', kind: 'REQUIRED' as const, order: 1 },
      ...COMPLETE.qualifications.slice(0, 1).map((entry) => ({ id: 'new-2', ...entry })),
    ];
    const { qualifications } = changesOf(decide(jobIn('DRAFT'), edit({ qualifications: sent }), NOW));
    assert.deepEqual(
      qualifications?.map(({ id }) => id),
      ['new-1', 'q0'],
    );
  });
});
