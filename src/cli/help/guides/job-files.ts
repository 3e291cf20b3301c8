import { completenessGaps } from '../../../contract/gate.ts';
import { EMPTY_CONTENT, type JobInput } from '../../../contract/job.ts';
import { jsonSchema } from '../../../listings/schema.ts';
import type { Guide, GuideEntry } from '../guide-view.ts';

/** What each field is for; what it may hold comes from the schema, what a live listing needs from the gate. */
const FIELDS: Readonly<Record<keyof JobInput, string>> = {
  title: 'what the job is called',
  description: 'the listing itself',
  remoteOption: 'how the work is done',
  remoteCountry: 'the country where remote employees may work',
  jobType: 'the type of employment',
  jobLevel: 'the level',
  locations: 'where the job is',
  salaryMin: 'the lower end of the salary, in whole dollars; at most salaryMax',
  salaryMax: 'the upper end, in whole dollars',
  salaryPeriod: 'what the salary is paid for',
  bidPerQualifiedApplicantCents:
    'what you pay for a qualified applicant, in cents: 1800 is $18.00; more than 0 when live',
  opportunityId: "your own id of the opening; `jobs apply` knows a renamed file's listing by it",
  atsJobUrl: "the opening's page in your applicant-tracking system",
  qualifications: 'what the candidate brings; at least one of kind REQUIRED when live',
  questions: 'screening questions of your own; name, email, phone, location and resume are always asked',
  budgets: 'caps on what the listing may cost; at most one of each window',
  publish: 'true publishes, as --publish does',
};

const EXAMPLE = [
  '{',
  '  "title": "Journeyman Electrician",',
  '  "remoteOption": "IN_PERSON",',
  '  "locations": ["Austin, TX"],',
  '  "salaryMin": 34,',
  '  "salaryMax": 46,',
  '  "salaryPeriod": "HOURLY"',
  '}',
];

/** A job file field by field, out of the schema that files are checked by. */
export function jobFiles(): Guide {
  const schema = jsonSchema('job-file') as JsonSchema;
  const fields = schema.$defs?.listing?.properties ?? {};
  return {
    topic: 'job-files',
    about:
      'A job file is a listing as JSON. A draft may hold any subset of the fields; `partner jobs validate FILE` says what one still needs to go live, with no call.',
    sections: [
      { heading: 'EXAMPLE', lines: EXAMPLE },
      {
        heading: 'FIELDS',
        entries: Object.entries(FIELDS).map(([name, about]) => field(name, about, fields)),
      },
      ...['locations', 'qualifications', 'questions', 'budgets'].map((name) => ({
        heading: `AN ENTRY OF ${name}`,
        ...(name === 'locations' ? { text: LOCATIONS } : {}),
        entries: entryFields(fields[name]),
      })),
      { heading: 'SEVERAL LISTINGS', text: SEVERAL },
      { heading: 'IN AN EDITOR', text: EDITOR },
    ],
  };
}

const LOCATIONS =
  'A text that the location search knows, "Austin, TX", or its id in quotes; several places of one name are exit 3, with their ids. Or the four fields as `partner locations search austin --json` gives them:';
const SEVERAL =
  'A file may hold an array of listings, or, as .ndjson or .jsonl, one on each line. `partner jobs plan` and `partner jobs apply` take files, directories and globs of them.';
const EDITOR =
  '`partner schema job-file > job-file.json` writes the schema; "$schema": "./job-file.json" in a file makes an editor complete names and underline mistakes. It is never sent.';

/** What the fields of a list's entries are for. */
const ENTRY_FIELDS: Readonly<Record<string, string>> = {
  locationId: 'the id that the location search gives',
  city: 'as the location search gives it',
  stateProvince: 'as it gives it; empty where regions have no names',
  country: 'as it gives it',
  text: 'what is asked of the candidate',
  kind: 'an applicant who meets every REQUIRED one is qualified, and charged',
  order: 'its place among the others',
  prompt: 'what is asked',
  answerFormat: 'how it is answered',
  options: 'what can be picked: for SINGLE_SELECT and MULTI_SELECT, and needed there',
  window: 'when the cap begins anew: each UTC day, Monday, 1st of the month, never',
  budgetCents: 'the cap in cents; 0 is a cap of zero',
  notes: 'for your colleagues',
};

/** As much of JSON Schema as a job file's is written in. */
interface JsonSchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly JsonSchema[];
  readonly format?: string;
  readonly minimum?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
}

function field(name: string, about: string, fields: Readonly<Record<string, JsonSchema>>): GuideEntry {
  return { name, about, more: [valuesOf(fields[name]), ...neededToGoLive(name)] };
}

/** When a live listing needs a field: always, or only with some of the ways of work. */
function neededToGoLive(name: string): string[] {
  const isGap = (remoteOption: 'REMOTE' | 'HYBRID' | 'IN_PERSON' | null): boolean =>
    completenessGaps({ ...EMPTY_CONTENT, remoteOption }).some(({ path: [gap] }) => gap === name);
  const options = (['REMOTE', 'HYBRID', 'IN_PERSON'] as const).filter(isGap);
  if (isGap(null)) return ['needed to go live'];
  return options.length === 0 ? [] : [`needed to go live when ${options.join(' or ')}`];
}

/** The fields of a list's entries, where those are objects or may be. */
function entryFields(list: JsonSchema | undefined): GuideEntry[] {
  const forms = list?.items?.anyOf ?? [list?.items ?? {}];
  return forms.flatMap(({ properties = {}, required = [] }) =>
    Object.entries(properties).map(([name, schema]) => ({
      name,
      about: ENTRY_FIELDS[name] ?? '',
      more: [valuesOf(schema), ...(required.includes(name) ? [] : ['may be left out'])],
    })),
  );
}

/** What a value of a schema may be, in words. */
function valuesOf(schema: JsonSchema | undefined): string {
  if (schema === undefined) return 'anything';
  if (schema.anyOf !== undefined) return schema.anyOf.map(valuesOf).join(', or ');
  if (schema.enum !== undefined) return schema.enum.join(', ');
  if (schema.format === 'uri') return 'an http or https address';
  switch (schema.type) {
    case 'string':
      return schema.maxLength === undefined ? 'text' : `text, up to ${grouped(schema.maxLength)} characters`;
    case 'integer':
      return schema.minimum === undefined || schema.minimum < 0
        ? 'a whole number'
        : `a whole number from ${schema.minimum}`;
    case 'array':
      return schema.maxItems === undefined ? 'a list' : `a list of up to ${grouped(schema.maxItems)}`;
    case 'boolean':
      return 'true or false';
    default:
      return schema.type ?? 'anything';
  }
}

function grouped(value: number): string {
  return value.toLocaleString('en-US');
}
