import { applicantBasic } from './basics.ts';
import { createProblem, type FieldPath, type Problem } from './problems.ts';
import { ANSWER_FORMATS, BUDGET_WINDOWS, isObject, type Limits, takesOptions } from './values.ts';

/** Checks rules that a schema can't express. Ignores wrong types, so that all problems are reported together. */
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
