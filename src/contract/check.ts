import type * as z from 'zod';
import { nearest } from '../text/nearest.ts';
import { applicantBasic } from './basics.ts';
import { ENTRY_KINDS } from './entries.ts';
import { howToWrite, suggestValue, unknownField } from './how-to-write.ts';
import { type JobInput, type JobUpdate, jobSchemas } from './job.ts';
import {
  clipText,
  createProblem,
  type FieldPath,
  fieldName,
  type Problem,
  ProblemList,
  type Problems,
} from './problems.ts';
import { uriHint } from './uri.ts';
import valueWords from './value-words.json' with { type: 'json' };
import { ANSWER_FORMATS, BUDGET_WINDOWS, isObject, LIMITS, type Limits, takesOptions } from './values.ts';

export type Checked<T> = { readonly ok: true; readonly value: T } | ({ readonly ok: false } & Problems);

export function checkJobInput(value: unknown, limits: Limits = LIMITS): Checked<JobInput> {
  return checkValue(jobSchemas(limits).JobInput, value, (raw) => ruleProblems(raw, limits));
}

export function checkJobUpdate(value: unknown, limits: Limits = LIMITS): Checked<JobUpdate> {
  return checkValue(jobSchemas(limits).JobUpdate, value, (raw) => ruleProblems(raw, limits));
}

export function checkValue<T>(
  schema: z.ZodType<T> & { readonly shape: object },
  value: unknown,
  rules: (value: unknown) => Iterable<Problem>,
): Checked<T> {
  const result = schema.safeParse(value, { reportInput: true, jitless: true });
  const found = new ProblemList();
  if (!result.success) addIssues(found, result.error, schema.shape);
  for (const problem of rules(value)) found.add(() => problem);
  if (result.success && found.problems.length === 0) return { ok: true, value: result.data };
  return { ok: false, problems: found.problems, more: found.more };
}

function addIssues(found: ProblemList, { issues }: z.ZodError, shape: object): void {
  const unknown = new ProblemList();
  for (const issue of issues) {
    if (issue.code === 'unrecognized_keys') addUnknownFields(unknown, issue, shape);
  }
  const meant = new Set(unknown.problems.flatMap(({ meant = [] }) => meant.map(fieldName)));
  for (const issue of issues) {
    const path = issue.path as FieldPath;
    const isExplained = issue.input === undefined && meant.has(fieldName(path));
    if (issue.code === 'unrecognized_keys' || isExplained) continue;
    found.add(() => {
      const [message, hint = findHint(issue, path)] = wording(issue);
      return { ...createProblem(path, message, hint), ...(isOwnRule(issue) && { isOwnRule: true }) };
    });
  }
  for (const problem of unknown.problems) found.add(() => problem);
  found.more += unknown.more;
}

/** True for a rule of the bundled engine only: blank text, or a negative salary or bid (decision 31). */
function isOwnRule(issue: z.core.$ZodIssue): boolean {
  if (issue.code === 'too_small') {
    return issue.origin === 'string' || (issue.minimum === 0 && issue.path.length === 1);
  }
  return issue.code === 'invalid_format' && issue.format === 'regex';
}

function addUnknownFields(
  unknown: ProblemList,
  { keys, path, input }: z.core.$ZodIssueUnrecognizedKeys,
  shape: object,
): void {
  const [list] = path;
  const known = list === undefined ? Object.keys(shape) : (ENTRY_KINDS[String(list)]?.fields ?? []);
  for (const key of keys) {
    unknown.add(() =>
      key === 'publish' && path.length === 0
        ? NOT_IN_AN_UPDATE
        : unknownField([...(path as FieldPath), key], input?.[key], known),
    );
  }
}

const IS_REQUIRED = 'is required';

const NOT_IN_AN_UPDATE = createProblem(
  ['publish'],
  'is only allowed when a job is created',
  'to publish an existing job, run `partner jobs publish ID`',
);

function findHint(issue: z.core.$ZodIssue, path: FieldPath): string | undefined {
  if (issue.code !== 'too_big') return howToWrite(path, issue.input);
  if (issue.origin !== 'string' && issue.origin !== 'array') return undefined;
  const excess = (issue.input as string).length - Number(issue.maximum);
  return `${issue.origin === 'string' ? 'shorten it by' : 'remove'} ${excess}`;
}

export function wording(issue: z.core.$ZodIssue): readonly [message: string, hint?: string] {
  const { input } = issue;
  switch (issue.code) {
    case 'invalid_type':
      if (input === undefined) return [IS_REQUIRED];
      return [`must be ${TYPE_NAMES[issue.expected] ?? issue.expected}, not ${formatInput(input)}`];
    case 'invalid_value': {
      if (input === undefined) return [IS_REQUIRED];
      const known = issue.values.map(String);
      const isMeant = suggestValue(issue.path as FieldPath, input) !== undefined;
      const near = isMeant || typeof input !== 'string' ? undefined : nearest(input, known);
      const message = `must be one of ${known.join(', ')}, not ${formatInput(input)}`;
      return near === undefined ? [message] : [message, `did you mean ${near}?`];
    }
    case 'too_big':
      if (issue.origin === 'string') {
        return [`must be at most ${issue.maximum} characters, got ${(input as string).length}`];
      }
      if (issue.origin === 'array') {
        return [`must have at most ${issue.maximum} entries, got ${(input as unknown[]).length}`];
      }
      return [`must be a whole number up to ${Number.MAX_SAFE_INTEGER}, not ${formatInput(input)}`];
    case 'too_small':
      if (issue.origin === 'string') return ['must not be empty'];
      if (issue.origin !== 'number' && issue.origin !== 'int') return [issue.message];
      return [`must be ${issue.minimum} or more, not ${formatInput(input)}`];
    case 'invalid_format':
      if (issue.format !== 'uri') return [issue.message];
      return [`must be an absolute URI, not ${formatInput(input)}`, uriHint(String(input))];
    default:
      return [issue.message];
  }
}

const TYPE_NAMES: Readonly<Record<string, string>> = valueWords.types;

function formatInput(input: unknown): string {
  if (input === null) return 'null';
  if (Array.isArray(input)) return 'an array';
  if (typeof input === 'object') return 'an object';
  if (typeof input === 'string') return JSON.stringify(clipText(input, 40));
  return String(input);
}

/** Checks rules that a schema can't express. Ignores wrong types, so that all problems are reported together. */
function* ruleProblems(value: unknown, limits: Limits): Generator<Problem> {
  const { questions, budgets } = asRecord(value);
  yield* textProblems(value);
  for (const [index, question] of within(questions, limits.arrayEntries).map(asRecord).entries()) {
    yield* basicProblems(question, index);
    yield* optionProblems(question, index, limits);
  }
  yield* windowProblems(within(budgets, limits.arrayEntries).map(asRecord));
}

function within(value: unknown, entriesMax: number): readonly unknown[] {
  return Array.isArray(value) && value.length <= entriesMax ? value : [];
}

/** Fast first check, because few listings contain text that a database would change. */
function mayChangeWhenStored(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return NUL_OR_SURROGATE.test(value);
  if (typeof value !== 'object' || value === null || depth > DEPTH_MAX) return false;
  return Object.values(value).some((part) => mayChangeWhenStored(part, depth + 1));
}

const DEPTH_MAX = 4;

const NUL_OR_SURROGATE = /[\0\ud800-\udfff]/;

/** Databases end a text at NUL and replace unpaired surrogates, so the stored text would differ. */
export function* textProblems(value: unknown): Generator<Problem> {
  if (mayChangeWhenStored(value)) yield* findTextProblems(value, []);
}

function* findTextProblems(value: unknown, path: FieldPath): Generator<Problem> {
  if (typeof value === 'string') {
    const wrong = value.includes('\0')
      ? 'contains a NUL character'
      : HALF_CHARACTER.test(value)
        ? 'contains half of a character (an unpaired surrogate)'
        : undefined;
    if (wrong !== undefined) yield createProblem(path, wrong, 'remove it');
  }
  if (typeof value !== 'object' || value === null || path.length > DEPTH_MAX) return;
  for (const [key, part] of Object.entries(value)) {
    yield* findTextProblems(part, [...path, Array.isArray(value) ? Number(key) : key]);
  }
}

/** With the `u` flag, a surrogate matches only if it's unpaired. */
const HALF_CHARACTER = /\p{Surrogate}/u;

/** Every application includes the basics, so questions must not ask for them (decision 11). */
function basicProblems({ prompt }: Record<string, unknown>, index: number): Problem[] {
  const basic = typeof prompt === 'string' ? applicantBasic(prompt) : undefined;
  if (basic === undefined) return [];
  const message = `asks for the applicant's ${basic}, which is collected on every application`;
  return [createProblem(['questions', index, 'prompt'], message, 'remove this question')];
}

/** SELECT formats require distinct options. Other formats don't allow options (decision 25). */
function optionProblems(
  { answerFormat, options }: Record<string, unknown>,
  index: number,
  { questionOptions }: Limits,
): Problem[] {
  const path: FieldPath = ['questions', index, 'options'];
  const format = ANSWER_FORMATS.find((known) => known === answerFormat);
  if (format === undefined) return [];
  if (!takesOptions(format)) {
    if (options === undefined) return [];
    const message = `isn't allowed for ${format}, only for SINGLE_SELECT and MULTI_SELECT`;
    return [createProblem(path, message, 'remove options, or change answerFormat')];
  }
  if (options === undefined || (Array.isArray(options) && options.length === 0)) {
    return [{ ...createProblem(path, `${format} requires at least one option`), isOwnRule: true }];
  }
  return repeats(within(options, questionOptions)).map(({ at, first }) => {
    const message = `is the same as options[${first}], but options must be unique`;
    return createProblem([...path, at], message, 'remove one of the two');
  });
}

/** Section 8, rule 2: at most one budget per window. */
function windowProblems(budgets: readonly Record<string, unknown>[]): Problem[] {
  const windows = budgets.map(({ window }) => BUDGET_WINDOWS.find((known) => known === window));
  return repeats(windows).map(({ at, first, value }) => {
    const message = `${value} is already used in budgets[${first}], but each window can have only one budget`;
    return createProblem(['budgets', at, 'window'], message, 'remove one of the two');
  });
}

function repeats(values: readonly unknown[]): { at: number; first: number; value: string }[] {
  const firsts = new Map<string, number>();
  return values.flatMap((value, at) => {
    if (typeof value !== 'string') return [];
    const first = firsts.get(value);
    if (first === undefined) firsts.set(value, at);
    return first === undefined ? [] : [{ at, first, value }];
  });
}

function asRecord(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}
