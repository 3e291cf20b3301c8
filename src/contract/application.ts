import * as z from 'zod';
import type { Job } from './job.ts';
import { clipped, invalid, type Problem } from './problems.ts';
import { parseTime } from './time.ts';
import { type AnswerFormat, LIMITS } from './values.ts';

/** The longest email address that there can be. */
const BASIC_CHARACTERS = 254;

/** They make addresses look alike. */
export const UNSEEN = /[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800]/gu;

/** RFC 5322, 3.2.3. */
const LOCAL_AND_DOMAIN = /^([^\s"(),:;<>@[\]\\]+)@([^\s"(),:;<>@[\]\\/?#%]+?)\.?$/;

/** The last label is no number, as in an IP address. */
const DOMAIN_NAME = /^(?:[^.]+\.)+(?!\d+$)[^.]+$/;

/** The one form in which an address is stored and compared: NFKC and lower case, its domain in ASCII (UTS 46). */
export function readEmail(text: string): { readonly address: string } | { readonly fault: string } {
  const unseen = text.match(UNSEEN)?.[0]?.codePointAt(0);
  if (unseen !== undefined) {
    const codePoint = unseen.toString(16).toUpperCase().padStart(4, '0');
    return { fault: `must have no invisible or control characters: U+${codePoint}` };
  }
  // Lower case may take a composed letter apart.
  const folded = text.normalize('NFKC').toLowerCase().normalize('NFKC').trim();
  const [, local, domain] = LOCAL_AND_DOMAIN.exec(folded) ?? [];
  const url = `http://${domain}`;
  const host = domain !== undefined && URL.canParse(url) ? new URL(url).hostname : '';
  if (local === undefined || !DOMAIN_NAME.test(host)) {
    return { fault: 'must be an email address' };
  }
  // Upper case has one sigma, and so must the two of lower case: σας and σασ are one.
  const address = `${local.replace(/[σς]/g, 'Σ').toLowerCase()}@${host}`;
  return address.length > BASIC_CHARACTERS
    ? { fault: `has ${address.length} characters; at most ${BASIC_CHARACTERS}` }
    : { address };
}

const LONG_ANSWER_CHARACTERS = 20_000;

const basic = () =>
  z.string().max(BASIC_CHARACTERS, { abort: true }).regex(/\S/, { error: 'must not be empty' });

/** The service shows no such request: it is our engine's candidate side. */
export const ApplicationInputSchema = z.strictObject({
  firstName: basic(),
  lastName: basic(),
  email: basic().transform((text, context) => {
    const read = readEmail(text);
    if ('address' in read) return read.address;
    context.addIssue({ code: 'custom', message: read.fault });
    return z.NEVER;
  }),
  phone: basic().regex(/^(?=(?:\D*\d){3})[+()\d][\d\s().\-/+]{3,}(?:(?:x|ext\.?)\s*\d+)?$/i, {
    error: 'must be a phone number',
  }),
  location: basic().describe('Where the candidate lives: any text'),
  resume: basic().describe('The fileId of an uploaded file'),
  answers: z.record(z.string(), z.unknown()).optional().describe('By the id of the question'),
  meets: z.array(z.string()).max(LIMITS.arrayEntries).optional().describe('Ids of qualifications'),
});

export type ApplicationInput = z.infer<typeof ApplicationInputSchema>;
export type Basics = Omit<ApplicationInput, 'answers' | 'meets'>;

export type AnswerValue = string | number | boolean | readonly string[];

export interface GivenAnswer {
  readonly questionId: string;
  readonly answer: AnswerValue;
}

type Question = Job['questions'][number];

const ANSWER_RULES: Readonly<
  Record<AnswerFormat, (answer: unknown, question: Question) => string | undefined>
> = {
  TEXT: (answer) => textFault(answer, LIMITS.textCharacters),
  TEXTAREA: (answer) => textFault(answer, LONG_ANSWER_CHARACTERS),
  SINGLE_SELECT: (answer, { options = [] }) =>
    options.some((option) => option === answer) ? undefined : `must be one of: ${listed(options)}`,
  MULTI_SELECT: (answer, { options = [] }) =>
    areDistinctOptions(answer, options)
      ? undefined
      : `must be one or more, each once, of: ${listed(options)}`,
  NUMBER: (answer) => (Number.isFinite(answer) ? undefined : 'must be a number'),
  FILE: (answer) => (isFilled(answer) ? undefined : 'must be the fileId of an uploaded file'),
  DATE: (answer) => (isDate(answer) ? undefined : 'must be a date, as 2026-03-31'),
  SINGLE_CHECKBOX: (answer) => (typeof answer === 'boolean' ? undefined : 'must be true or false'),
};

const LISTED_OPTIONS = 20;
const LISTED_CHARACTERS = 80;

/** A job may have a mebibyte of them. */
function listed(options: readonly string[]): string {
  const named = options.slice(0, LISTED_OPTIONS).map((option) => clipped(option, LISTED_CHARACTERS));
  const more = options.length - named.length;
  return named.join(', ') + (more === 0 ? '' : ` and ${more} more`);
}

export function fitProblems(
  { answers = {}, meets = [] }: Pick<ApplicationInput, 'answers' | 'meets'>,
  { questions, qualifications }: Pick<Job, 'questions' | 'qualifications'>,
): Problem[] {
  const asked = new Set(questions.map(({ id }) => id));
  const offered = new Set(qualifications.map(({ id }) => id));
  const unasked = Object.keys(answers).filter((id) => !asked.has(id));
  return [
    ...questions.flatMap((question) => {
      const fault = answerFault(question, answers);
      const prompt = JSON.stringify(clipped(question.prompt, LISTED_CHARACTERS));
      return fault === undefined ? [] : [invalid(['answers', question.id], `${fault} (${prompt})`)];
    }),
    ...unasked.map((id) => invalid(['answers', id], 'is the id of no question of this job')),
    ...meets.flatMap((id, index) =>
      offered.has(id) ? [] : [invalid(['meets', index], 'is the id of no qualification of this job')],
    ),
  ];
}

export function answerFault(question: Question, answers: Readonly<Record<string, unknown>>) {
  const { id, answerFormat } = question;
  return Object.hasOwn(answers, id) ? ANSWER_RULES[answerFormat](answers[id], question) : 'is required';
}

export function answersTo(
  questions: Job['questions'],
  { answers = {} }: ApplicationInput,
): readonly GivenAnswer[] {
  return questions.map(({ id }) => ({ questionId: id, answer: answers[id] as AnswerValue }));
}

/** Whom an employer pays for: a candidate who meets every REQUIRED qualification. */
export function isQualified(
  { meets = [] }: Pick<ApplicationInput, 'meets'>,
  qualifications: Job['qualifications'],
): boolean {
  return qualifications.every(({ id, kind }) => kind !== 'REQUIRED' || meets.includes(id));
}

function textFault(answer: unknown, charactersMax: number): string | undefined {
  if (!isFilled(answer)) return 'must be a text that is not empty';
  return answer.length > charactersMax
    ? `has ${answer.length} characters; at most ${charactersMax}`
    : undefined;
}

export function isFilled(answer: unknown): answer is string {
  return typeof answer === 'string' && /\S/.test(answer);
}

function areDistinctOptions(answer: unknown, options: readonly string[]): boolean {
  return (
    Array.isArray(answer) &&
    answer.length > 0 &&
    new Set(answer).size === answer.length &&
    answer.every((one) => options.includes(one))
  );
}

function isDate(answer: unknown): boolean {
  return typeof answer === 'string' && answer.length === 10 && parseTime(answer) !== undefined;
}
