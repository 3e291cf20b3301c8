import assert from 'node:assert/strict';
import type { ServerJob } from '../../../src/client/client.ts';
import { watchJob } from '../../../src/commands/jobs/watched-job.ts';
import { PartnerError } from '../../../src/contract/errors.ts';
import type { JobStatus } from '../../../src/contract/values.ts';
import rows from './watched.json' with { type: 'json' };

const START = Date.parse('2026-01-31T14:03:00.000Z');
const AWAY = new PartnerError('UNREACHABLE', { message: 'nobody listens at the address' });
const FAILED = new PartnerError('SERVER_FAILED');
const GONE = new PartnerError('NOT_FOUND', { message: 'gone' });
const ERRORS: Readonly<Record<string, PartnerError>> = { AWAY, GONE };

type Options = { until?: JobStatus; forMs?: number };

function watch(answers: readonly (string | Partial<ServerJob> | PartnerError)[], options: Options = {}) {
  const { until, forMs = Number.POSITIVE_INFINITY } = options;
  const [said, waits]: [string[], number[]] = [[], []];
  let now = START;
  let looks = 0;
  const job = watchJob({
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
      "14:03:05 UTC  can't read the job: nobody listens at the address. Retrying",
      '14:03:15 UTC  the job can be read again',
      "14:03:20 UTC  can't read the job: nobody listens at the address. Retrying",
      '14:03:25 UTC  the job can be read again',
      '14:03:25 UTC  status ACTIVE → EXPIRED',
    ]);
  });

  for (const { name, answers, options, ends, fails, waits: expected } of rows)
    it(name, async () => {
      const given = answers.map((answer) => ERRORS[answer] ?? answer);
      const { job, waits } = watch(given, options as Options);
      if (fails === undefined) assert.equal((await job).status, ends);
      else await assert.rejects(job, { message: new RegExp(fails) });
      assert.deepEqual(waits, expected);
    });
});
