import assert from 'node:assert/strict';
import type { ServerJob } from '../../../src/client/client.ts';
import { watchedJob } from '../../../src/commands/jobs/watched-job.ts';
import { PartnerError } from '../../../src/contract/errors.ts';
import type { JobStatus } from '../../../src/contract/values.ts';

const START = Date.parse('2026-01-31T14:03:00.000Z');
const EVERY_MS = 5_000;
const AWAY = new PartnerError('UNREACHABLE', { message: 'nobody listens at the address' });

/** What a server answers, one look after another; the last of them from then on. */
type Answers = readonly (Partial<ServerJob> | PartnerError)[];

function watch(
  answers: Answers,
  { until, forMs = Number.POSITIVE_INFINITY }: { until?: JobStatus; forMs?: number } = {},
) {
  const said: string[] = [];
  const waits: number[] = [];
  let now = START;
  let looks = 0;
  const job = watchedJob({
    read: async () => {
      const answer = answers[Math.min(looks++, answers.length - 1)];
      if (answer instanceof PartnerError) throw answer;
      return { id: 12, ...answer } as ServerJob;
    },
    wait: async (waitMs) => {
      waits.push(waitMs);
      now += waitMs;
    },
    monotonicNow: () => now,
    now: () => now,
    everyMs: EVERY_MS,
    endsAt: START + forMs,
    until,
    say: async (text) => {
      said.push(text);
    },
  });
  return { job, said, waits };
}

const isError = (code: string, message: RegExp) => (error: unknown) =>
  error instanceof PartnerError && error.code === code && message.test(error.message);

describe('a job that is watched', () => {
  it('is told once, then each change with its time, until it is over', async () => {
    const { job, said } = watch([
      { status: 'DRAFT' },
      { status: 'DRAFT' },
      { status: 'ACTIVE', title: 'Nurse' },
      { status: 'CLOSED', title: 'Nurse' },
    ]);
    assert.equal((await job).status, 'CLOSED');
    assert.deepEqual(said, [
      'job 12 is DRAFT',
      '14:03:10 UTC  status DRAFT → ACTIVE',
      '14:03:10 UTC  title (none) → Nurse',
      '14:03:15 UTC  status ACTIVE → CLOSED',
    ]);
  });

  for (const status of ['CLOSED', 'EXPIRED'] as const) {
    it(`is not waited for where it is ${status} already`, async () => {
      const { job, waits } = watch([{ status }]);
      await job;
      assert.deepEqual(waits, []);
    });
  }

  it('is done in the state that is waited for, be it one that is over', async () => {
    assert.equal(
      (await watch([{ status: 'DRAFT' }, { status: 'ACTIVE' }], { until: 'ACTIVE' }).job).status,
      'ACTIVE',
    );
    assert.equal((await watch([{ status: 'EXPIRED' }], { until: 'EXPIRED' }).job).status, 'EXPIRED');
  });

  it('is not waited for where it can no longer reach the state', async () => {
    const { job } = watch([{ status: 'ACTIVE' }, { status: 'CLOSED' }], { until: 'PAUSED' });
    await assert.rejects(job, isError('INVALID_TRANSITION', /^job 12 is CLOSED: it will never be PAUSED$/));
  });

  it('is looked at a last time when the time runs out, which is an error where a state was waited for', async () => {
    const { job, waits } = watch([{ status: 'ACTIVE' }], { until: 'PAUSED', forMs: 12_000 });
    await assert.rejects(job, isError('TIMED_OUT', /^job 12 is still ACTIVE, not PAUSED$/));
    assert.deepEqual(waits, [5_000, 5_000, 2_000]);
    const last = watch([{ status: 'ACTIVE' }, { status: 'PAUSED' }], { until: 'PAUSED', forMs: 100 });
    assert.equal((await last.job).status, 'PAUSED');
  });

  it('is the result when the time runs out where none was', async () => {
    const { job } = watch([{ status: 'ACTIVE' }, { status: 'PAUSED' }], { forMs: 20_000 });
    assert.equal((await job).status, 'PAUSED');
  });

  it('is looked at again where it cannot be read for a moment: that is said once, and its end', async () => {
    const { job, said } = watch([
      { status: 'ACTIVE' },
      AWAY,
      new PartnerError('SERVER_FAILED'),
      { status: 'ACTIVE' },
      AWAY,
      { status: 'EXPIRED' },
    ]);
    await job;
    assert.deepEqual(said, [
      'job 12 is ACTIVE',
      '14:03:05 UTC  cannot be read: nobody listens at the address; looking again',
      '14:03:15 UTC  can be read again',
      '14:03:20 UTC  cannot be read: nobody listens at the address; looking again',
      '14:03:25 UTC  can be read again',
      '14:03:25 UTC  status ACTIVE → EXPIRED',
    ]);
  });

  it('ends with why it cannot be read where the time runs out meanwhile', async () => {
    await assert.rejects(watch([{ status: 'ACTIVE' }, AWAY], { forMs: 12_000 }).job, AWAY);
  });

  it('is not waited for where it cannot be read at first: the address may be wrong', async () => {
    const { job, waits } = watch([AWAY, { status: 'ACTIVE' }]);
    await assert.rejects(job, AWAY);
    assert.deepEqual(waits, []);
  });

  it('ends where the job is gone or the key is refused', async () => {
    for (const code of ['NOT_FOUND', 'INVALID_SERVICE_KEY'] as const) {
      await assert.rejects(watch([{ status: 'ACTIVE' }, new PartnerError(code)]).job, isError(code, /./));
    }
  });
});
