import { PartnerError } from '../../../contract/errors.ts';
import type { Job } from '../../../contract/job.ts';
import { APPLICATION_STATUSES, type ApplicationStatus } from '../../../contract/values.ts';
import { listedApplication } from '../../applications/decide-application.ts';
import { type ReadApplication, readApplication } from '../../applications/read-application.ts';
import { companyById } from '../../companies/company.ts';
import { gateFacts } from '../../companies/gate-facts.ts';
import { jobAt } from '../../lifecycle/job-state.ts';
import type { LedgerSums } from '../../store/billing-ledger.ts';
import type { Queries } from '../../store/store.ts';
import type { Visit } from '../visit.ts';
import { idIn } from './jobs.ts';
import { type Listing, listingOf } from './listing.ts';

const APPLICATIONS_A_PAGE = 20;
/** A page with so many characters of answers ends early: anybody may send a mebibyte of them. */
const ANSWERS_CHARACTERS_A_PAGE = 1024 * 1024;

/** An application as a page shows it. */
export interface ShownApplication extends ReadApplication {
  /** True where it came since the job was last opened. */
  readonly isNew: boolean;
}

/** A job with a page of its applications. */
export interface JobPage extends Listing {
  /** What all its applications have cost, and would have cost that were delivered free of charge. */
  readonly sums: LedgerSums;
  readonly applications: readonly ShownApplication[];
  /** The state that is asked for; undefined for all of them. */
  readonly status: ApplicationStatus | undefined;
  readonly isLater: boolean;
  readonly beforeId: number | undefined;
}

/** `found` as it stands at the time of the visit, with the applications that the address asks for. */
export async function loadJob(queries: Queries, found: Job, { company, url, now }: Visit): Promise<JobPage> {
  const job = jobAt(found, now);
  const { budgets } = await companyById(queries, company.id);
  const listing = await listingOf(
    queries,
    job,
    await gateFacts(queries, company.id),
    JSON.parse(budgets),
    now,
  );

  const status = APPLICATION_STATUSES.find((one) => one === url.searchParams.get('status'));
  const beforeId = idIn(url.searchParams.get('before'));
  const filter = { companyId: company.id, jobId: job.id, status, beforeId, limit: APPLICATIONS_A_PAGE + 1 };
  const rows = await queries.applications.list(filter);
  const shown = pageOf(rows).map(listedApplication);
  const news = await newIds(queries, job);
  return {
    ...listing,
    sums: await queries.ledger.sums({ target: 'job', id: job.id }, { from: '', to: null }),
    applications: shown.map((one) => ({ ...readApplication(one, job), isNew: news.has(one.id) })),
    status,
    isLater: beforeId !== undefined,
    beforeId: rows.length > shown.length ? shown.at(-1)?.id : undefined,
  };
}

function pageOf<Row extends { readonly answers: string }>(rows: readonly Row[]): Row[] {
  let characters = 0;
  return rows.slice(0, APPLICATIONS_A_PAGE).filter(({ answers }, index) => {
    characters += answers.length;
    return index === 0 || characters <= ANSWERS_CHARACTERS_A_PAGE;
  });
}

/** The job that an address names. Throws NOT_FOUND, also for another company's. */
export async function jobIn({ jobs }: Queries, { company, params }: Visit): Promise<Job> {
  const id = idIn(params.id);
  const job = id === undefined ? undefined : await jobs.find(company.id, id);
  if (job !== undefined) return job;
  throw new PartnerError('NOT_FOUND', {
    message: `there is no job ${params.id} of ${company.name}`,
    hint: 'the list of jobs has every one there is',
  });
}

/** The ids of the applications that nobody has seen yet: the last that came. */
async function newIds({ applications }: Queries, job: Job): Promise<ReadonlySet<number>> {
  if (job.newApplicantCount === 0) return new Set();
  const limit = Math.min(job.newApplicantCount, APPLICATIONS_A_PAGE * 5);
  return new Set(await applications.newestIds(job.id, limit));
}
