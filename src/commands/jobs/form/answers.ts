import { checkJobUpdate } from '../../../contract/check.ts';
import { CONTENT_FIELDS, type JobContent, type JobUpdate } from '../../../contract/job.ts';
import {
  type FieldKind,
  type FieldQuestion,
  indexFieldParts,
  type QuestionName,
} from '../../../contract/job-fields.ts';
import { isEmpty, type Limits } from '../../../contract/values.ts';
import { formatDollars, parseAmounts, parseDollars } from '../../../contract/words.ts';
import { findFlag } from '../../../listings/flag-values.ts';
import { listGaps, wholeContent } from '../job-checks.ts';

export interface Question extends Omit<FieldQuestion, 'words'> {
  readonly name: QuestionName;
  readonly question: string;
  readonly field: keyof JobContent;
  readonly kind: FieldKind;
  readonly flag: string;
  readonly applies?: ((listing: JobContent) => boolean) | undefined;
}

const ORDER = [
  ...(['title', 'description', 'remoteOption', 'remoteCountry', 'locations', 'jobType', 'jobLevel'] as const),
  ...(['salaryPeriod', 'salaryMin', 'salaryMax', 'bid', 'required', 'desired'] as const),
  ...(['questions', 'budgets', 'opportunityId', 'atsJobUrl'] as const),
];

const APPLIES: { readonly [Name in QuestionName]?: Question['applies'] } = {
  remoteCountry: ({ remoteOption }) => remoteOption === 'REMOTE',
  locations: ({ remoteOption }) => remoteOption === 'HYBRID' || remoteOption === 'IN_PERSON',
  salaryMin: ({ salaryPeriod }) => salaryPeriod !== null,
  salaryMax: ({ salaryMin }) => salaryMin !== null,
};

const WRITTEN = indexFieldParts('questions');

export const QUESTIONS = ORDER.map((name): Question => {
  const { words: question, ...more } = WRITTEN[name];
  const field = more.field as Question['field'];
  const why = [more.why, more.isNeeded ? 'required to publish' : undefined].filter(Boolean).join(' · ');
  const flag = findFlag(field)?.split(' ')[0] ?? '';
  return { flag, ...more, name, field, question, why, applies: APPLIES[name] };
});

export function qualificationKind({ name }: Question) {
  return name === 'required' ? 'REQUIRED' : name === 'desired' ? 'DESIRED' : undefined;
}

export function describePassed({ isNeeded }: Question): string {
  return isNeeded ? 'skipped for now (required to publish)' : 'skipped';
}

export interface FormAnswers {
  readonly content: JobUpdate;
  /** Questions answered by flags or a file. The form skips them. */
  readonly given: readonly QuestionName[];
  readonly asked: readonly QuestionName[];
}

export const NO_ANSWERS: FormAnswers = { content: {}, given: [], asked: [] };

/** Flags and files override earlier answers. */
export function withGiven(answers: FormAnswers, given: JobUpdate): FormAnswers {
  const names = QUESTIONS.filter((question) => !isEmpty(getAnswer(given, question))).map(({ name }) => name);
  return {
    content: { ...answers.content, ...given },
    given: [...new Set([...answers.given, ...names])],
    asked: answers.asked.filter((name) => !names.includes(name)),
  };
}

export function nextQuestion({ content, given, asked }: FormAnswers): Question | undefined {
  return listQuestions(content).find(({ name }) => !given.includes(name) && !asked.includes(name));
}

/** Without `question`, returns the last question that was asked. */
export function findPreviousQuestion({ content, asked }: FormAnswers, question?: Question) {
  const end = question === undefined ? QUESTIONS.length : QUESTIONS.indexOf(question);
  return listQuestions(content).findLast(
    (other) => QUESTIONS.indexOf(other) < end && asked.includes(other.name),
  );
}

export function listQuestions(content: JobUpdate): Question[] {
  const listing = wholeContent(content);
  return QUESTIONS.filter(({ applies }) => applies?.(listing) ?? true);
}

/** An undefined `value` skips the question and leaves its field unchanged. */
export function withAnswer(answers: FormAnswers, question: Question, value: unknown): FormAnswers {
  const others = answers.asked.filter((name) => name !== question.name);
  const answered = value === undefined ? answers : withPart(answers, question, value);
  const both = isRange(question, value) ? (['salaryMax'] as const) : [];
  return { ...answered, asked: [...others, question.name, ...both] };
}

export function withPart(answers: FormAnswers, question: Question, value: unknown): FormAnswers {
  return { ...answers, content: withValue(answers.content, question, value) };
}

export function reopenQuestions(answers: FormAnswers, names: readonly QuestionName[]): FormAnswers {
  const stays = (name: QuestionName): boolean => !names.includes(name);
  return { ...answers, asked: answers.asked.filter(stays), given: answers.given.filter(stays) };
}

export function getAnswer(content: JobUpdate, question: Question): unknown {
  const asked = qualificationKind(question);
  if (asked === undefined) return content[question.field] ?? undefined;
  return (content.qualifications ?? []).filter(({ kind }) => kind === asked);
}

function isRange({ name }: Question, value: unknown): value is readonly [number, number] {
  return name === 'salaryMin' && Array.isArray(value);
}

/** Sets a field to the answer. For qualifications, keeps those of the other kind. */
function withValue(content: JobUpdate, question: Question, value: unknown): JobUpdate {
  const asked = qualificationKind(question);
  if (isRange(question, value)) return { ...content, salaryMin: value[0], salaryMax: value[1] };
  if (asked === undefined) return { ...content, [question.field]: value };
  const others = (content.qualifications ?? []).filter(({ kind }) => kind !== asked);
  const these = value as typeof others;
  const all = asked === 'REQUIRED' ? [...these, ...others] : [...others, ...these];
  return {
    ...content,
    qualifications: all.map((qualification, index) => ({ ...qualification, order: index + 1 })),
  };
}

const RANGE = /^\$?\d[\d,.]*k? ?(?:[-–—]|to\b) ?\$?\d[\d,.]*k?$/i;

/** Parses a typed line. A pay range such as `$42-71` answers both ends. Returns its value or a message about the problem. */
export function parseAnswerLine(
  { kind, name }: Question,
  line: string,
  findProblem: (value: unknown) => string | undefined,
): { readonly value?: unknown; readonly wrong?: string } {
  const isAmount = kind === 'dollars' || kind === 'cents';
  const [low, high] = name === 'salaryMin' && RANGE.test(line.trim()) ? parseAmounts(line) : [];
  const typed = isAmount ? parseDollars(line, kind) : { value: line.trim() };
  const read = low === undefined || high === undefined ? typed : { value: [low, high] };
  if ('problem' in read) return { wrong: `${read.problem}; ${read.hint}` };
  const wrong = findProblem(read.value);
  return wrong === undefined ? read : { wrong };
}

export function findAnswerProblem(question: Question, value: unknown, content: JobUpdate, limits: Limits) {
  const { field } = question;
  const next = withValue(content, question, value);
  const [low, high] = isRange(question, value) ? value : [];
  const both = high === undefined ? {} : { salaryMax: high };
  const checked = checkJobUpdate({ [field]: next[field], ...both }, limits);
  if (!checked.ok)
    return checked.problems.map(({ message, hint }) => (hint ? `${message}; ${hint}` : message)).join('; ');
  if (low !== undefined && high !== undefined && high < low) return 'the first amount must be the lower one';
  const { salaryMin } = content;
  if (field !== 'salaryMax' || !salaryMin || Number(value) >= salaryMin) return undefined;
  return `"Pay up to" is below "Pay from". Enter ${formatDollars(salaryMin)} or more, or go back to change "Pay from"`;
}

/** Excludes empty answers, and prompted answers that no longer apply. */
export function toListing({ content, given }: FormAnswers): JobUpdate {
  const applying = listQuestions(content);
  const answered = QUESTIONS.filter((one) => given.includes(one.name) || applying.includes(one));
  const fields = answered.map(({ field }) => field);
  const filled = CONTENT_FIELDS.filter((field) => fields.includes(field) && !isEmpty(content[field]));
  return Object.fromEntries(filled.map((field) => [field, content[field]]));
}

export function questionsOfGaps(content: JobUpdate): QuestionName[] {
  const fields = listGaps(content).map(({ path: [field] }) => field);
  const needed = QUESTIONS.filter(({ field, isNeeded }) => isNeeded && fields.includes(field));
  return needed.map(({ name }) => name);
}

export function findChanges(before: JobUpdate, after: JobUpdate): JobUpdate {
  const [old, fresh] = [wholeContent(before), wholeContent(after)];
  const changed = CONTENT_FIELDS.filter(
    (field) => JSON.stringify(old[field]) !== JSON.stringify(fresh[field]),
  );
  return Object.fromEntries(changed.map((field) => [field, fresh[field]]));
}
