import { PartnerError } from '../contract/errors.ts';
import {
  type BudgetInput,
  CONTENT_FIELDS,
  EMPTY_CONTENT,
  type JobContent,
  type QualificationInput,
} from '../contract/job.ts';
import { type FieldFlags, indexFieldParts, JOB_FIELDS } from '../contract/job-fields.ts';
import { type BudgetWindow, pickFields } from '../contract/values.ts';
import { type Parsed, parseDollars } from '../contract/words.ts';
import { nearest } from '../text/nearest.ts';
import { parseBudget, parseField } from './flag-values.ts';
import type { Input } from './read/bytes.ts';
import type { Listing } from './read/listing.ts';
import { readInput } from './read/read.ts';

export type JobFlags = { readonly [Flag in keyof FieldFlags]?: FieldFlags[Flag] | undefined } & {
  readonly clear?: readonly string[] | undefined;
};

/** Job fields, except that locations are still unresolved text. */
export interface FlagFields extends Partial<Omit<JobContent, 'locations'>> {
  locations?: readonly string[];
}

type Faults = Map<string, { readonly problem: string; readonly hint: string }>;

function addClash(typed: string, problem: string, faults: Faults): void {
  faults.set(typed, { problem, hint: 'pass only one of them' });
}

/** Returns the fields that flags set or clear. Throws one USAGE error for all flags, and the errors of `readInput`. */
export async function readFlagFields(flags: JobFlags, input: Input): Promise<FlagFields> {
  const faults: Faults = new Map();
  const given: Record<string, unknown> = { locations: flags.location };
  const caps: BudgetInput[] = [];
  for (const [flag, { field, kind, value: unit }] of Object.entries(indexFieldParts('flags'))) {
    const text = flags[flag as keyof JobFlags];
    if (typeof text !== 'string' || kind === 'block') continue;
    const isDollars = unit === 'DOLLARS' && kind !== 'dollars';
    const parsed = isDollars ? parseDollars(text, 'cents') : parseField(text, field, kind);
    const value = takeValue<number | string>(parsed, `--${flag}`, faults);
    if (kind === 'budgets')
      caps.push({ window: flag.toUpperCase() as BudgetWindow, budgetCents: Number(value) });
    else if (given[field] === undefined) given[field] = value;
    else addClash(`--${flag}`, `can't be combined with another flag for ${field}`, faults);
  }
  given.description = await readDescription(flags, input, faults);
  given.qualifications = toQualifications(flags);
  const written = flags.budget ?? [];
  caps.push(...written.flatMap((text) => takeValue(parseBudget(text), `--budget ${text}`, faults) ?? []));
  given.budgets = caps.length > 0 ? caps : undefined;
  const twice = caps.find(({ window }, at) => caps.findIndex((cap) => cap.window === window) < at);
  if (twice) addClash('--budget', `sets the ${twice.window} cap twice`, faults);
  const fields = pickFields(given, CONTENT_FIELDS) as FlagFields;
  const cleared = clearFields(flags.clear ?? [], fields, faults);
  if (faults.size > 0) throw flagError(faults);
  return { ...fields, ...cleared };
}

/** Flags override the file. An array from flags replaces the whole array (section 2.2). */
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

export function buildFlagListing(fields: FlagFields): Listing {
  return { file: '', index: 0, value: fields, flaws: [], locate: () => NOWHERE };
}

const NOWHERE = { line: 0, column: 0 };

function takeValue<T>(parsed: Parsed<T>, typed: string, faults: Faults): T | undefined {
  if ('value' in parsed) return parsed.value;
  faults.set(typed, parsed);
  return undefined;
}

async function readDescription(flags: JobFlags, input: Input, faults: Faults): Promise<string | undefined> {
  const file = flags['description-file'];
  if (file === undefined) return flags.description;
  if (flags.description === undefined) return (await readInput(file, input)).trimEnd();
  addClash('--description-file', "can't be combined with --description", faults);
  return undefined;
}

/** Puts required qualifications first, because the order between the two flags is unknown. */
function toQualifications({ required = [], desired = [] }: JobFlags): QualificationInput[] | undefined {
  if (required.length + desired.length === 0) return undefined;
  return [
    ...required.map((text) => ({ text, kind: 'REQUIRED' as const })),
    ...desired.map((text) => ({ text, kind: 'DESIRED' as const })),
  ].map((qualification, index) => ({ ...qualification, order: index + 1 }));
}

const CLEARABLE = new Map<string, keyof JobContent>(
  CONTENT_FIELDS.flatMap((field): [string, keyof JobContent][] => {
    const flags = field === 'qualifications' ? [] : Object.keys(JOB_FIELDS[field].flags ?? {}).slice(0, 1);
    return [field, ...flags].map((name) => [name, field]);
  }),
);

function clearFields(names: readonly string[], fields: FlagFields, faults: Faults): FlagFields {
  const cleared: FlagFields = {};
  for (const typed of names) {
    const name = typed.replace(/^--/, '');
    const field = CLEARABLE.get(name);
    if (field === undefined) {
      const near = nearest(name, [...CLEARABLE.keys()]);
      const hint =
        near === undefined ? `the fields are ${CONTENT_FIELDS.join(', ')}` : `did you mean ${near}?`;
      faults.set(`--clear ${typed}`, { problem: "isn't a field", hint });
    } else if (Object.hasOwn(fields, field))
      addClash(`--clear ${typed}`, `clears ${field}, which another flag sets`, faults);
    else Object.assign(cleared, { [field]: EMPTY_CONTENT[field] });
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
  const message = `${fields.length} flags are invalid`;
  return new PartnerError('USAGE', { message, fields: Object.fromEntries(fields) });
}
