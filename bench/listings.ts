import { readFileSync } from 'node:fs';
import type { JobInput, LocationInput } from '../src/contract/job.ts';

/** Content of a job file: a JobInput whose places can be text. */
export type JobFile = Omit<JobInput, 'locations'> & { locations?: (LocationInput | string)[] };

/** A text and the only bundled place that it can mean. */
interface NamedPlace {
  readonly text: string;
  readonly location: LocationInput;
}

/** Distinct bundled places. Every second text has the form "City, Region". */
const PLACES: readonly NamedPlace[] = readFileSync(new URL('places.tsv', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => {
    const [text = '', id, city = '', stateProvince = '', country = ''] = line.split('\t');
    return { text, location: { locationId: Number(id), city, stateProvince, country } };
  });

/**
 * Returns a complete listing of about 1.5 KB, the same in every run. With an even index, its places are text. With an
 * odd index, it has place IDs, or is REMOTE without places.
 */
export function generatedListing(index: number): JobFile {
  const draw = drawsOf(index);
  const role = draw.of(ROLES);
  const team = draw.of(TEAMS);
  const remoteOption = draw.of(index % 2 === 0 ? ON_SITE_OPTIONS : REMOTE_OPTIONS);
  const isHourly = draw.chance(0.3);
  const salaryMin = isHourly ? draw.within(18, 60) : 1000 * draw.within(40, 160);
  const bidPerQualifiedApplicantCents = 50 * draw.within(10, 90);
  return {
    title: `${role}, ${team} (${index})`,
    description: description(role, team, draw),
    remoteOption,
    ...(remoteOption === 'REMOTE'
      ? { remoteCountry: draw.of(COUNTRIES) }
      : { locations: locations(index, draw) }),
    jobType: draw.of(JOB_TYPES),
    jobLevel: draw.of(JOB_LEVELS),
    salaryMin,
    salaryMax: Math.round(salaryMin * (1 + draw.within(5, 40) / 100)),
    salaryPeriod: isHourly ? 'HOURLY' : 'ANNUAL',
    bidPerQualifiedApplicantCents,
    // One in ten listings has no opening in an ATS.
    ...(index % 10 === 9
      ? {}
      : { opportunityId: `REQ-${index}`, atsJobUrl: `https://ats.example/openings/REQ-${index}` }),
    qualifications: qualifications(draw),
    questions: questions(index, draw),
    ...(draw.chance(0.4) ? { budgets: budgets(bidPerQualifiedApplicantCents, draw) } : {}),
  };
}

/** Returns the same listing with resolved places, which is the body of a create. */
export function resolvedListing(index: number): JobInput {
  const { locations, ...rest } = generatedListing(index);
  if (locations === undefined) return rest;
  return { ...rest, locations: locations.map((place) => LOCATIONS.get(place) ?? (place as LocationInput)) };
}

const LOCATIONS = new Map<unknown, LocationInput>(PLACES.map(({ text, location }) => [text, location]));

interface Draws {
  of<T>(values: readonly T[]): T;
  /** Returns a whole number from `least` to `most`, inclusive. */
  within(least: number, most: number): number;
  chance(share: number): boolean;
}

/** Random numbers from a seed, the same on every machine (mulberry32). */
function drawsOf(seed: number): Draws {
  let state = Math.imul(seed + 1, 0x9e3779b1);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const within = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  return {
    of: <T>(values: readonly T[]) => values[within(0, values.length - 1)] as T,
    within,
    chance: (share) => next() < share,
  };
}

const ON_SITE_OPTIONS = ['HYBRID', 'IN_PERSON'] as const;
const REMOTE_OPTIONS = ['REMOTE', 'REMOTE', 'HYBRID', 'IN_PERSON'] as const;
const JOB_TYPES = ['FULL_TIME', 'FULL_TIME', 'PART_TIME', 'CONTRACT', 'INTERNSHIP'] as const;
const JOB_LEVELS = ['ENTRY', 'MID', 'SENIOR'] as const;
const COUNTRIES = ['United States', 'Canada', 'Germany', 'India', 'United Kingdom'] as const;
const ROLES = [
  'Electrician',
  'Staff Nurse',
  'Backend Engineer',
  'Warehouse Lead',
  'Payroll Specialist',
  'Line Cook',
  'Solar Installer',
  'Data Analyst',
  'Account Manager',
  'Machinist',
  'Dental Hygienist',
  'Truck Driver',
] as const;
const TEAMS = ['Commercial', 'Night Shift', 'Platform', 'Field Service', 'Returns', 'Growth'] as const;
const SENTENCES = [
  'The shop plans two weeks ahead, so you know your sites and your hours.',
  'Saturdays are rare, voluntary and paid at time and a half.',
  'You will work beside one or two colleagues who are new, and show them why as well as how.',
  'We write things down: a decision that is not in the book has not been made.',
  'Health, dental and vision insurance begin on your first day.',
  'We supply the tools, a boot allowance and 24 hours of paid training a year.',
  'Nobody here is on call more than one week in six.',
  'The building has a kitchen – and a café – that people actually use.',
  'You report to the lead of the team, who did the job for nine years.',
  'We hire for skill and care, whatever your background.',
] as const;
const SKILLS = [
  'A current license for the trade in the state of work',
  'Two years of experience with the same kind of work',
  'A driving license that covers a company van',
  'Clear written English',
  'Experience of teaching apprentices',
  'Able to lift 20 kg and stand for a shift',
] as const;

function description(role: string, team: string, draw: Draws): string {
  const sentences = Array.from({ length: draw.within(7, 12) }, () => draw.of(SENTENCES));
  return `We are looking for a ${role} who takes pride in the work of ${team}.\n\n${sentences.join(' ')}`;
}

function locations(index: number, draw: Draws): (LocationInput | string)[] {
  const first = draw.within(0, PLACES.length - 1);
  const count = draw.chance(0.2) ? 2 : 1;
  return Array.from({ length: count }, (_, further) => {
    const { text, location } = PLACES[(first + further) % PLACES.length] as NamedPlace;
    return index % 2 === 0 ? text : location;
  });
}

function qualifications(draw: Draws): NonNullable<JobInput['qualifications']> {
  const first = draw.within(0, SKILLS.length - 1);
  return Array.from({ length: draw.within(1, 3) }, (_, further) => ({
    text: SKILLS[(first + further) % SKILLS.length] as string,
    kind: further === 0 ? 'REQUIRED' : draw.of(['REQUIRED', 'DESIRED'] as const),
    order: further + 1,
  }));
}

type Question = NonNullable<JobInput['questions']>[number];

/** One question per answer format. */
const QUESTIONS: readonly Omit<Question, 'order'>[] = [
  { prompt: 'Which tool do you know best?', answerFormat: 'TEXT' },
  { prompt: 'Describe a piece of work that you are proud of', answerFormat: 'TEXTAREA' },
  { prompt: 'Which shift suits you?', answerFormat: 'SINGLE_SELECT', options: ['Early', 'Late', 'Night'] },
  {
    prompt: 'Which of these have you done?',
    answerFormat: 'MULTI_SELECT',
    options: ['Plan', 'Build', 'Run'],
  },
  { prompt: 'How many years have you done this work?', answerFormat: 'NUMBER' },
  { prompt: 'A certificate of your training', answerFormat: 'FILE' },
  { prompt: 'When can you start?', answerFormat: 'DATE' },
  { prompt: 'I can start at 6:30 am on site', answerFormat: 'SINGLE_CHECKBOX' },
];

function questions(index: number, draw: Draws): Question[] {
  return Array.from({ length: draw.within(0, 4) }, (_, further) => ({
    ...(QUESTIONS[(index + further) % QUESTIONS.length] as Omit<Question, 'order'>),
    order: further + 1,
  }));
}

function budgets(bidCents: number, draw: Draws): NonNullable<JobInput['budgets']> {
  const lifetime = { window: 'LIFETIME', budgetCents: 200 * bidCents, notes: null } as const;
  const weekly = { window: 'WEEKLY', budgetCents: draw.within(5, 20) * bidCents } as const;
  return draw.chance(0.5) ? [weekly] : [weekly, { ...lifetime, notes: 'Until the contract is staffed' }];
}
