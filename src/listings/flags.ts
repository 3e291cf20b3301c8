import type { jobFieldFlags } from '../commands/jobs/job-flags.ts';
import { PartnerError } from '../contract/errors.ts';
import { CONTENT_FIELDS, EMPTY_CONTENT, type JobContent, type QualificationInput } from '../contract/job.ts';
import { nearest } from '../contract/nearest.ts';
import { JOB_LEVELS, JOB_TYPES, REMOTE_OPTIONS, SALARY_PERIODS } from '../contract/values.ts';
import { FIELD_FLAGS, type FlagValue, parseAmount, parseBudget, parseChoice } from './flag-values.ts';
import type { Input } from './read/bytes.ts';
import type { Listing } from './read/listing.ts';
import { readInput } from './read/read.ts';

type ListFlag = 'location' | 'required' | 'desired' | 'budget' | 'clear';

export type JobFlags = {
  readonly [Flag in Exclude<keyof typeof jobFieldFlags, ListFlag>]?: string | undefined;
} & { readonly [Flag in ListFlag]?: readonly string[] | undefined };

/** As the contract has them, but for the locations: those are still text. */
export interface FlagFields extends Partial<Omit<JobContent, 'locations'>> {
  locations?: readonly string[];
}

type Faults = Map<string, { readonly problem: string; readonly hint: string }>;

/** The fields that flags set or empty. Throws one USAGE error for all flags, and what `readInput` throws. */
export async function fieldsOfFlags(flags: JobFlags, input: Input): Promise<FlagFields> {
  const faults: Faults = new Map();
  const one = <T>(flag: keyof JobFlags & string, parse: (text: string) => FlagValue<T>): T | undefined => {
    const text = flags[flag];
    return typeof text === 'string' ? taken(parse(text), `--${flag}`, faults) : undefined;
  };
  const given: { [Field in keyof FlagFields]: FlagFields[Field] | undefined } = {
    title: flags.title,
    description: await descriptionOf(flags, input, faults),
    remoteOption: one('remote-option', (text) => parseChoice(text, REMOTE_OPTIONS)),
    remoteCountry: flags['remote-country'],
    jobType: one('job-type', (text) => parseChoice(text, JOB_TYPES)),
    jobLevel: one('job-level', (text) => parseChoice(text, JOB_LEVELS)),
    locations: flags.location,
    salaryMin: one('salary-min', (text) => parseAmount(text, 'dollars')),
    salaryMax: one('salary-max', (text) => parseAmount(text, 'dollars')),
    salaryPeriod: one('salary-period', (text) => parseChoice(text, SALARY_PERIODS)),
    bidPerQualifiedApplicantCents: one('bid-cents', (text) => parseAmount(text, 'cents')),
    opportunityId: flags['opportunity-id'],
    atsJobUrl: flags['ats-job-url'],
    qualifications: qualificationsOf(flags),
    budgets: flags.budget?.flatMap((text) => taken(parseBudget(text), `--budget ${text}`, faults) ?? []),
  };
  const fields = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as FlagFields;
  const cleared = clearedBy(flags.clear ?? [], fields, faults);
  if (faults.size > 0) throw flagError(faults);
  return { ...fields, ...cleared };
}

/** A flag wins over the file; an array from flags is the whole new array, as everywhere (section 2.2). */
export function withFlags(listing: Listing, fields: FlagFields): Listing {
  const { value } = listing;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return listing;
  return {
    ...listing,
    value: { ...value, ...fields },
    flaws: listing.flaws.filter(({ path: [field] = [] }) => !Object.hasOwn(fields, String(field))),
    locate: (path, part) => (Object.hasOwn(fields, String(path[0])) ? NOWHERE : listing.locate(path, part)),
  };
}

export function listingOfFlags(fields: FlagFields): Listing {
  return { file: '', index: 0, value: fields, flaws: [], locate: () => NOWHERE };
}

const NOWHERE = { line: 0, column: 0 };

function taken<T>(parsed: FlagValue<T>, typed: string, faults: Faults): T | undefined {
  if ('value' in parsed) return parsed.value;
  faults.set(typed, parsed);
  return undefined;
}

async function descriptionOf(flags: JobFlags, input: Input, faults: Faults): Promise<string | undefined> {
  const file = flags['description-file'];
  if (file === undefined) return flags.description;
  if (flags.description === undefined) return (await readInput(file, input)).trimEnd();
  faults.set('--description-file', { problem: 'is given beside --description', hint: 'give one of them' });
  return undefined;
}

/** The flags' order is not known between the two: what is required comes first. */
function qualificationsOf({ required = [], desired = [] }: JobFlags): QualificationInput[] | undefined {
  if (required.length + desired.length === 0) return undefined;
  return [
    ...required.map((text) => ({ text, kind: 'REQUIRED' as const })),
    ...desired.map((text) => ({ text, kind: 'DESIRED' as const })),
  ].map((qualification, index) => ({ ...qualification, order: index + 1 }));
}

/** The names that `--clear` takes: the contract's, and those of the flags that set a whole field. */
const CLEARABLE = new Map<string, keyof JobContent>(
  CONTENT_FIELDS.flatMap((field): [string, keyof JobContent][] => {
    // --required and --desired set a part of the qualifications each.
    const [flag] = field === 'qualifications' ? [] : FIELD_FLAGS[field];
    const names = flag === undefined ? [field] : [field, flag.replace(/^--| .*/g, '')];
    return names.map((name) => [name, field]);
  }),
);

function clearedBy(names: readonly string[], fields: FlagFields, faults: Faults): FlagFields {
  const cleared: FlagFields = {};
  for (const typed of names) {
    const name = typed.replace(/^--/, '');
    const field = CLEARABLE.get(name);
    if (field === undefined) {
      const near = nearest(name, [...CLEARABLE.keys()]);
      const hint =
        near === undefined ? `the fields are ${CONTENT_FIELDS.join(', ')}` : `did you mean ${near}?`;
      faults.set(`--clear ${typed}`, { problem: 'names no field', hint });
    } else if (Object.hasOwn(fields, field)) {
      faults.set(`--clear ${typed}`, {
        problem: `empties ${field}, which another flag sets`,
        hint: 'give one of them',
      });
    } else Object.assign(cleared, { [field]: EMPTY_CONTENT[field] });
  }
  return cleared;
}

function flagError(faults: Faults): PartnerError {
  const [first] = faults;
  if (first !== undefined && faults.size === 1) {
    const [typed, { problem, hint }] = first;
    return new PartnerError('USAGE', { message: `${typed} ${problem}`, hint });
  }
  const fields = Array.from(faults, ([typed, { problem, hint }]) => [typed, `${problem}; ${hint}`]);
  const message = `${fields.length} flags cannot be understood`;
  return new PartnerError('USAGE', { message, fields: Object.fromEntries(fields) });
}
