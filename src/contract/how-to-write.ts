import { clipped, type FieldPath } from './problems.ts';
import synonyms from './synonyms.json' with { type: 'json' };
import {
  ANSWER_FORMATS,
  BUDGET_WINDOWS,
  isObject,
  JOB_LEVELS,
  JOB_TYPES,
  QUALIFICATION_KINDS,
  REMOTE_OPTIONS,
  SALARY_PERIODS,
} from './values.ts';
import { amountsIn, formatCents } from './words.ts';

interface Form {
  readonly example: string;
  /** Undefined where it cannot be told. */
  readonly meant: (given: unknown, position: number) => string | undefined;
}

/** What people write for a value of the contract, in lower case and without anything between the letters. */
const VALUE_SYNONYMS: Readonly<Record<string, string>> = synonyms.values;

const SHOWN_CHARACTERS = 60;

const form = (example: string, meant: Form['meant'] = () => undefined): Form => ({ example, meant });

const text = (example: string): Form =>
  form(example, (given) => (given === null ? undefined : quoted(textIn(given))));

const choice = (
  values: readonly string[],
  example = values.map((value) => `"${value}"`).join(' or '),
): Form =>
  form(example, (given) => {
    const [only, second] = [given].flat();
    if (second !== undefined) return undefined;
    const word = (textIn(only) ?? '').toLowerCase().replace(/[^a-z0-9]/g, '');
    const isMeant = (known: string) =>
      known.toLowerCase().replace('_', '') === word || VALUE_SYNONYMS[known]?.split(' ').includes(word);
    const value = values.find(isMeant);
    return value === undefined ? undefined : JSON.stringify(value);
  });

/** Whole dollars: two amounts are the ends of a range. */
const dollars = (example: string, other: string, at: 0 | 1): Form =>
  form(example, (given) => {
    if (typeof given !== 'number' && typeof given !== 'string') return undefined;
    if (/[€£¥₹]/.test(String(given)))
      return 'the amount in whole dollars, converted, in digits alone: 85000 for $85,000';
    const amounts = typeof given === 'number' ? [Math.abs(given)] : amountsIn(given);
    if (amounts.length === 2) {
      const range = amounts.map(Math.round).sort((a, b) => a - b);
      return `${range[at]}, and "${other}": ${range[1 - at]}`;
    }
    const [amount] = amounts;
    if (amount === undefined || amounts.length > 2) return undefined;
    return [...new Set([Math.floor(amount), Math.ceil(amount)])].join(' or ');
  });

const cents = form('1500, in cents, for $15.00', (given) => {
  if (typeof given !== 'number' && typeof given !== 'string') return undefined;
  const [amount, second] = amountsIn(String(given));
  if (amount === undefined || second !== undefined) return undefined;
  const isCents = /^-?\s*\d+$|cent|¢/i.test(String(given).trim());
  const value = isCents ? amount : Math.round(amount * 100);
  return `${value}, in cents, for ${formatCents(value)}`;
});

const locationId = form('4671654', (given) =>
  /^\s*\d{1,15}\s*$/.test(textIn(given) ?? '') ? String(Number(textIn(given))) : undefined,
);

const order = form('1', (given, position) =>
  typeof given === 'string' && /^\s*\d{1,9}\s*$/.test(given) ? String(Number(given)) : String(position),
);

type EntryOf = (text: string, position: number) => string;

const entry = (entryOf: EntryOf, example: string): Form =>
  form(entryOf(example, 1), (given, position) => {
    const text = textIn(given);
    return text === undefined ? undefined : entryOf(text, position);
  });

const list = (entryOf: EntryOf, example: string): Form =>
  form(`[${entryOf(example, 1)}]`, (given) => {
    const first = textIn(Array.isArray(given) ? given[0] : given);
    return first === undefined ? undefined : `[${entryOf(first, 1)}]`;
  });

const place: EntryOf = (text) => quoted(text) ?? '';
const qualification: EntryOf = (text, position) =>
  `{ "text": ${quoted(text)}, "kind": "REQUIRED", "order": ${position} }`;
const question: EntryOf = (text, position) =>
  `{ "prompt": ${quoted(text)}, "answerFormat": "TEXT", "order": ${position} }`;
const budget = (window: string, amountCents: number): string =>
  `{ "window": ${JSON.stringify(window)}, "budgetCents": ${amountCents} }`;

const budgets = form(`[${budget('MONTHLY', 50000)}]`, (given) => {
  if (!isObject(given)) return undefined;
  const caps = Object.entries(given).flatMap(([name, amount]) => {
    const window = BUDGET_WINDOWS.find((known) => name.toUpperCase().startsWith(known));
    if (window === undefined || typeof amount !== 'number') return [];
    return [budget(window, Math.round(amount * (/cents/i.test(name) ? 1 : 100)))];
  });
  return caps.length === 0 ? undefined : `[${caps.join(', ')}]`;
});

const options = form('["Yes", "No"]', (given) => {
  const parts =
    typeof given === 'string'
      ? given.split(/[,;|/\n]/).map((part) => part.trim())
      : Object.values(Object(given)).map(textIn);
  const texts = parts.filter((part) => part !== undefined && part !== '').slice(0, 3);
  return texts.length === 0 ? undefined : `[${texts.map((part) => quoted(part)).join(', ')}]`;
});

const yesOrNo = form('true or false', (given) => {
  if (typeof given === 'object') return undefined;
  const word = String(given).trim().toLowerCase();
  if (/^(?:true|yes|y|1|on|x|live|published|active|open)$/.test(word)) return 'true';
  return /^(?:false|no|n|0|off|draft|)$/.test(word) ? 'false' : undefined;
});

/** By the path, with `[]` for each position. */
const FORMS: Readonly<Record<string, Form>> = {
  title: text('"Licensed electrician"'),
  description: text('"Install and maintain wiring in homes."'),
  remoteOption: choice(REMOTE_OPTIONS),
  remoteCountry: text('"United States"'),
  jobType: choice(JOB_TYPES),
  jobLevel: choice(JOB_LEVELS),
  locations: list(place, 'Austin, Texas'),
  'locations[]': entry(place, 'Austin, Texas'),
  'locations[].locationId': locationId,
  'locations[].city': text('"Austin"'),
  'locations[].stateProvince': text('"Texas"'),
  'locations[].country': text('"United States"'),
  salaryMin: dollars('85000', 'salaryMax', 0),
  salaryMax: dollars('105000', 'salaryMin', 1),
  salaryPeriod: choice(
    SALARY_PERIODS,
    '"ANNUAL" with the pay of a year, or "HOURLY" with the pay of an hour',
  ),
  bidPerQualifiedApplicantCents: cents,
  opportunityId: text('"REQ-1042"'),
  atsJobUrl: text('"https://ats.example/jobs/1"'),
  qualifications: list(qualification, 'Journeyman license'),
  'qualifications[]': entry(qualification, 'Journeyman license'),
  'qualifications[].text': text('"Journeyman license"'),
  'qualifications[].kind': choice(QUALIFICATION_KINDS),
  'qualifications[].order': order,
  questions: list(question, 'When could you start?'),
  'questions[]': entry(question, 'When could you start?'),
  'questions[].prompt': text('"When could you start?"'),
  'questions[].answerFormat': choice(ANSWER_FORMATS),
  'questions[].options': options,
  'questions[].options[]': text('"Yes"'),
  'questions[].order': order,
  budgets,
  'budgets[]': form(budget('MONTHLY', 50000)),
  'budgets[].window': choice(BUDGET_WINDOWS),
  'budgets[].budgetCents': cents,
  'budgets[].notes': text('"agreed with finance"'),
  publish: yesOrNo,
};

/** The JSON that says `given` as the field at `path` takes it: `90000` for `"$90k"`. Undefined where it cannot be told. */
export function meantValue(path: FieldPath, given: unknown): string | undefined {
  return formAt(path)?.meant(beginningOf(given), positionIn(path));
}

const MEANT_CHARACTERS_MAX = 300;
const MEANT_PARTS_MAX = 20;

/** The beginning of a long text, list or object shows what was meant. */
export function beginningOf(given: unknown): unknown {
  if (typeof given === 'string') return given.slice(0, MEANT_CHARACTERS_MAX);
  if (Array.isArray(given)) return given.slice(0, MEANT_PARTS_MAX).map(beginningOf);
  if (typeof given !== 'object' || given === null) return given;
  const parts = Object.entries(given).slice(0, MEANT_PARTS_MAX);
  return Object.fromEntries(parts.map(([name, part]) => [name, beginningOf(part)]));
}

export function howToWrite(path: FieldPath, given: unknown): string | undefined {
  const form = formAt(path);
  if (form === undefined) return undefined;
  const meant = meantValue(path, given);
  if (given === undefined) return `write ${JSON.stringify(path.at(-1))}: ${meant ?? form.example}`;
  if (meant !== undefined) return `write ${meant}`;
  return `write ${form.example.includes(' or ') ? 'one of these' : 'it like this'}: ${form.example}`;
}

export function writtenValue(path: FieldPath, given: unknown): string | undefined {
  return meantValue(path, given) ?? formAt(path)?.example;
}

function formAt(path: FieldPath): Form | undefined {
  const name = path.map((step) => (typeof step === 'number' ? '[]' : `.${step}`)).join('');
  return FORMS[name.slice(1)];
}

function positionIn(path: FieldPath): number {
  const index = path.findLast((step) => typeof step === 'number');
  return typeof index === 'number' ? index + 1 : 1;
}

/** The text that a value holds or wraps: `{ "label": "Yes" }` is Yes. */
function textIn(given: unknown): string | undefined {
  if (typeof given === 'string') return given.trim() === '' ? undefined : given;
  if (typeof given === 'number' || typeof given === 'boolean') return String(given);
  if (typeof given !== 'object' || given === null) return undefined;
  if (Array.isArray(given)) {
    const texts = given.map((part) => (typeof part === 'object' ? undefined : textIn(part)));
    return texts.length === 0 || texts.includes(undefined) ? undefined : texts.join('\n');
  }
  const { label, text, value, name, en, title } = given as Record<string, unknown>;
  const isText = (part: unknown) => typeof part === 'string' && part !== '';
  return [label, text, name, value, en, title].find(isText) as string | undefined;
}

function quoted(given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  return JSON.stringify(clipped(given, SHOWN_CHARACTERS));
}
