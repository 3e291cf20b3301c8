import { isEmpty } from '../../../cli/job-input.ts';
import { checkJobUpdate } from '../../../contract/check.ts';
import { CONTENT_FIELDS, type JobUpdate, type QualificationInput } from '../../../contract/job.ts';
import type { Limits } from '../../../contract/values.ts';
import { formatDollars, parseDollars } from '../../../contract/words.ts';
import { gapsOf, wholeContent } from '../job-gaps.ts';
import { QUESTIONS, type Question, type QuestionName } from './questions.ts';

export interface FormAnswers {
  readonly content: JobUpdate;
  /** What flags or a file have answered: it is not asked. */
  readonly given: readonly QuestionName[];
  readonly asked: readonly QuestionName[];
}

export const NO_ANSWERS: FormAnswers = { content: {}, given: [], asked: [] };

/** The answers with what flags or a file give, which wins over what was answered before. */
export function withGiven(answers: FormAnswers, given: JobUpdate): FormAnswers {
  const names = QUESTIONS.filter((question) => !isEmpty(answerTo(given, question))).map(({ name }) => name);
  return {
    content: { ...answers.content, ...given },
    given: [...new Set([...answers.given, ...names])],
    asked: answers.asked.filter((name) => !names.includes(name)),
  };
}

export function nextQuestion({ content, given, asked }: FormAnswers): Question | undefined {
  return questionsFor(content).find(({ name }) => !given.includes(name) && !asked.includes(name));
}

/** The question that was asked before another one, in the form's order; the last of all without one. */
export function questionBefore({ content, asked }: FormAnswers, question?: Question): Question | undefined {
  const end = question === undefined ? QUESTIONS.length : QUESTIONS.indexOf(question);
  return questionsFor(content).findLast(
    (other) => QUESTIONS.indexOf(other) < end && asked.includes(other.name),
  );
}

export function questionsFor(content: JobUpdate): Question[] {
  const listing = wholeContent(content);
  return QUESTIONS.filter(({ applies }) => applies?.(listing) ?? true);
}

/** The answers with one more; an undefined value leaves the question passed over, and its field as it was. */
export function withAnswer(answers: FormAnswers, question: Question, value: unknown): FormAnswers {
  const others = answers.asked.filter((name) => name !== question.name);
  const answered = value === undefined ? answers : withPart(answers, question, value);
  return { ...answered, asked: [...others, question.name] };
}

export function withPart(answers: FormAnswers, question: Question, value: unknown): FormAnswers {
  return { ...answers, content: withValue(answers.content, question, value) };
}

export function reopened(answers: FormAnswers, names: readonly QuestionName[]): FormAnswers {
  const stays = (name: QuestionName): boolean => !names.includes(name);
  return { ...answers, asked: answers.asked.filter(stays), given: answers.given.filter(stays) };
}

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

export function understood(question: Question, line: string, content: JobUpdate, limits: Limits) {
  const { asked } = question;
  let value: unknown = line.trim();
  if (asked.as === 'line' && asked.takes !== 'text') {
    const amount = parseDollars(line, asked.takes);
    if ('problem' in amount) return { wrong: `${amount.problem}; ${amount.hint}` };
    value = amount.value;
  }
  const wrong = wrongWith(question, value, content, limits);
  return wrong === undefined ? { value } : { wrong };
}

/** What is wrong with a value as the answer to a question; undefined where nothing is. */
export function wrongWith(question: Question, value: unknown, content: JobUpdate, limits: Limits) {
  const { field } = question;
  const next = withValue(content, question, value);
  const checked = checkJobUpdate({ [field]: next[field] }, limits);
  if (!checked.ok)
    return checked.problems.map(({ message, hint }) => (hint ? `${message}; ${hint}` : message)).join('; ');
  const { salaryMin } = content;
  if (field !== 'salaryMax' || !salaryMin || Number(value) >= salaryMin) return undefined;
  return `"Pay up to" is below "Pay from": write ${formatDollars(salaryMin)} or more, or go back to change that`;
}

/** The listing that the answers make, without what is empty or does not apply any more after another answer. */
export function listingOf({ content, given }: FormAnswers): JobUpdate {
  const applying = questionsFor(content);
  const fields = QUESTIONS.filter(
    (question) => given.includes(question.name) || applying.includes(question),
  ).map(({ field }) => field);
  const filled = CONTENT_FIELDS.filter((field) => fields.includes(field) && !isEmpty(content[field]));
  return Object.fromEntries(filled.map((field) => [field, content[field]]));
}

export function questionsOfGaps(content: JobUpdate): QuestionName[] {
  const fields = gapsOf(content).map(({ path: [field] }) => field);
  return QUESTIONS.filter(({ field, isNeeded }) => isNeeded && fields.includes(field)).map(
    ({ name }) => name,
  );
}

export function changesBetween(before: JobUpdate, after: JobUpdate): JobUpdate {
  const [old, fresh] = [wholeContent(before), wholeContent(after)];
  const changed = CONTENT_FIELDS.filter(
    (field) => JSON.stringify(old[field]) !== JSON.stringify(fresh[field]),
  );
  return Object.fromEntries(changed.map((field) => [field, fresh[field]]));
}
