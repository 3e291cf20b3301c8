import { checkJobUpdate } from '../../../contract/check.ts';
import { completenessGaps, draftWarnings } from '../../../contract/gate.ts';
import {
  CONTENT_FIELDS,
  EMPTY_CONTENT,
  type JobContent,
  type JobUpdate,
  type QualificationInput,
} from '../../../contract/job.ts';
import { type Limits, NO_LIMITS } from '../../../contract/limits.ts';
import { parseDollars } from '../../../contract/money.ts';
import type { Problem } from '../../../contract/problems.ts';
import { type FormQuestion, QUESTIONS, type QuestionName } from './questions.ts';

export type Question = FormQuestion<QuestionName>;

/** What a form knows so far. */
export interface FormAnswers {
  readonly content: JobUpdate;
  /** What flags or a file have answered: it is not asked. */
  readonly given: readonly QuestionName[];
  /** What was asked and answered, or passed over. */
  readonly asked: readonly QuestionName[];
}

export const NO_ANSWERS: FormAnswers = { content: {}, given: [], asked: [] };

/** The answers with what flags or a file give, which wins over what was answered before. */
export function withGiven(answers: FormAnswers, given: JobUpdate): FormAnswers {
  const names = QUESTIONS.filter((question) => holds(given, question)).map(({ name }) => name);
  return {
    content: { ...answers.content, ...given },
    given: [...new Set([...answers.given, ...names])],
    asked: answers.asked.filter((name) => !names.includes(name as never)),
  };
}

/** The first question that is still to be asked; undefined where none is. */
export function nextQuestion({ content, given, asked }: FormAnswers): Question | undefined {
  const listing = whole(content);
  return QUESTIONS.find((question: Question) => {
    const isSettled = given.includes(question.name) || asked.includes(question.name);
    return !isSettled && applies(question, listing);
  });
}

/** The question that was asked before another one, in the form's order; the last of all without one. */
export function questionBefore({ content, asked }: FormAnswers, question?: Question): Question | undefined {
  const names = QUESTIONS.map(({ name }) => name);
  const end = question === undefined ? names.length : names.indexOf(question.name);
  const listing = whole(content);
  return QUESTIONS.slice(0, end)
    .reverse()
    .find((other: Question) => asked.includes(other.name) && applies(other, listing));
}

/** The questions that bear on the listing as it is, whether they were asked or not. */
export function questionsFor(content: JobUpdate): Question[] {
  return QUESTIONS.filter((question: Question) => applies(question, whole(content)));
}

function applies(question: Question, listing: JobContent): boolean {
  return question.applies?.(listing) ?? true;
}

/** The answers with one more; an undefined value leaves the question passed over, and its field as it was. */
export function withAnswer(answers: FormAnswers, question: Question, value: unknown): FormAnswers {
  const { name } = question;
  const content = value === undefined ? answers.content : withValue(answers.content, question, value);
  return { ...answers, content, asked: [...answers.asked.filter((asked) => asked !== name), name] };
}

/** The answers with a part of a list, of which more is still to be asked. */
export function withPart(answers: FormAnswers, question: Question, value: unknown): FormAnswers {
  return { ...answers, content: withValue(answers.content, question, value) };
}

/** The answers in which a question is open again. */
export function reopened(answers: FormAnswers, names: readonly QuestionName[]): FormAnswers {
  const stays = (name: QuestionName): boolean => !names.includes(name);
  return { ...answers, asked: answers.asked.filter(stays), given: answers.given.filter(stays) };
}

/** What a question is answered with at present; undefined where it is not. */
export function answerTo(content: JobUpdate, { asked, field }: Question): unknown {
  if (asked.as !== 'qualifications') return content[field] ?? undefined;
  return (content.qualifications ?? []).filter(({ kind }) => kind === asked.kind);
}

/** The content with another answer to one question; the qualifications of the other kind stay. */
function withValue(content: JobUpdate, { asked, field }: Question, value: unknown): JobUpdate {
  if (asked.as !== 'qualifications') return { ...content, [field]: value };
  const others = (content.qualifications ?? []).filter(({ kind }) => kind !== asked.kind);
  const these = value as QualificationInput[];
  const all = asked.kind === 'REQUIRED' ? [...these, ...others] : [...others, ...these];
  return {
    ...content,
    qualifications: all.map((qualification, index) => ({ ...qualification, order: index + 1 })),
  };
}

function holds(content: JobUpdate, question: Question): boolean {
  const value = answerTo(content, question);
  return Array.isArray(value)
    ? value.length > 0
    : value !== undefined && value !== EMPTY_CONTENT[question.field];
}

/** What somebody typed, as the contract has it, or what is wrong with it and what to write. */
export type Understood = { readonly value: unknown } | { readonly wrong: string };

/**
 * A line as the answer to a question, checked by the contract's schema and rules and, where it may be at odds with
 * another answer, by the gate.
 */
export function understood(question: Question, line: string, content: JobUpdate, limits: Limits): Understood {
  const { asked } = question;
  if (asked.as === 'line' && asked.takes !== 'text') {
    const amount = parseDollars(line, asked.takes);
    if ('problem' in amount) return { wrong: `${amount.problem}; ${amount.hint}` };
    return checkedValue(question, amount.value, content, limits);
  }
  return checkedValue(question, asked.as === 'block' ? line : line.trim(), content, limits);
}

function checkedValue(question: Question, value: unknown, content: JobUpdate, limits: Limits): Understood {
  const wrong = wrongWith(question, value, content, limits);
  return wrong === undefined ? { value } : { wrong };
}

/** What is wrong with a value as the answer to a question, in the contract's words; undefined where nothing is. */
export function wrongWith(
  question: Question,
  value: unknown,
  content: JobUpdate,
  limits: Limits,
): string | undefined {
  const { field, against, atOdds } = question;
  const next = withValue(content, question, value);
  const checked = checkJobUpdate({ [field]: next[field] }, limits);
  const odds = draftWarnings(whole(next)).filter(({ path }) => path[0] === against);
  if (!checked.ok) return checked.problems.map(inWords).join('; ');
  return odds.length === 0 ? undefined : (atOdds?.(whole(content)) ?? odds.map(inWords).join('; '));
}

function inWords({ message, hint }: Problem): string {
  return hint === undefined ? message : `${message}; ${hint}`;
}

/**
 * The listing that the answers make, without what is empty and without what was asked and, after another answer, does
 * not bear on it any more.
 */
export function listingOf({ content, given }: FormAnswers): JobUpdate {
  const listing = whole(content);
  const dropped = QUESTIONS.filter(
    (question: Question) => !given.includes(question.name) && !applies(question, listing),
  ).map(({ field }): string => field);
  const filled = CONTENT_FIELDS.filter((field) => !dropped.includes(field) && !isEmpty(content[field]));
  return Object.fromEntries(filled.map((field) => [field, content[field]]));
}

function isEmpty(value: unknown): boolean {
  return (
    value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
  );
}

/** What keeps the listing from going live. */
export function gapsOf(content: JobUpdate): Problem[] {
  return completenessGaps(whole(content));
}

/** The questions that fill the gaps of a listing. */
export function questionsOfGaps(content: JobUpdate): QuestionName[] {
  const fields = gapsOf(content).map(({ path: [field] }) => field);
  return QUESTIONS.filter(({ field, name }) => fields.includes(field) && name !== 'desired').map(
    ({ name }) => name,
  );
}

/** The fields of a listing that are not what they were. */
export function changesBetween(before: JobUpdate, after: JobUpdate): JobUpdate {
  const [old, fresh] = [whole(before), whole(after)];
  const changed = CONTENT_FIELDS.filter(
    (field) => JSON.stringify(old[field]) !== JSON.stringify(fresh[field]),
  );
  return Object.fromEntries(changed.map((field) => [field, fresh[field]]));
}

function whole(content: JobUpdate): JobContent {
  const filled = Object.entries(content).filter(([, value]) => value !== undefined);
  return { ...EMPTY_CONTENT, ...Object.fromEntries(filled) };
}

/** Answers as they were kept in a file; undefined where they are none. */
export function keptAnswers(value: unknown): FormAnswers | undefined {
  const { content, given, asked } = (value ?? {}) as Partial<FormAnswers>;
  // Not under the target's limits: those may be another server's by now, and every answer is checked again when sent.
  const checked = checkJobUpdate(content, NO_LIMITS);
  return checked.ok && areNames(given) && areNames(asked)
    ? { content: checked.value, given, asked }
    : undefined;
}

function areNames(value: unknown): value is QuestionName[] {
  return Array.isArray(value) && value.every((name) => QUESTIONS.some((question) => question.name === name));
}
