import * as z from 'zod';
import { joinTexts } from '../text/words.ts';
import { type Checked, checkValue, textProblems } from './check.ts';
import type { Job } from './job.ts';
import { clipText, createProblem, type Problem } from './problems.ts';
import { parseTime } from './time.ts';
import { type AnswerFormat, LIMITS } from './values.ts';

const BASIC_CHARACTERS = 254;

/** Invisible characters make two addresses look identical. */
export const UNSEEN = /[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800]/gu;

/** Local part and domain of an email address. The local part follows RFC 5322, 3.2.3. */
const LOCAL_AND_DOMAIN = /^([^\s"(),:;<>@[\]\\]+)@([^\s"(),:;<>@[\]\\/?#%]+?)\.?$/;

/** The last label must not be a number, as it is in an IP address. */
const DOMAIN_NAME = /^(?:[^.]+\.)+(?!\d+$)[^.]+$/;

/** Normalizes an address to the form that is stored and compared: NFKC, lower case, domain in ASCII (UTS 46). */
export function readEmail(text: string): { readonly address: string } | { readonly fault: string } {
  const unseen = text.match(UNSEEN)?.[0]?.codePointAt(0);
  if (unseen !== undefined) {
    const codePoint = unseen.toString(16).toUpperCase().padStart(4, '0');
    return { fault: `must not contain invisible or control characters, got U+${codePoint}` };
  }
  // Normalizes twice, because lower-casing can decompose a letter.
  const folded = text.normalize('NFKC').toLowerCase().normalize('NFKC').trim();
  const [, local, domain] = LOCAL_AND_DOMAIN.exec(folded) ?? [];
  // Newer versions of Node check Punycode only if another label isn't ASCII.
  const isHost = [domain, `ü.${domain}`].every((name) => URL.canParse(`http://${name}`));
  const host = isHost ? new URL(`http://${domain}`).hostname : '';
  if (local === undefined || !DOMAIN_NAME.test(host)) {
    return { fault: 'must be an email address' };
  }
  // Greek has two lower-case sigmas but one upper-case sigma, so `σας` and `σασ` are the same address.
  const address = `${local.replace(/[σς]/g, 'Σ').toLowerCase()}@${host}`;
  return address.length > BASIC_CHARACTERS
    ? { fault: `must be at most ${BASIC_CHARACTERS} characters, got ${address.length}` }
    : { address };
}

const LONG_ANSWER_CHARACTERS = 20_000;

const basic = () =>
  z.string().max(BASIC_CHARACTERS, { abort: true }).regex(/\S/, { error: 'must not be empty' });

/** Only the bundled engine accepts applications. The specification has no such request. */
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
  location: basic().describe('Where the candidate lives (free text)'),
  resume: basic().describe('File ID of an uploaded resume'),
  answers: z.record(z.string(), z.unknown()).optional().describe('Answers by question ID'),
  meets: z.array(z.string()).max(LIMITS.arrayEntries).optional().describe('IDs of the qualifications met'),
});

export type ApplicationInput = z.infer<typeof ApplicationInputSchema>;
export function checkApplicationInput(value: unknown): Checked<ApplicationInput> {
  return checkValue(ApplicationInputSchema, value, textProblems);
}

export type AnswerValue = string | number | boolean | readonly string[];

type Question = Job['questions'][number];

const ANSWER_RULES: Readonly<
  Record<AnswerFormat, (answer: unknown, question: Question) => string | undefined>
> = {
  TEXT: (answer) => textFault(answer, LIMITS.textCharacters),
  TEXTAREA: (answer) => textFault(answer, LONG_ANSWER_CHARACTERS),
  SINGLE_SELECT: (answer, { options = [] }) =>
    options.some((option) => option === answer) ? undefined : `must be one of ${formatOptions(options)}`,
  MULTI_SELECT: (answer, { options = [] }) =>
    areDistinctOptions(answer, options)
      ? undefined
      : `must be one or more of ${formatOptions(options)}, without repeats`,
  NUMBER: (answer) => (Number.isFinite(answer) ? undefined : 'must be a number'),
  FILE: (answer) => (isFilled(answer) ? undefined : 'must be the fileId of an uploaded file'),
  DATE: (answer) => (isDate(answer) ? undefined : 'must be a date, such as 2026-03-31'),
  SINGLE_CHECKBOX: (answer) => (typeof answer === 'boolean' ? undefined : 'must be true or false'),
};

const LISTED_OPTIONS = 20;
const LISTED_CHARACTERS = 80;

function formatOptions(options: readonly string[]): string {
  const named = options.map((option) => clipText(option, LISTED_CHARACTERS));
  return joinTexts(named, LISTED_OPTIONS);
}

export function findAnswerProblems(
  { answers = {}, meets = [] }: Pick<ApplicationInput, 'answers' | 'meets'>,
  { questions, qualifications }: Pick<Job, 'questions' | 'qualifications'>,
): Problem[] {
  const asked = new Set(questions.map(({ id }) => id));
  const offered = new Set(qualifications.map(({ id }) => id));
  const unasked = Object.keys(answers).filter((id) => !asked.has(id));
  return [
    ...questions.flatMap((question) => {
      const fault = findAnswerFault(question, answers);
      const prompt = JSON.stringify(clipText(question.prompt, LISTED_CHARACTERS));
      return fault === undefined ? [] : [createProblem(['answers', question.id], `${fault} (${prompt})`)];
    }),
    ...unasked.map((id) => createProblem(['answers', id], "isn't the ID of a question of this job")),
    ...meets.flatMap((id, index) =>
      offered.has(id) ? [] : [createProblem(['meets', index], "isn't the ID of a qualification of this job")],
    ),
  ];
}

export function findAnswerFault(question: Question, answers: Readonly<Record<string, unknown>>) {
  const { id, answerFormat } = question;
  return Object.hasOwn(answers, id) ? ANSWER_RULES[answerFormat](answers[id], question) : 'is required';
}

export function getAnswers(questions: Job['questions'], { answers = {} }: ApplicationInput) {
  return questions.map(({ id }) => ({ questionId: id, answer: answers[id] as AnswerValue }));
}

/** Employers pay only for candidates who meet every REQUIRED qualification. */
export function isQualified(
  { meets = [] }: Pick<ApplicationInput, 'meets'>,
  qualifications: Job['qualifications'],
): boolean {
  return qualifications.every(({ id, kind }) => kind !== 'REQUIRED' || meets.includes(id));
}

function textFault(answer: unknown, charactersMax: number): string | undefined {
  if (!isFilled(answer)) return 'must be a non-empty string';
  return answer.length > charactersMax
    ? `must be at most ${charactersMax} characters, got ${answer.length}`
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
