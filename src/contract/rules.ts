import { applicantBasic } from './basics.ts';
import { type FieldPath, invalid, type Problem } from './problems.ts';
import { ANSWER_FORMATS, BUDGET_WINDOWS, isObject, type Limits, takesOptions } from './values.ts';

/** What a schema cannot hold. Reads the raw value and passes over wrong types, so that one fault does not hide another. */
export function* ruleProblems(value: unknown, limits: Limits): Generator<Problem> {
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

/** Few listings have such a character, and only they pay for finding it. */
function mayChangeWhenStored(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return NUL_OR_SURROGATE.test(value);
  if (typeof value !== 'object' || value === null || depth > DEPTH_MAX) return false;
  return Object.values(value).some((part) => mayChangeWhenStored(part, depth + 1));
}

/** Deeper than any listing goes, the schema has refused it already. */
const DEPTH_MAX = 4;

const NUL_OR_SURROGATE = /[\0\ud800-\udfff]/;

/** A NUL ends a text in a database, half of a surrogate pair becomes another character: what is stored would differ. */
export function* textProblems(value: unknown): Generator<Problem> {
  if (mayChangeWhenStored(value)) yield* textProblemsAt(value, []);
}

function* textProblemsAt(value: unknown, path: FieldPath): Generator<Problem> {
  if (typeof value === 'string') {
    const wrong = value.includes('\0')
      ? 'holds a NUL character'
      : HALF_CHARACTER.test(value)
        ? 'holds half of a character (an unpaired surrogate)'
        : undefined;
    if (wrong !== undefined) yield invalid(path, wrong, 'remove it');
  }
  if (typeof value !== 'object' || value === null || path.length > DEPTH_MAX) return;
  for (const [key, part] of Object.entries(value)) {
    yield* textProblemsAt(part, [...path, Array.isArray(value) ? Number(key) : key]);
  }
}

/** In a pattern with the `u` flag a surrogate matches only where it stands alone. */
const HALF_CHARACTER = /\p{Surrogate}/u;

/** Decision 11: applicant basics are collected on every application, never asked. */
function basicProblems({ prompt }: Record<string, unknown>, index: number): Problem[] {
  const basic = typeof prompt === 'string' ? applicantBasic(prompt) : undefined;
  if (basic === undefined) return [];
  const message = `asks for the applicant's ${basic}, which is collected on every application`;
  return [invalid(['questions', index, 'prompt'], message, 'leave this question out')];
}

/** Decision 25: options are required and distinct for the SELECT formats, refused for every other one. */
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
    const message = `${format} takes no options; only SINGLE_SELECT and MULTI_SELECT do`;
    return [invalid(path, message, 'leave options out, or change answerFormat')];
  }
  if (options === undefined || (Array.isArray(options) && options.length === 0)) {
    return [{ ...invalid(path, `${format} needs at least one option`), isOwnRule: true }];
  }
  return repeats(within(options, questionOptions)).map(({ at, first }) => {
    const message = `is the same as options[${first}]; options must be distinct`;
    return invalid([...path, at], message, 'take one of the two out');
  });
}

/** Section 8, rule 2: at most one budget per window. */
function windowProblems(budgets: readonly Record<string, unknown>[]): Problem[] {
  const windows = budgets.map(({ window }) => BUDGET_WINDOWS.find((known) => known === window));
  return repeats(windows).map(({ at, first, value }) => {
    const message = `${value} is given twice, first in budgets[${first}]; at most one budget per window`;
    return invalid(['budgets', at, 'window'], message, 'take one of the two out');
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
