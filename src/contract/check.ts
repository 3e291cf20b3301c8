import type * as z from 'zod';
import { nearest } from '../text/nearest.ts';
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
import { ruleProblems } from './rules.ts';
import { uriHint } from './uri.ts';
import { LIMITS, type Limits } from './values.ts';

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

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a string',
  int: 'a whole number',
  number: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
};

function formatInput(input: unknown): string {
  if (input === null) return 'null';
  if (Array.isArray(input)) return 'an array';
  if (typeof input === 'object') return 'an object';
  if (typeof input === 'string') return JSON.stringify(clipText(input, 40));
  return String(input);
}
