import { nearest } from '../text/nearest.ts';
import { type FieldName, getChoices, JOB_FIELDS, type ValueForm, type ValueKind } from './job-fields.ts';
import otherFields from './other-fields.json' with { type: 'json' };
import { clipText, createProblem, type FieldPath, type Problem } from './problems.ts';
import valueSynonyms from './value-synonyms.json' with { type: 'json' };
import { BUDGET_WINDOWS, isObject } from './values.ts';
import { formatCents, parseAmounts, parsePeriod } from './words.ts';

type Meant = (given: unknown, position: number, name: string) => string | undefined;

const VALUE_SYNONYMS: Readonly<Record<string, string>> = valueSynonyms;

const SHOWN_CHARACTERS = 60;

const suggestText: Meant = (given) => (given === null ? undefined : toJsonText(findText(given)));

const suggestChoice: Meant = (given, _position, name) => {
  const [only, second] = [given].flat();
  if (second !== undefined) return undefined;
  const word = foldWord(findText(only) ?? '');
  const isMeant = (known: string) =>
    foldWord(known) === word || VALUE_SYNONYMS[known]?.split(' ').includes(word);
  const value = getChoices(name).find(isMeant);
  return value === undefined ? undefined : JSON.stringify(value);
};

const suggestDollars: Meant = (given, _position, name) => {
  if (typeof given !== 'number' && typeof given !== 'string') return undefined;
  if (/[€£¥₹]/.test(String(given))) return 'the amount in whole US dollars, digits only: 85000 for $85,000';
  const amounts = typeof given === 'number' ? [Math.abs(given)] : parseAmounts(given);
  if (amounts.length === 2) {
    const [low, high] = amounts.map(Math.round).sort((a, b) => a - b);
    return name === 'salaryMin' ? `${low}, and "salaryMax": ${high}` : `${high}, and "salaryMin": ${low}`;
  }
  const [amount] = amounts;
  if (amount === undefined || amounts.length > 2) return undefined;
  return [...new Set([Math.floor(amount), Math.ceil(amount)])].join(' or ');
};

const suggestCents: Meant = (given) => {
  if (typeof given !== 'number' && typeof given !== 'string') return undefined;
  const [amount, second] = parseAmounts(String(given));
  if (amount === undefined || second !== undefined) return undefined;
  const isCents = /^-?\s*\d+$|cent|¢/i.test(String(given).trim());
  const value = isCents ? amount : Math.round(amount * 100);
  return `${value} (cents) for ${formatCents(value)}`;
};

const suggestId: Meant = (given) =>
  /^\s*\d{1,15}\s*$/.test(findText(given) ?? '') ? String(Number(findText(given))) : undefined;

const suggestOrder: Meant = (given, position) =>
  typeof given === 'string' && /^\s*\d{1,9}\s*$/.test(given) ? String(Number(given)) : String(position);

const suggestEntry =
  (name: string, usual: string): Meant =>
  (given, position) => {
    const text = suggestText(given, position, '');
    return text && `{ "${name}": ${text}, ${usual}, "order": ${position} }`;
  };

const suggestQualification = suggestEntry('text', '"kind": "REQUIRED"');

const suggestQuestion = suggestEntry('prompt', '"answerFormat": "TEXT"');

const suggestList =
  (entry: Meant): Meant =>
  (given, _position, name) => {
    const first = entry(Array.isArray(given) ? given[0] : given, 1, name);
    return first && `[${first}]`;
  };

const suggestBudgets: Meant = (given) => {
  if (!isObject(given)) return undefined;
  const caps = Object.entries(given).flatMap(([name, amount]) => {
    const window = BUDGET_WINDOWS.find((known) => name.toUpperCase().startsWith(known));
    if (window === undefined || typeof amount !== 'number') return [];
    const budgetCents = Math.round(amount * (/cents/i.test(name) ? 1 : 100));
    return [`{ "window": "${window}", "budgetCents": ${budgetCents} }`];
  });
  return caps.length === 0 ? undefined : `[${caps.join(', ')}]`;
};

const suggestOptions: Meant = (given) => {
  const parts =
    typeof given === 'string'
      ? given.split(/[,;|/\n]/).map((part) => part.trim())
      : Object.values(Object(given)).map(findText);
  const texts = parts.filter((part) => part !== undefined && part !== '').slice(0, 3);
  return texts.length === 0 ? undefined : `[${texts.map((part) => toJsonText(part)).join(', ')}]`;
};

const suggestYesOrNo: Meant = (given) => {
  if (typeof given === 'object') return undefined;
  const word = String(given).trim().toLowerCase();
  if (/^(?:true|yes|y|1|on|x|live|published|active|open)$/.test(word)) return 'true';
  return /^(?:false|no|n|0|off|draft|)$/.test(word) ? 'false' : undefined;
};

const MEANT: Readonly<Record<ValueKind, Meant>> = {
  text: suggestText,
  block: suggestText,
  choice: suggestChoice,
  dollars: suggestDollars,
  cents: suggestCents,
  id: suggestId,
  order: suggestOrder,
  options: suggestOptions,
  yesOrNo: suggestYesOrNo,
  location: suggestText,
  locations: suggestList(suggestText),
  qualification: suggestQualification,
  qualifications: suggestList(suggestQualification),
  question: suggestQuestion,
  questions: suggestList(suggestQuestion),
  budget: () => undefined,
  budgets: suggestBudgets,
};

/** Returns the JSON for a value in the field's format: `90000` for `"$90k"`. Undefined if it isn't clear. */
export function suggestValue(path: FieldPath, given: unknown): string | undefined {
  const form = findForm(path);
  return form && MEANT[form.kind](clipValue(given), getPosition(path), String(path.at(-1)));
}

const MEANT_CHARACTERS_MAX = 300;
const MEANT_PARTS_MAX = 20;

function clipValue(given: unknown): unknown {
  if (typeof given === 'string') return given.slice(0, MEANT_CHARACTERS_MAX);
  if (Array.isArray(given)) return given.slice(0, MEANT_PARTS_MAX).map(clipValue);
  if (typeof given !== 'object' || given === null) return given;
  const parts = Object.entries(given).slice(0, MEANT_PARTS_MAX);
  return Object.fromEntries(parts.map(([name, part]) => [name, clipValue(part)]));
}

export function howToWrite(path: FieldPath, given: unknown): string | undefined {
  const form = findForm(path);
  if (form === undefined) return undefined;
  const meant = suggestValue(path, given);
  const { example } = form;
  if (given === undefined) return `set ${JSON.stringify(path.at(-1))}: ${meant ?? example}`;
  if (meant !== undefined) return `use ${meant}`;
  return `${example.includes(' or ') ? 'use one of these' : 'for example'}: ${example}`;
}

function findForm([field, ...path]: FieldPath): { kind: ValueKind; example: string } | undefined {
  let form = ownValue<ValueForm>(JOB_FIELDS, field);
  for (const step of path) {
    if (typeof step === 'number') form = form?.entry;
    else form = ownValue(form?.parts ?? {}, step);
  }
  const values = getChoices(String(path.at(-1) ?? field)).map((value) => `"${value}"`);
  const { kind, example = values.join(' or ') } = form ?? {};
  return kind === undefined || example === '' ? undefined : { kind, example };
}

function ownValue<T>(values: Readonly<Record<string, T>>, name: unknown): T | undefined {
  return Object.hasOwn(values, String(name)) ? values[String(name)] : undefined;
}

function getPosition(path: FieldPath): number {
  const index = path.findLast((step) => typeof step === 'number');
  return typeof index === 'number' ? index + 1 : 1;
}

function findText(given: unknown): string | undefined {
  if (typeof given === 'string') return given.trim() === '' ? undefined : given;
  if (typeof given === 'number' || typeof given === 'boolean') return String(given);
  if (typeof given !== 'object' || given === null) return undefined;
  if (Array.isArray(given)) {
    const texts = given.map((part) => (typeof part === 'object' ? undefined : findText(part)));
    return texts.length === 0 || texts.includes(undefined) ? undefined : texts.join('\n');
  }
  const { label, text, value, name, en, title } = given as Record<string, unknown>;
  const isText = (part: unknown) => typeof part === 'string' && part !== '';
  return [label, text, name, value, en, title].find(isText) as string | undefined;
}

function toJsonText(given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  return JSON.stringify(clipText(given, SHOWN_CHARACTERS));
}

const NO_SUCH_FIELD = 'remove it, or put it in the description. `partner schema` lists the known fields';

/** Reports an unknown field, with the field that was probably meant (decision 16). */
export function unknownField(path: FieldPath, given: unknown, known: readonly string[]): Problem {
  const parent = path.slice(0, -1);
  const key = String(path.at(-1));
  const misspelt = known.find((field) => foldWord(field) === foldWord(key));
  const meant = misspelt === undefined ? fieldsCalled(foldWord(key), path, known) : [];
  const elsewhere = hintElsewhere(key);
  const near = misspelt ?? (elsewhere === undefined ? nearest(key, known) : undefined);
  const problem = (fields: readonly string[], hint: string): Problem => ({
    ...createProblem(path, 'is not a known field', hint),
    meant: fields.map((field) => [...parent, field]),
  });
  const [first] = meant;
  if (first !== undefined) {
    const values =
      meant.length > 1
        ? suggestPay(clipValue(given))
        : [suggestValue([...parent, first], given) ?? findForm([...parent, first])?.example];
    const written = meant.map((field, at) => `"${field}": ${values[at]}`);
    return problem(meant, `use ${written.join(', ')} instead`);
  }
  if (near !== undefined) return problem([near], `did you mean ${near}?`);
  return problem([], elsewhere ?? NO_SUCH_FIELD);
}

export function hintElsewhere(name: string): string | undefined {
  return otherFields.find(({ names }) => names.split(' ').includes(foldWord(name)))?.hint;
}

function fieldsCalled(word: string, [field, ...others]: FieldPath, known: readonly string[]) {
  const forms: Readonly<Record<string, ValueForm>> =
    others.length === 0 ? JOB_FIELDS : (JOB_FIELDS[field as FieldName]?.entry?.parts ?? {});
  const name = Object.keys(forms).find((one) => forms[one]?.synonyms?.split(' ').includes(word));
  const names = name === 'salary' ? ['salaryMin', 'salaryMax', 'salaryPeriod'] : [name];
  return known.filter((one) => names.includes(one));
}

function suggestPay(given: unknown): readonly (number | string)[] {
  const text = typeof given === 'object' ? JSON.stringify(given) : String(given);
  const [low, high = low] = parseAmounts(text).map(Math.round);
  const period = parsePeriod(text) ?? (high !== undefined && high < 1000 ? 'HOURLY' : 'ANNUAL');
  return [low ?? 85000, high ?? 105000, `"${period}"`];
}

/** Ignores case and punctuation, so that `job_type` matches `jobType`. */
export function foldWord(word: string): string {
  return word.toLowerCase().replace(/[^a-z0-9]/g, '');
}
