import type { Job } from '../../contract/job.ts';
import type { OpeningRow } from '../store/jobs.ts';
import { byOrder } from './company-applications.ts';

/** A job as candidates see it: nothing of its bid, its budgets, or where it comes from. */
export function openingOf(row: OpeningRow) {
  return {
    id: Number(row.id),
    title: row.title,
    company: row.company_name,
    description: row.description,
    remoteOption: row.remote_option,
    remoteCountry: row.remote_option === 'REMOTE' ? row.remote_country : null,
    jobType: row.job_type,
    jobLevel: row.job_level,
    locations: JSON.parse(row.locations) as Job['locations'],
    salaryMin: wide(row.salary_min),
    salaryMax: wide(row.salary_max),
    salaryPeriod: row.salary_period,
    publishedAt: row.published_at,
    expiresAt: row.expires_at,
  };
}

export function asksOf(row: OpeningRow) {
  return {
    questions: byOrder<Job['questions'][number]>(JSON.parse(row.questions)),
    qualifications: byOrder<Job['qualifications'][number]>(JSON.parse(row.qualifications)),
  };
}

const DESCRIPTION_CHARACTERS = 300;

export function shortened(opening: ReturnType<typeof openingOf>) {
  const { description } = opening;
  if (description.length <= DESCRIPTION_CHARACTERS) return opening;
  const cut = [...description.slice(0, DESCRIPTION_CHARACTERS)].slice(0, -1).join('');
  return { ...opening, description: `${cut.trimEnd()}…` };
}

function wide(amount: number | null): number | null {
  return amount === null ? null : Number(amount);
}
