/** The specification's rules on what a job holds (sections 2 and 8), read from its text alone. */

export interface Place {
  readonly locationId: number;
  readonly city: string;
  readonly stateProvince: string;
  readonly country: string;
}

export const PLACES: readonly Place[] = [
  { locationId: 101, city: 'Austin', stateProvince: 'Texas', country: 'United States' },
  { locationId: 102, city: 'Boston', stateProvince: 'Massachusetts', country: 'United States' },
  { locationId: 103, city: 'São Paulo', stateProvince: 'São Paulo', country: 'Brazil' },
  { locationId: 104, city: 'Singapore', stateProvince: '', country: 'Singapore' },
];

export const displayName = ({ city, stateProvince, country }: Place): string =>
  [city, stateProvince, country].filter((part) => part !== '').join(', ');

export type Content = Record<string, unknown>;

export const EMPTY: Readonly<Content> = {
  title: '',
  description: '',
  remoteOption: null,
  remoteCountry: null,
  jobType: null,
  jobLevel: null,
  salaryMin: null,
  salaryMax: null,
  salaryPeriod: null,
  bidPerQualifiedApplicantCents: null,
  opportunityId: null,
  atsJobUrl: null,
  locations: [],
  qualifications: [],
  questions: [],
  budgets: [],
};

type Rule = (value: unknown) => string | undefined;

const text: Rule = (value) => (typeof value === 'string' ? undefined : 'must be a text');
const whole: Rule = (value) => (Number.isInteger(value) ? undefined : 'must be a whole number');
const orNull =
  (rule: Rule): Rule =>
  (value) =>
    value === null ? undefined : rule(value);
const among =
  (...values: string[]): Rule =>
  (value) =>
    values.includes(value as string) ? undefined : `must be one of ${values.join(', ')}`;
const cents: Rule = (value) => whole(value) ?? ((value as number) < 0 ? 'must not be below 0' : undefined);

const uri: Rule = (value) =>
  text(value) ?? (/^[a-z][a-z0-9+.-]*:\S+$/i.test(value as string) ? undefined : 'must be a URI');

const listOf =
  (required: Readonly<Record<string, Rule>>, optional: Readonly<Record<string, Rule>> = {}): Rule =>
  (value) => {
    if (!Array.isArray(value)) return 'must be a list';
    for (const entry of value) {
      if (typeof entry !== 'object' || entry === null) return 'must hold objects';
      for (const name of Object.keys(required)) if (!(name in entry)) return `an entry lacks ${name}`;
      for (const [name, field] of Object.entries(entry)) {
        const rule = required[name] ?? optional[name];
        const wrong = rule === undefined ? 'is not known' : rule(field);
        if (wrong !== undefined) return `${name} ${wrong}`;
      }
    }
    return undefined;
  };

const places: Rule = (value) => {
  const wrong = listOf({ locationId: whole, city: text, stateProvince: text, country: text })(value);
  if (wrong !== undefined) return wrong;
  const isKnown = (given: Place) =>
    PLACES.some((place) =>
      Object.entries(place).every(([name, field]) => given[name as keyof Place] === field),
    );
  return (value as Place[]).every(isKnown) ? undefined : 'must come from the location search';
};

const budgets: Rule = (value) => {
  const window = among('DAILY', 'WEEKLY', 'MONTHLY', 'LIFETIME');
  const wrong = listOf({ window, budgetCents: cents }, { notes: orNull(text) })(value);
  if (wrong !== undefined) return wrong;
  const windows = (value as { window: string }[]).map((budget) => budget.window);
  return new Set(windows).size === windows.length ? undefined : 'at most one budget per window';
};

const FORMATS = [
  'TEXT',
  'TEXTAREA',
  'SINGLE_SELECT',
  'MULTI_SELECT',
  'NUMBER',
  'FILE',
  'DATE',
  'SINGLE_CHECKBOX',
];
const options: Rule = (value) =>
  Array.isArray(value) && value.every((option) => typeof option === 'string') ? undefined : 'must be texts';

const RULES: Readonly<Record<string, Rule>> = {
  title: text,
  description: text,
  remoteOption: orNull(among('REMOTE', 'HYBRID', 'IN_PERSON')),
  remoteCountry: orNull(text),
  jobType: orNull(among('FULL_TIME', 'PART_TIME', 'CONTRACT', 'INTERNSHIP')),
  jobLevel: orNull(among('ENTRY', 'MID', 'SENIOR')),
  salaryMin: orNull(whole),
  salaryMax: orNull(whole),
  salaryPeriod: orNull(among('ANNUAL', 'HOURLY')),
  bidPerQualifiedApplicantCents: orNull(whole),
  opportunityId: orNull(text),
  atsJobUrl: orNull(uri),
  locations: places,
  qualifications: listOf({ text, kind: among('REQUIRED', 'DESIRED'), order: whole }),
  questions: listOf({ prompt: text, answerFormat: among(...FORMATS), order: whole }, { options }),
  budgets,
};

/** What is wrong with a body, by field; `publish` is known on a create alone. */
export function wrongFields(body: Content, isCreate: boolean): Record<string, string> {
  const wrong: Record<string, string> = {};
  for (const [name, value] of Object.entries(body)) {
    if (name === 'publish' && isCreate) {
      if (typeof value !== 'boolean') wrong[name] = 'must be true or false';
      continue;
    }
    const rule = Object.hasOwn(RULES, name) ? RULES[name] : undefined;
    const message = rule === undefined ? 'is not known' : rule(value);
    if (message !== undefined) wrong[name] = message;
  }
  return wrong;
}

/** Section 8, gate 1: each gap of a listing that is to be live. */
export function gaps(job: Content): Record<string, string> {
  const missing: Record<string, string> = {};
  const needs = (name: string, isThere: boolean): void => {
    if (!isThere) missing[name] = 'is needed to publish';
  };
  for (const name of ['title', 'description', 'remoteOption', 'jobType', 'jobLevel', 'salaryPeriod']) {
    needs(name, Boolean(job[name]));
  }
  if (job.remoteOption === 'REMOTE') needs('remoteCountry', Boolean(job.remoteCountry));
  else needs('locations', (job.locations as unknown[]).length > 0);
  needs('salaryMin', job.salaryMin !== null);
  needs('salaryMax', job.salaryMax !== null && (job.salaryMin as number) <= (job.salaryMax as number));
  needs('bidPerQualifiedApplicantCents', (job.bidPerQualifiedApplicantCents as number) > 0);
  const qualifications = job.qualifications as { kind: string }[];
  needs(
    'qualifications',
    qualifications.some(({ kind }) => kind === 'REQUIRED'),
  );
  return missing;
}
