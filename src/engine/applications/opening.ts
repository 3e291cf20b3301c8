import type { Job } from '../../contract/job.ts';
import { byOrder } from './company-applications.ts';

/** A job as candidates see it: nothing of its bid, its budgets, or where it comes from. */
export function openingOf(job: Job & { readonly company: string }) {
  return {
    id: job.id,
    title: job.title,
    company: job.company,
    description: job.description,
    remoteOption: job.remoteOption,
    remoteCountry: job.remoteOption === 'REMOTE' ? job.remoteCountry : null,
    jobType: job.jobType,
    jobLevel: job.jobLevel,
    locations: job.locations,
    salaryMin: job.salaryMin,
    salaryMax: job.salaryMax,
    salaryPeriod: job.salaryPeriod,
    publishedAt: job.publishedAt,
    expiresAt: job.expiresAt,
  };
}

export function asksOf({ questions, qualifications }: Job) {
  return { questions: byOrder(questions), qualifications: byOrder(qualifications) };
}

const DESCRIPTION_CHARACTERS = 300;

export function shortened(opening: ReturnType<typeof openingOf>) {
  const { description } = opening;
  if (description.length <= DESCRIPTION_CHARACTERS) return opening;
  const cut = [...description.slice(0, DESCRIPTION_CHARACTERS)].slice(0, -1).join('');
  return { ...opening, description: `${cut.trimEnd()}…` };
}
