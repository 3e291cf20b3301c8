import assert from 'node:assert/strict';
import type { ServerJob } from '../../../src/client/client.ts';
import { watchedJob } from '../../../src/commands/jobs/watched-job.ts';
import { PartnerError } from '../../../src/contract/errors.ts';
import type { JobStatus } from '../../../src/contract/values.ts';

const START = Date.parse('2026-01-31T14:03:00.000Z');
const AWAY = new PartnerError('UNREACHABLE', { message: 'nobody listens at the address' });
const FAILED = new PartnerError('SERVER_FAILED');
const GONE = new PartnerError('NOT_FOUND', { message: 'gone' });

type Options = { until?: JobStatus; forMs?: number };

/** Watches a server that gives these answers, the last of them from then on: a status, a job or an error. */
function watch(answers: readonly (string | Partial<ServerJob> | PartnerError)[], options: Options = {}) {
  const { until, forMs = Number.POSITIVE_INFINITY } = options;
  const [said, waits]: [string[], number[]] = [[], []];
  let now = START;
  let looks = 0;
  const job = watchedJob({
    async read() {
      const answer = answers[Math.min(looks++, answers.length - 1)];
      if (answer instanceof PartnerError) throw answer;
      return { id: 12, ...(typeof answer === 'string' ? { status: answer } : answer) };
    },
    async wait(waitMs) {
      waits.push(waitMs);
      now += waitMs;
    },
    monotonicNow: () => now,
    now: () => now,
    everyMs: 5_000,
    endsAt: START + forMs,
    until,
    say: async (text) => void said.push(text),
  });
  return { job, said, waits };
}

describe('a job that is watched', () => {
  it('is told once, then each change with its time, until it is over', async () => {
    const { job, said } = watch([
      'DRAFT',
      'DRAFT',
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

  it('is looked at again where it cannot be read for a moment: that is said once, and its end', async () => {
    const { job, said } = watch(['ACTIVE', AWAY, FAILED, 'ACTIVE', AWAY, 'EXPIRED']);
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

  const rows: [string, Parameters<typeof watch>[0], Options, JobStatus | RegExp, number[]][] = [
    ['is not waited for where it is CLOSED already', ['CLOSED'], {}, 'CLOSED', []],
    ['is done in the wanted state', ['DRAFT', 'ACTIVE'], { until: 'ACTIVE' }, 'ACTIVE', [5000]],
    [
      'ends where it can no longer reach the state',
      ['ACTIVE', 'CLOSED'],
      { until: 'PAUSED' },
      /^job 12 is CLOSED: it will never be PAUSED$/,
      [5000],
    ],
    [
      'is an error where the time runs out before the state',
      ['ACTIVE'],
      { until: 'PAUSED', forMs: 12_000 },
      /^job 12 is still ACTIVE, not PAUSED$/,
      [5000, 5000, 2000],
    ],
    [
      'is the result where no state was wanted',
      ['ACTIVE', 'PAUSED'],
      { forMs: 6000 },
      'PAUSED',
      [5000, 1000],
    ],
    ['ends with why it cannot be read', ['ACTIVE', AWAY], { forMs: 6000 }, /^nobody listens/, [5000, 1000]],
    ['is not waited for where the first reading fails', [AWAY, 'ACTIVE'], {}, /^nobody listens/, []],
    ['ends where the job is gone', ['ACTIVE', GONE], {}, /^gone$/, [5000]],
  ];
  for (const [name, answers, options, end, expected] of rows) {
    it(name, async () => {
      const { job, waits } = watch(answers, options);
      if (typeof end === 'string') assert.equal((await job).status, end);
      else await assert.rejects(job, { message: end });
      assert.deepEqual(waits, expected);
    });
  }
});
