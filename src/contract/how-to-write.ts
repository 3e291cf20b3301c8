import { amountsIn, formatCents } from './money.ts';
import type { FieldPath } from './problems.ts';
import synonyms from './synonyms.json' with { type: 'json' };
import {
  ANSWER_FORMATS,
  BUDGET_WINDOWS,
  JOB_LEVELS,
  JOB_TYPES,
  QUALIFICATION_KINDS,
  REMOTE_OPTIONS,
  SALARY_PERIODS,
} from './values.ts';

interface Form {
  readonly meant: (given: unknown, position: number) => string | undefined;
  readonly example: string;
}

/** What people write for a value of the contract, in lower case and without anything between the letters. */
const VALUE_SYNONYMS: Readonly<Record<string, string>> = synonyms.values;

const SHOWN_CHARACTERS = 60;

function choice(values: readonly string[], otherwise?: string): Form {
  return {
    meant(given) {
      const [only, second] = Array.isArray(given) ? given : [given];
      if (second !== undefined) return undefined;
      const word = (textIn(only) ?? '').toLowerCase().replace(/[^a-z0-9]/g, '');
      const value = values.find(
        (known) =>
          known.toLowerCase().replace('_', '') === word || VALUE_SYNONYMS[known]?.split(' ').includes(word),
      );
      return value === undefined ? undefined : JSON.stringify(value);
    },
    example: otherwise ?? values.map((value) => JSON.stringify(value)).join(' or '),
  };
}

function text(example: string): Form {
  return { meant: (given) => (given === null ? undefined : quoted(textIn(given))), example };
}

/** Whole dollars: two amounts are the ends of a range. */
function dollars(end: 'salaryMin' | 'salaryMax'): Form {
  const [other, at] = end === 'salaryMin' ? ['salaryMax', 0] : ['salaryMin', 1];
  return {
    meant(given) {
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
    },
    example: end === 'salaryMin' ? '85000' : '105000',
  };
}

const cents: Form = {
  meant(given) {
    if (typeof given !== 'number' && typeof given !== 'string') return undefined;
    const [amount, second] = amountsIn(String(given));
    if (amount === undefined || second !== undefined) return undefined;
    const isCents = /^-?\s*\d+$|cent|¢/i.test(String(given).trim());
    const value = isCents ? amount : Math.round(amount * 100);
    return `${value}, in cents, for ${formatCents(value)}`;
  },
  example: '1500, in cents, for $15.00',
};

const locationId: Form = {
  meant: (given) => (/^\s*\d{1,15}\s*$/.test(textIn(given) ?? '') ? String(Number(given)) : undefined),
  example: '4671654',
};

const order: Form = {
  meant: (given, position) =>
    typeof given === 'string' && /^\s*\d{1,9}\s*$/.test(given) ? String(Number(given)) : String(position),
  example: '1',
};

function list(entryOf: (text: string, position: number) => string, example: string): Form {
  return {
    meant(given) {
      const texts = Array.isArray(given) ? given : [given];
      const [first] = texts.map(textIn);
      return first === undefined ? undefined : `[${entryOf(first, 1)}]`;
    },
    example: `[${entryOf(example, 1)}]`,
  };
}

const place = (text: string): string => quoted(text) ?? '';
const qualification = (text: string, position: number): string =>
  `{ "text": ${quoted(text)}, "kind": "REQUIRED", "order": ${position} }`;
const question = (text: string, position: number): string =>
  `{ "prompt": ${quoted(text)}, "answerFormat": "TEXT", "order": ${position} }`;
const budget = (window: string, amountCents: number): string =>
  `{ "window": ${JSON.stringify(window)}, "budgetCents": ${amountCents} }`;

const budgets: Form = {
  meant(given) {
    if (typeof given !== 'object' || given === null || Array.isArray(given)) return undefined;
    const caps = Object.entries(given).flatMap(([name, amount]) => {
      const window = BUDGET_WINDOWS.find((known) => name.toUpperCase().startsWith(known));
      return window !== undefined && typeof amount === 'number'
        ? [budget(window, Math.round(amount * (/cents/i.test(name) ? 1 : 100)))]
        : [];
    });
    return caps.length === 0 ? undefined : `[${caps.join(', ')}]`;
  },
  example: `[${budget('MONTHLY', 50000)}]`,
};

function entry(entryOf: (text: string, position: number) => string, example: string): Form {
  return {
    meant(given, position) {
      const text = textIn(given);
      return text === undefined ? undefined : entryOf(text, position);
    },
    example: entryOf(example, 1),
  };
}

const options: Form = {
  meant(given) {
    const parts =
      typeof given === 'string'
        ? given.split(/\s*[,;|/\n]\s*/)
        : typeof given === 'object' && given !== null
          ? Object.values(given).map(textIn)
          : [];
    const texts = parts.filter((part) => part !== undefined && part !== '').slice(0, 3);
    return texts.length === 0 ? undefined : `[${texts.map((part) => quoted(part)).join(', ')}]`;
  },
  example: '["Yes", "No"]',
};

const yesOrNo: Form = {
  meant(given) {
    if (typeof given === 'object') return undefined;
    const word = String(given).trim().toLowerCase();
    if (/^(?:true|yes|y|1|on|x|live|published)$/.test(word)) return 'true';
    return /^(?:false|no|n|0|off|draft|)$/.test(word) ? 'false' : undefined;
  },
  example: 'true or false',
};

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
  salaryMin: dollars('salaryMin'),
  salaryMax: dollars('salaryMax'),
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
  'budgets[]': { meant: () => undefined, example: budget('MONTHLY', 50000) },
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
  return [label, text, name, value, en, title].find((part) => typeof part === 'string' && part !== '') as
    | string
    | undefined;
}

function quoted(given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  return JSON.stringify(
    given.length > SHOWN_CHARACTERS ? `${given.slice(0, SHOWN_CHARACTERS).trimEnd()}…` : given,
  );
}
