import { type ApplicationInput, answerFault, type Basics } from '../../contract/application.ts';
import { checkApplicationInput } from '../../contract/check.ts';
import type { Job } from '../../contract/job.ts';
import type { Problem } from '../../contract/problems.ts';
import type { AnswerFormat } from '../../contract/values.ts';
import { alike, named, problemAt, unclearName } from './named.ts';

export type Asks = Pick<Job, 'questions' | 'qualifications'>;
type Question = Asks['questions'][number];

export interface ApplicantFlags {
  readonly basics: Partial<Basics>;
  /** `PROMPT=VALUE` each. */
  readonly answers: readonly string[];
  /** `all`, `none`, or the texts of qualifications. */
  readonly meets: readonly string[];
}

/** A file that an application names: where in the application, and its path. */
export interface NamedFile {
  readonly at: readonly ['resume'] | readonly ['answers', string];
  readonly path: string;
}

/** An applicant's application, complete but for the files: where one belongs stands its path. */
export interface GivenApplicant {
  readonly application: Partial<ApplicationInput> & { readonly answers: Record<string, unknown> };
  readonly files: readonly NamedFile[];
  readonly problems: readonly Problem[];
}

/** An uploaded file is named as it is: it was sent before. */
const FILE_ID = /^fil_[0-9A-Za-z]{20}$/;

/**
 * The application that a file's value and flags make, where a flag wins. Questions and qualifications may be named by
 * their texts. `pathIn` resolves a path that the file names.
 */
export function applicantGiven(
  value: Readonly<Record<string, unknown>>,
  { basics, answers, meets }: ApplicantFlags,
  asks: Asks,
  pathIn: (path: string) => string,
): GivenApplicant {
  const { $schema: _, answers: fileAnswers, meets: fileMeets, ...fileBasics } = value;
  const problems: Problem[] = [];
  const given = {
    ...answersOfFile(fileAnswers, asks.questions, pathIn, problems),
    ...answersOfFlags(answers, asks.questions, problems),
  };
  const met = metOf(meets.length > 0 ? meets : fileMeets, asks.qualifications, problems);
  const resume = typeof fileBasics.resume === 'string' ? pathOf(fileBasics.resume, pathIn) : undefined;
  const application = {
    ...fileBasics,
    ...(resume !== undefined && { resume }),
    ...basics,
    answers: given,
    meets: met,
  } as GivenApplicant['application'];
  return {
    application,
    files: namedFiles(application, asks),
    problems: [...problems, ...faults(application, asks)],
  };
}

/** What the contract finds wrong. An answer is named by its place among the questions: ids say nothing to people. */
function faults(application: GivenApplicant['application'], { questions }: Asks): Problem[] {
  const checked = checkApplicationInput(application);
  return [
    ...(checked.ok ? [] : checked.problems.map(withFlag)),
    ...questions.flatMap((question, index) => {
      const fault = answerFault(question, application.answers);
      const path = ['answers', index];
      const name = named(question.prompt, questions, promptOf).length === 1 ? question.prompt : question.id;
      const hint = `--answer ${JSON.stringify(`${name}=${VALUES[question.answerFormat]}`)}`;
      return fault === undefined ? [] : [{ path, kind: 'invalid' as const, message: fault, hint }];
    }),
  ];
}

const VALUES: Readonly<Record<AnswerFormat, string>> = {
  TEXT: 'TEXT',
  TEXTAREA: 'TEXT',
  SINGLE_SELECT: 'OPTION',
  MULTI_SELECT: 'OPTION, OPTION',
  NUMBER: 'NUMBER',
  FILE: 'FILE',
  DATE: 'YYYY-MM-DD',
  SINGLE_CHECKBOX: 'yes or no',
};

const BASIC_FLAGS: Readonly<Record<keyof Basics, string>> = {
  firstName: '--first-name TEXT',
  lastName: '--last-name TEXT',
  email: '--email ADDRESS',
  phone: '--phone NUMBER',
  location: '--location TEXT',
  resume: '--resume FILE',
};

function withFlag(problem: Problem): Problem {
  const [field = ''] = problem.path;
  if (problem.hint !== undefined || !Object.hasOwn(BASIC_FLAGS, field)) return problem;
  return { ...problem, hint: BASIC_FLAGS[field as keyof Basics] };
}

function namedFiles({ resume, answers }: GivenApplicant['application'], { questions }: Asks): NamedFile[] {
  const files: NamedFile[] = typeof resume === 'string' ? [{ at: ['resume'], path: resume }] : [];
  for (const { id, answerFormat } of questions) {
    const path = answers[id];
    if (answerFormat === 'FILE' && typeof path === 'string') files.push({ at: ['answers', id], path });
  }
  return files.filter(({ path }) => !FILE_ID.test(path));
}

function answersOfFile(
  value: unknown,
  questions: Asks['questions'],
  pathIn: (path: string) => string,
  problems: Problem[],
): Record<string, unknown> {
  if (value === undefined) return {};
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    problems.push(problemAt(['answers'], 'must be an object: a prompt or an id, then the answer'));
    return {};
  }
  const answers: Record<string, unknown> = {};
  for (const [name, answer] of Object.entries(value)) {
    const question = questionOf(name, questions, problems);
    if (question === undefined) continue;
    const isFile = question.answerFormat === 'FILE' && typeof answer === 'string';
    answers[question.id] = isFile ? pathOf(answer, pathIn) : answer;
  }
  return answers;
}

function pathOf(given: string, pathIn: (path: string) => string): string {
  return given === '' || FILE_ID.test(given) ? given : pathIn(given);
}

/** Several answers to one question are several options. */
function answersOfFlags(
  given: readonly string[],
  questions: Asks['questions'],
  problems: Problem[],
): Record<string, unknown> {
  const texts = new Map<Question, string[]>();
  for (const text of given) {
    const [name, answer] = taken(text, questions);
    if (answer === undefined) {
      problems.push(problemAt(['answers', name], 'has no answer', 'write it as --answer "PROMPT=VALUE"'));
      continue;
    }
    const question = questionOf(name, questions, problems);
    if (question !== undefined) texts.set(question, [...(texts.get(question) ?? []), answer]);
  }
  return Object.fromEntries([...texts].map(([question, all]) => [question.id, answerOf(question, all)]));
}

/** `PROMPT=VALUE` in its two parts: a prompt may have a `=` of its own. */
function taken(text: string, questions: Asks['questions']): [name: string, answer: string | undefined] {
  const ends = [...text.matchAll(/=/g)].map(({ index }) => index);
  const end =
    ends.find((at) => questions.some(({ prompt }) => prompt === text.slice(0, at))) ??
    ends.find((at) => named(text.slice(0, at), questions, promptOf).length > 0) ??
    ends[0];
  return end === undefined ? [text, undefined] : [text.slice(0, end), text.slice(end + 1)];
}

/** What a text means as an answer; as it was where it means none, which the contract then says. */
function answerOf({ answerFormat, options = [] }: Question, given: readonly string[]): unknown {
  const last = (given.at(-1) ?? '').trim();
  const optionOf = (text: string): string => {
    const [option, another] = alike(text, options, String);
    return option !== undefined && another === undefined ? option : text.trim();
  };
  switch (answerFormat) {
    case 'NUMBER':
      return /^[+-]?(?:\d+\.?\d*|\.\d+)$/.test(last) ? Number(last) : last;
    case 'SINGLE_CHECKBOX':
      return /^(?:yes|y|true)$/i.test(last) ? true : /^(?:no|n|false)$/i.test(last) ? false : last;
    case 'SINGLE_SELECT':
      return optionOf(last);
    case 'MULTI_SELECT':
      return given.flatMap((text) =>
        options.includes(optionOf(text)) ? [optionOf(text)] : text.split(',').map(optionOf),
      );
    default:
      return given.at(-1);
  }
}

function questionOf(name: string, questions: Asks['questions'], problems: Problem[]): Question | undefined {
  const found = named(name, questions, promptOf);
  if (found.length === 1) return found[0];
  problems.push(unclearName(['answers', name], 'question', found, questions.map(promptOf)));
  return undefined;
}

function metOf(value: unknown, qualifications: Asks['qualifications'], problems: Problem[]): string[] {
  const given: readonly unknown[] = Array.isArray(value) ? value : value === undefined ? [] : [value];
  const texts = qualifications.map(({ text }) => text);
  return given.flatMap((name) => {
    if (typeof name !== 'string') {
      problems.push(problemAt(['meets'], 'must be all, none, or the texts of qualifications'));
      return [];
    }
    const found = named(name, qualifications, ({ text }) => text);
    if (found.length === 1 && found[0]) return [found[0].id];
    if (/^(?:all|none)$/i.test(name)) return /^all$/i.test(name) ? qualifications.map(({ id }) => id) : [];
    problems.push(unclearName(['meets', name], 'qualification', found, texts));
    return [];
  });
}

function promptOf({ prompt }: Question): string {
  return prompt;
}
