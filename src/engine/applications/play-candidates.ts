import { checkApplicationInput } from '../../contract/application.ts';
import { PartnerError } from '../../contract/errors.ts';
import { assertJobFound, validationFailed } from '../../contract/problems.ts';
import { formatNumber } from '../../contract/words.ts';
import type { FilledWindow } from '../billing/charge.ts';
import type { EngineClock } from '../clock.ts';
import { randomBase62 } from '../companies/secrets.ts';
import type { Store } from '../store/store.ts';
import type { FileStore } from './files.ts';
import type { MadeUpPlan } from './made-up.ts';
import { type ReceivedApplication, receiveApplication, refuseUnlessActive, toAsks } from './receive.ts';

export type FollowedClock = Pick<EngineClock, 'now' | 'refresh'>;

const AT_ONCE = 64;

export type Applications = ReturnType<typeof createApplications>;

export function createApplications(store: Store, { now: clock, refresh }: FollowedClock, files: FileStore) {
  /** Returns a job's questions and qualifications. Throws NOT_FOUND, or INVALID_TRANSITION if the job isn't ACTIVE. */
  const asks = async (jobId: number) => {
    const row = assertJobFound(jobId, await store.read.openings.find(jobId));
    refuseUnlessActive(row, clock());
    return { title: row.title, ...toAsks(row) };
  };
  const apply = async (jobId: number, application: unknown) => {
    const checked = checkApplicationInput(application);
    if (!checked.ok) throw validationFailed(checked.problems, checked.more);
    return store.write((queries) => receiveApplication(queries, jobId, checked.value, clock()));
  };
  const putFile = (name: string, content: Uint8Array) => files.put({ name, content, now: clock() });
  /** Keeps applications delivered before an error. Throws INTERRUPTED on `signal`, or the error of an application. */
  const applyMany = async (
    jobId: number,
    { count, qualifiedShare, seed }: Pick<MadeUpPlan, 'count' | 'qualifiedShare' | 'seed'>,
    { signal, onProgress }: { signal: AbortSignal; onProgress: (done: number) => void },
  ) => {
    const { createApplicants, RESUME } = await import('./made-up.ts');
    const asked = await asks(jobId);
    const { fileId } = await putFile('resume.pdf', RESUME);
    const run = randomBase62(6).toLowerCase();
    const plan = { count, qualifiedShare, seed, run, fileId, now: clock() };
    const tally = createTally(jobId);
    const applicants = createApplicants(asked, plan);
    const takeBatch = () =>
      Array.from({ length: AT_ONCE }, () => applicants.next()).flatMap(({ done, value }) =>
        done ? [] : value,
      );
    for (let batch = takeBatch(); batch.length > 0; batch = takeBatch()) {
      await refresh();
      if (signal.aborted)
        throw translateStop(new PartnerError('INTERRUPTED'), tally.total().applications, count);
      const outcomes = await Promise.allSettled(batch.map((applicant) => apply(jobId, applicant)));
      for (const outcome of outcomes) if (outcome.status === 'fulfilled') tally.add(outcome.value);
      const refused = outcomes.find((outcome) => outcome.status === 'rejected');
      if (refused !== undefined) throw translateStop(refused.reason, tally.total().applications, count);
      onProgress(tally.total().applications);
    }
    return tally.total();
  };
  return { asks, apply, putFile, applyMany };
}

function translateStop(error: unknown, done: number, count: number): unknown {
  if (!(error instanceof PartnerError) || (done === 0 && error.code !== 'INTERRUPTED')) return error;
  const delivered = `${formatNumber(done)} of ${formatNumber(count)} applications were delivered and are kept`;
  return error.with({ message: `${error.message}. ${delivered}` });
}

function createTally(jobId: number) {
  const sums = { applications: 0, qualified: 0, charged: 0, skipped: 0, chargedCents: 0, skippedCents: 0 };
  const byWindow = new Map<string, FilledWindow & { applications: number }>();
  return {
    add({ isQualified, charge }: ReceivedApplication): void {
      sums.applications++;
      if (isQualified) sums.qualified++;
      if (charge.outcome === 'none') return;
      sums[charge.outcome]++;
      sums[`${charge.outcome}Cents`] += charge.amountCents;
      if (charge.outcome === 'charged') return;
      const { target, window } = charge.filled;
      const before = byWindow.get(`${target} ${window}`)?.applications ?? 0;
      byWindow.set(`${target} ${window}`, { target, window, applications: before + 1 });
    },
    total: () => ({ jobId, ...sums, skippedBy: [...byWindow.values()] }),
  };
}
