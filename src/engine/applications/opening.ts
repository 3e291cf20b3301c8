import type { Job } from '../../contract/job.ts';
import type { OpeningRow } from '../store/jobs.ts';

/** A job as candidates see it: nothing of its bid, its budgets, or where it comes from. */
export type Opening = Pick<
  Job,
  | 'id'
  | 'title'
  | 'description'
  | 'remoteOption'
  | 'remoteCountry'
  | 'jobType'
  | 'jobLevel'
  | 'locations'
  | 'salaryMin'
  | 'salaryMax'
  | 'salaryPeriod'
  | 'publishedAt'
  | 'expiresAt'
> & { readonly company: string };

export function openingOf(row: OpeningRow): Opening {
  return {
    id: Number(row.id),
    title: row.title,
    company: row.company_name,
    description: row.description,
    remoteOption: row.remote_option,
    remoteCountry: row.remote_option === 'REMOTE' ? row.remote_country : null,
    jobType: row.job_type,
    jobLevel: row.job_level,
    locations: JSON.parse(row.locations),
    salaryMin: wide(row.salary_min),
    salaryMax: wide(row.salary_max),
    salaryPeriod: row.salary_period,
    publishedAt: row.published_at,
    expiresAt: row.expires_at,
  };
}

/** What an application answers, in the order in which it is asked. */
export function asksOf(row: OpeningRow): Pick<Job, 'questions' | 'qualifications'> {
  return { questions: inOrder(row.questions), qualifications: inOrder(row.qualifications) };
}

const DESCRIPTION_CHARACTERS = 300;

/** An opening as one of many: its description may end early, with an ellipsis. */
export function shortened(opening: Opening): Opening {
  const { description } = opening;
  if (description.length <= DESCRIPTION_CHARACTERS) return opening;
  const cut = [...description.slice(0, DESCRIPTION_CHARACTERS)].slice(0, -1).join('');
  return { ...opening, description: `${cut.trimEnd()}…` };
}

function inOrder<E extends { readonly order: number }>(json: string): E[] {
  return (JSON.parse(json) as E[]).sort((a, b) => a.order - b.order);
}

function wide(amount: number | null): number | null {
  return amount === null ? null : Number(amount);
}
