import {
  CONTENT_FIELDS,
  type Job,
  type JobContent,
  type JobInput,
  type LocationInput,
} from '../../src/contract/job.ts';
import { COMPLETE_LISTING } from '../contract/complete-listing.ts';

/** People recognize the drafts that `npm run contract` leaves on other servers by these. */
export const TEST_TITLE = 'Contract test of partner, please ignore';
export const TEST_OPPORTUNITY = 'partner-contract-test';

export const DAY_MS = 24 * 60 * 60 * 1000;

export const BOSTON = place(4930956, 'Boston', 'Massachusetts', 'United States');
export const AUSTIN = place(4671654, 'Austin', 'Texas', 'United States');
export const MUNICH = place(2867714, 'Munich', 'Bavaria', 'Germany');

function place(locationId: number, city: string, stateProvince: string, country: string): LocationInput {
  return { locationId, city, stateProvince, country };
}

/** Removes the fields that a search result has but a request doesn't allow. */
export function locationInput({ locationId, city, stateProvince, country }: LocationInput): LocationInput {
  return { locationId, city, stateProvince, country };
}

/** Contains only what the completeness gate requires. */
export function completeListing(changes: JobInput = {}): JobInput {
  return {
    title: TEST_TITLE,
    description: 'Weld and fit pipes on site, from drawings.',
    remoteOption: 'REMOTE',
    remoteCountry: 'United States',
    jobType: 'FULL_TIME',
    jobLevel: 'MID',
    salaryMin: 62_000,
    salaryMax: 78_000,
    salaryPeriod: 'ANNUAL',
    bidPerQualifiedApplicantCents: 1500,
    qualifications: [{ text: 'AWS D1.1 certificate', kind: 'REQUIRED', order: 1 }],
    ...changes,
  };
}

export function fullListing(locations: LocationInput[] = [BOSTON, MUNICH]): JobContent {
  return {
    ...structuredClone(COMPLETE_LISTING),
    title: TEST_TITLE,
    opportunityId: TEST_OPPORTUNITY,
    remoteOption: 'HYBRID',
    remoteCountry: 'United States',
    jobType: 'CONTRACT',
    jobLevel: 'SENIOR',
    locations,
    budgets: [
      { window: 'DAILY', budgetCents: 9000, notes: 'first week' },
      { window: 'LIFETIME', budgetCents: 250_000, notes: null },
    ],
  };
}

/** Converts a job to a JobInput: without IDs and display names, and with null for a budget's missing notes. */
export function contentOf(job: Job): JobContent {
  return {
    ...(Object.fromEntries(CONTENT_FIELDS.map((field) => [field, job[field]])) as unknown as JobContent),
    locations: job.locations.map(locationInput),
    qualifications: job.qualifications.map(({ id: _, ...qualification }) => qualification),
    questions: job.questions.map(({ id: _, ...question }) => question),
    budgets: job.budgets.map((budget) => ({ ...budget, notes: budget.notes ?? null })),
  };
}

export function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 48 ? `${text.slice(0, 45)}…` : text;
}

export function allShown(values: readonly unknown[]): string {
  return values.map(shown).join(', ');
}
