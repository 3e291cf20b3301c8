import type { GateFacts } from '../../../contract/gate.ts';
import { JOB_STATUSES, type JobStatus } from '../../../contract/values.ts';
import { companyById } from '../../companies/company.ts';
import { everyStatus } from '../../companies/dashboard.ts';
import { gateFacts } from '../../companies/gate-facts.ts';
import { jobAt } from '../../lifecycle/job-state.ts';
import type { Queries } from '../../store/store.ts';
import type { Visit } from '../visit.ts';
import { type Listing, listingOf } from './listing.ts';

const JOBS_A_PAGE = 20;

/** The company's jobs, a page of them. */
export interface JobsPage {
  readonly listings: readonly Listing[];
  readonly counts: Readonly<Record<JobStatus, number>>;
  readonly facts: GateFacts;
  /** The state that is asked for; undefined for all of them. */
  readonly status: JobStatus | undefined;
  /** True where newer jobs stand on the page before. */
  readonly isLater: boolean;
  /** Where the next page begins; undefined on the last. */
  readonly beforeId: number | undefined;
}

/** The jobs that the address asks for; an unknown state or cursor asks for nothing. */
export async function loadJobs(queries: Queries, { company, url, now }: Visit): Promise<JobsPage> {
  const status = JOB_STATUSES.find((one) => one === url.searchParams.get('status'));
  const beforeId = idIn(url.searchParams.get('before'));
  const filter = { companyId: company.id, status, beforeId, limit: JOBS_A_PAGE + 1 };
  const found = await queries.jobs.list(filter, now);
  const facts = await gateFacts(queries, company.id);
  const { budgets } = await companyById(queries, company.id);
  const jobs = found.slice(0, JOBS_A_PAGE).map((job) => jobAt(job, now));
  const listings: Listing[] = [];
  for (const job of jobs) listings.push(await listingOf(queries, job, facts, JSON.parse(budgets), now));
  return {
    listings,
    counts: everyStatus(await queries.jobs.countByStatus(now, company.id)),
    facts,
    status,
    isLater: beforeId !== undefined,
    beforeId: found.length > JOBS_A_PAGE ? jobs.at(-1)?.id : undefined,
  };
}

/** A cursor or an id in an address; undefined for what is none. */
export function idIn(text: string | null | undefined): number | undefined {
  const id = /^\d{1,15}$/.test(text ?? '') ? Number(text) : 0;
  return id > 0 ? id : undefined;
}
