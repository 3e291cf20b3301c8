import * as z from 'zod';
import { JOB_FIELDS } from './job-fields.ts';
import { URI } from './uri.ts';
import { CHOICES, JOB_STATUSES, LIMITS, type Limits } from './values.ts';

export const LocationSuggestionSchema = z.object({
  locationId: z.int(),
  displayName: z.string().describe('City, state or province, country'),
  city: z.string(),
  stateProvince: z.string(),
  country: z.string(),
});

function inputSchemas(limits: Limits) {
  const text = () => z.string().max(limits.textCharacters, { abort: true });
  const nonBlankText = () => text().regex(/\S/, { error: 'must not be empty' });
  const list = <T extends z.ZodType>(entry: T) => z.array(entry).max(limits.arrayEntries);

  const Location = z.strictObject({
    locationId: z.int().min(1).describe('ID of a location search result'),
    city: text().min(1),
    stateProvince: text(),
    country: text().min(1),
  });

  const Qualification = z.strictObject({
    text: nonBlankText(),
    kind: z.enum(CHOICES.kind),
    order: z.int(),
  });

  const Question = z.strictObject({
    prompt: nonBlankText(),
    answerFormat: z.enum(CHOICES.answerFormat),
    options: z
      .array(nonBlankText())
      .max(limits.questionOptions)
      .optional()
      .describe('Choices (SINGLE_SELECT and MULTI_SELECT only)'),
    order: z.int(),
  });

  const Budget = z.strictObject({
    window: z.enum(CHOICES.window),
    budgetCents: z.int().min(0).describe('Whole cents. 0 is a cap of zero, not "unlimited"'),
    notes: text().nullish(),
  });

  const values = {
    remoteOption: z.enum(CHOICES.remoteOption).nullable(),
    remoteCountry: text().nullable().describe('Country where remote employees may work (REMOTE jobs)'),
    jobType: z.enum(CHOICES.jobType).nullable(),
    jobLevel: z.enum(CHOICES.jobLevel).nullable(),
    salaryMin: z.int().min(0).nullable().describe('Whole dollars'),
    salaryMax: z.int().min(0).nullable().describe('Whole dollars'),
    salaryPeriod: z.enum(CHOICES.salaryPeriod).nullable(),
    bidPerQualifiedApplicantCents: z
      .int()
      .min(0)
      .nullable()
      .describe('Bid per qualified applicant, in cents'),
    opportunityId: text().nullable().describe("Partner's ID for the opening on the source ATS"),
    atsJobUrl: text()
      .check(z.stringFormat('uri', URI))
      .nullable()
      .describe('Canonical job URL on the source ATS (any absolute URI, stored unchanged)'),
  };
  const { remoteOption, remoteCountry, jobType, jobLevel, ...others } = z.object(values).partial().shape;
  const update = {
    title: z.string().max(limits.titleCharacters).optional(),
    description: z.string().max(limits.descriptionCharacters).optional(),
    ...{ remoteOption, remoteCountry, jobType, jobLevel },
    locations: list(Location).optional(),
    ...others,
    qualifications: list(Qualification).optional(),
    questions: list(Question).optional().describe('Custom screening questions only'),
    budgets: list(Budget).optional(),
  };
  return {
    Location,
    Qualification,
    Question,
    Budget,
    values,
    JobUpdate: z.strictObject(update),
    JobInput: z.strictObject({
      ...update,
      publish: z
        .boolean()
        .default(false)
        .optional()
        .describe('Publish the job in the same transaction (create only)'),
    }),
  };
}

const ours = inputSchemas(LIMITS);

export const LocationInputSchema = ours.Location;
export const QualificationInputSchema = ours.Qualification;
export const QuestionInputSchema = ours.Question;
export const BudgetInputSchema = ours.Budget;
export const JobInputSchema = ours.JobInput;
/** Body of an update, without `publish` (docs/service.md, section 2.2). */
export const JobUpdateSchema = ours.JobUpdate;

export function jobSchemas(limits: Limits): Pick<typeof ours, 'JobInput' | 'JobUpdate'> {
  return limits === LIMITS ? ours : inputSchemas(limits);
}

/** Copies schemas, but omits limits and descriptions. A server's limits may differ. */
function withoutLimits<Parts extends object>(parts: Parts): Parts {
  const copies = Object.entries(parts).map(([name, part]) => {
    const isSchema = part instanceof z.ZodType;
    return [name, isSchema ? z.clone(part, { ...withoutLimits(part.def), checks: [] }) : part];
  });
  return Object.fromEntries(copies);
}

/** RFC 3339 with any offset, because a server may not use UTC. */
const dateTime = () => z.iso.datetime({ offset: true });

/** The full job that the dashboard shows (docs/service.md, section 2.1). */
export const JobSchema = z.object({
  id: z.int().describe('Stable cross-service job ID'),
  title: z.string(),
  status: z.enum(JOB_STATUSES),
  description: z.string(),
  ...withoutLimits(ours.values),
  companyId: z.string(),
  locations: z.array(LocationSuggestionSchema),
  qualifications: z.array(z.object({ id: z.string(), ...withoutLimits(ours.Qualification.shape) })),
  questions: z.array(z.object({ id: z.string(), ...withoutLimits(ours.Question.shape) })),
  budgets: z.array(z.object({ ...withoutLimits(ours.Budget.shape), budgetCents: z.int().min(0) })),
  applicationCounts: z.object({ pending: z.int(), accepted: z.int(), rejected: z.int() }),
  isFrozen: z.boolean(),
  newApplicantCount: z.int(),
  publishedAt: dateTime().nullable(),
  expiresAt: dateTime().nullable(),
  closedAt: dateTime().nullable(),
});

export type LocationInput = z.infer<typeof LocationInputSchema>;
export type LocationSuggestion = z.infer<typeof LocationSuggestionSchema>;
export type QualificationInput = z.infer<typeof QualificationInputSchema>;
export type QuestionInput = z.infer<typeof QuestionInputSchema>;
export type BudgetInput = z.infer<typeof BudgetInputSchema>;
export type JobInput = z.infer<typeof JobInputSchema>;
export type JobUpdate = z.infer<typeof JobUpdateSchema>;
export type Job = z.infer<typeof JobSchema>;

export type JobContent = { [Field in keyof JobUpdate]-?: Exclude<JobUpdate[Field], undefined> };

export const CONTENT_FIELDS = Object.keys(ours.JobUpdate.shape) as (keyof JobContent)[];

/** Content of a draft created from `{}`: omitted fields stay empty (section 3). */
export const EMPTY_CONTENT = Object.fromEntries<unknown>(
  CONTENT_FIELDS.map((field) => [field, field in ours.values ? null : JOB_FIELDS[field].entry ? [] : '']),
) as JobContent;
