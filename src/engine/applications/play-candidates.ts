import { checkApplicationInput } from '../../contract/check.ts';
import { PartnerError } from '../../contract/errors.ts';
import { grouped } from '../../contract/words.ts';
import type { FilledWindow } from '../billing/charge.ts';
import type { EngineClock } from '../clock.ts';
import { randomBase62 } from '../companies/secrets.ts';
import { foundJob, validationFailed } from '../lifecycle/refusals.ts';
import type { Store } from '../store/store.ts';
import type { FileStore } from './files.ts';
import type { MadeUpPlan } from './made-up.ts';
import { asksOf } from './opening.ts';
import { type ReceivedApplication, receiveApplication, refuseUnlessActive } from './receive.ts';

/** A clock that another process may set. */
export type FollowedClock = Pick<EngineClock, 'now' | 'refresh'>;

/** As many as share one commit. */
const AT_ONCE = 64;

export type Applications = ReturnType<typeof createApplications>;

/** What candidates do, for an operator who plays them; the jobs of every company can be applied to. */
export function createApplications(store: Store, { now: clock, refresh }: FollowedClock, files: FileStore) {
  /** What a job asks of those who apply, in its order. Throws NOT_FOUND, and INVALID_TRANSITION where it takes nobody. */
  const asks = async (jobId: number) => {
    const row = foundJob(jobId, await store.read.openings.find(jobId));
    refuseUnlessActive(row, clock());
    return { title: row.title, ...asksOf(row) };
  };
  const apply = async (jobId: number, application: unknown) => {
    const checked = checkApplicationInput(application);
    if (!checked.ok) throw validationFailed(checked.problems, checked.more);
    return store.write((queries) => receiveApplication(queries, jobId, checked.value, clock()));
  };
  const putFile = (name: string, content: Uint8Array) => files.put({ name, content, now: clock() });
  /**
   * Has made-up applicants apply, many in one commit. What was delivered stays where it ends early: throws INTERRUPTED
   * on `signal`, and else what an application was refused with, saying how many went before.
   */
  const applyMany = async (
    jobId: number,
    { count, qualifiedShare, seed }: Pick<MadeUpPlan, 'count' | 'qualifiedShare' | 'seed'>,
    { signal, onProgress }: { signal: AbortSignal; onProgress: (done: number) => void },
  ) => {
    const { madeUpApplicants, madeUpResume } = await import('./made-up.ts');
    const asked = await asks(jobId);
    const { fileId } = await putFile('resume.pdf', madeUpResume());
    const run = randomBase62(6).toLowerCase();
    const plan = { count, qualifiedShare, seed, run, fileId, now: clock() };
    const tally = createTally(jobId);
    const applicants = madeUpApplicants(asked, plan);
    for (let batch = take(applicants, AT_ONCE); batch.length > 0; batch = take(applicants, AT_ONCE)) {
      // Another process may have moved the clock.
      await refresh();
      if (signal.aborted) throw stopped(new PartnerError('INTERRUPTED'), tally.total().applications, count);
      const outcomes = await Promise.allSettled(batch.map((applicant) => apply(jobId, applicant)));
      for (const outcome of outcomes) if (outcome.status === 'fulfilled') tally.add(outcome.value);
      const refused = outcomes.find((outcome) => outcome.status === 'rejected');
      if (refused !== undefined) throw stopped(refused.reason, tally.total().applications, count);
      onProgress(tally.total().applications);
    }
    return tally.total();
  };
  return { asks, apply, putFile, applyMany };
}

function take<T>(from: Iterator<T>, count: number): T[] {
  const taken: T[] = [];
  while (taken.length < count) {
    const { done, value } = from.next();
    if (done) break;
    taken.push(value);
  }
  return taken;
}

function stopped(error: unknown, done: number, count: number): unknown {
  if (!(error instanceof PartnerError) || (done === 0 && error.code !== 'INTERRUPTED')) return error;
  const delivered = `${grouped(done)} of ${grouped(count)} applications were delivered and stay`;
  return error.with({ message: `${error.message}; ${delivered}` });
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
