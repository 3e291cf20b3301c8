import { dirname, resolve } from 'node:path';
import type { Interfaces } from '@oclif/core';
import { numberFlag, repeatableFlag, seedFlag, shareFlag, textFlag } from '../../cli/flags/flag-values.ts';
import { type ApplicationInput, fitProblems } from '../../contract/application.ts';
import { checkApplicationInput } from '../../contract/check.ts';
import { PartnerError } from '../../contract/errors.ts';
import type { Job } from '../../contract/job.ts';
import { nearest } from '../../contract/nearest.ts';
import { fieldsOf, invalid, type Problem } from '../../contract/problems.ts';
import { findingOf, refusal } from '../../listings/check/finding.ts';
import { chunksOf, type Input } from '../../listings/read/bytes.ts';
import { readJson } from '../../listings/read/json.ts';
import { readInput, shownName } from '../../listings/read/read.ts';

const COUNT_MAX = 100_000;

export const givenFlags = {
  'first-name': textFlag('TEXT'),
  'last-name': textFlag('TEXT'),
  email: textFlag('ADDRESS', 'Email address (one application per address and job)'),
  phone: textFlag('NUMBER'),
  location: textFlag('TEXT', 'Location of the candidate (free text)'),
  resume: textFlag('FILE', 'PDF, DOC, DOCX, ODT, RTF or plain text, up to 5 MiB'),
  answer: repeatableFlag('PROMPT=VALUE', 'Answer to a question (a path if it asks for a file)'),
  meets: repeatableFlag('all|none|TEXT', 'Qualifications met; meeting every REQUIRED one qualifies'),
};

export const applicantFlags = {
  ...givenFlags,
  count: numberFlag({
    max: COUNT_MAX,
    exclusive: Object.keys(givenFlags),
    description: `Make up so many applicants, at most ${COUNT_MAX}`,
  }),
  qualified: shareFlag({
    dependsOn: ['count'],
    description: 'With --count, the share of qualified ones, 0 to 1 (default 1): exactly that, rounded',
  }),
  seed: seedFlag({
    dependsOn: ['count'],
    description:
      'With --count, make the same ones up again as with this number; otherwise it is random, and shown',
  }),
};

export type Asks = Pick<Job, 'questions' | 'qualifications'>;
type Question = Asks['questions'][number];

export type ApplicantFlags = Partial<Interfaces.InferredFlags<typeof applicantFlags>>;

/** A file that an application names: the question that it answers, none for the resume, and its path. */
export interface NamedFile {
  readonly questionId: string | undefined;
  readonly path: string;
}

/** An uploaded file is named as it is: it was sent before. */
const FILE_ID = /^fil_[0-9A-Za-z]{20}$/;

/**
 * The application that a file's value and flags make, where a flag wins; where a file belongs it has the path. Questions
 * and qualifications may be named by their texts, in any case. `pathIn` resolves a path that the file names.
 */
export function applicantGiven(
  value: Readonly<Record<string, unknown>>,
  flags: ApplicantFlags,
  { questions, qualifications }: Asks,
  pathIn: (path: string) => string,
) {
  const { $schema: _, answers: fileAnswers, meets: fileMeets = [], ...fileBasics } = value;
  const basics: Record<string, unknown> = fileBasics;
  const problems: Problem[] = [];
  const inFile = (path: unknown) =>
    typeof path === 'string' && path !== '' && !FILE_ID.test(path) ? pathIn(path) : path;
  if (basics.resume !== undefined) basics.resume = inFile(basics.resume);
  for (const [field, flag] of Object.entries(BASIC_FLAGS)) {
    if (flags[flag] !== undefined) basics[field] = flags[flag];
  }
  const questionOf = (name: string) =>
    oneNamed(['answers', name], questions, ({ prompt }) => prompt, problems);
  const answers: Record<string, unknown> = {};
  for (const [name, answer] of Object.entries(fileAnswers ?? {})) {
    const question = questionOf(name);
    if (question) answers[question.id] = question.answerFormat === 'FILE' ? inFile(answer) : answer;
  }
  const texts = new Map<Question, string[]>();
  for (const text of flags.answer ?? []) {
    const name = promptIn(text, questions);
    const question = questionOf(name);
    if (question) texts.set(question, [...(texts.get(question) ?? []), text.slice(name.length + 1)]);
  }
  for (const [question, given] of texts) answers[question.id] = answerOf(question, given);
  const meets = [flags.meets ?? fileMeets].flat().flatMap((name) => {
    if (name === 'all') return qualifications.map(({ id }) => id);
    if (name === 'none') return [];
    return oneNamed(['meets', String(name)], qualifications, ({ text }) => text, problems)?.id ?? [];
  });
  const application = { ...basics, answers, meets } as Partial<ApplicationInput> & {
    answers: typeof answers;
  };
  const checked = checkApplicationInput(application);
  const faults = [
    ...problems,
    ...(checked.ok ? [] : checked.problems),
    ...fitProblems({ answers, meets }, { questions, qualifications }),
  ];
  const fileQuestions = questions.filter(({ answerFormat }) => answerFormat === 'FILE');
  const files = [
    { questionId: undefined, path: basics.resume },
    ...fileQuestions.map(({ id }) => ({ questionId: id, path: answers[id] })),
  ].filter((file): file is NamedFile => typeof file.path === 'string' && !FILE_ID.test(file.path));
  return { application, files, problems: faults };
}

const BASIC_FLAGS = {
  firstName: 'first-name',
  lastName: 'last-name',
  email: 'email',
  phone: 'phone',
  location: 'location',
  resume: 'resume',
} as const;

/** The one with this id or, in any case, this text; where there is none, or several, a problem that says so. */
function oneNamed<T extends { readonly id: string }>(
  path: readonly ['answers' | 'meets', string],
  among: readonly T[],
  textOf: (one: T) => string,
  problems: Problem[],
): T | undefined {
  const [kind, name] = path;
  const byId = among.find(({ id }) => id === name);
  const found = byId ? [byId] : among.filter((one) => textOf(one).toLowerCase() === name.toLowerCase());
  if (found.length === 1) return found[0];
  const noun = kind === 'answers' ? 'question' : 'qualification';
  const near = nearest(name, among.map(textOf));
  const [message, hint] =
    found.length > 0
      ? [
          `is more than one ${noun} of this job`,
          `name it by its id: ${found.map(({ id }) => id).join(' or ')}`,
        ]
      : [`is no ${noun} of this job`, near && `did you mean ${JSON.stringify(near)}?`];
  problems.push({ ...invalid(path, message), ...(hint && { hint }) });
  return undefined;
}

/** The prompt, or the id, of `PROMPT=VALUE`: a prompt may have a `=` of its own. */
function promptIn(text: string, questions: readonly Question[]): string {
  const names = questions.flatMap(({ id, prompt }) => [prompt, id]);
  const isPrompt = (name: string) => text.toLowerCase().startsWith(`${name.toLowerCase()}=`);
  return names.find(isPrompt) ?? text.split('=', 1)[0] ?? text;
}

/** What texts mean as an answer; as they were where they mean none, which the contract then says. */
function answerOf({ answerFormat, options = [] }: Question, given: readonly string[]): unknown {
  const last = given.at(-1)?.trim() ?? '';
  const optionOf = (text: string) =>
    options.find((option) => option.toLowerCase() === text.trim().toLowerCase()) ?? text.trim();
  switch (answerFormat) {
    case 'NUMBER':
      return last === '' || Number.isNaN(Number(last)) ? last : Number(last);
    case 'SINGLE_CHECKBOX':
      return /^(?:yes|true)$/i.test(last) || (/^(?:no|false)$/i.test(last) ? false : last);
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

type PutFile = (name: string, content: Uint8Array) => Promise<{ readonly fileId: string }>;

/** More than any file that is taken: the rest of one need not be read to refuse it. */
const READ_MAX_BYTES = 5 * 1024 * 1024 + 1;

/** The value of an applicant's file, `-` for stdin. Throws FILE_UNREADABLE and FILE_INVALID. */
async function readApplicant(file: string, input: Input): Promise<Readonly<Record<string, unknown>>> {
  const reading = readJson(await readInput(file, input));
  if (!reading.ok) throw refusal([findingOf(reading.fault, { file: shownName(file), index: 0 })]);
  return Object(reading.document.value);
}

/**
 * The application that a file, flags or both make, with its files sent by `put`. Throws VALIDATION_FAILED with everything
 * that is wrong before any file is sent, FILE_UNREADABLE, FILE_INVALID for a refused file, and USAGE where stdin is
 * given twice.
 */
export async function applicationGiven(
  file: string | undefined,
  flags: ApplicantFlags,
  asks: Asks,
  put: PutFile,
  input: Input,
): Promise<ApplicationInput> {
  const value = file === undefined ? {} : await readApplicant(file, input);
  const directory = file === undefined || file === '-' ? '.' : dirname(file);
  const pathIn = (path: string) => resolve(directory, path);
  const { application, files, problems } = applicantGiven(value, flags, asks, pathIn);
  if (problems.length > 0) {
    throw new PartnerError('VALIDATION_FAILED', {
      message: 'the application is not what the job asks for',
      fields: fieldsOf(problems),
    });
  }
  if ([file, ...files.map(({ path }) => path)].filter((path) => path === '-').length > 1) {
    throw new PartnerError('USAGE', {
      message: '`-` is given more than once, and stdin can be read only once',
      hint: 'name the other files by their paths',
    });
  }
  const contents = await Promise.all(files.map(({ path }) => wholeFile(path, input)));
  const sent = { ...application, answers: { ...application.answers } };
  for (const [index, { questionId, path }] of files.entries()) {
    const fileId = await sentFile(path, contents[index] ?? new Uint8Array(), put);
    if (questionId === undefined) sent.resume = fileId;
    else sent.answers[questionId] = fileId;
  }
  return sent as ApplicationInput;
}

async function wholeFile(path: string, input: Input): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunksOf(path, input)) {
    chunks.push(Buffer.from(chunk));
    bytes += chunk.length;
    if (bytes >= READ_MAX_BYTES) break;
  }
  return Buffer.concat(chunks);
}

/** A refusal names the path: there may be several files. */
async function sentFile(path: string, content: Uint8Array, put: PutFile): Promise<string> {
  try {
    return (await put(path, content)).fileId;
  } catch (error) {
    const isOfTheFile =
      error instanceof PartnerError &&
      ['VALIDATION_FAILED', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'].includes(error.code);
    if (!isOfTheFile) throw error;
    const { message, fields, hint } = error;
    throw new PartnerError('FILE_INVALID', {
      message: `${shownName(path)}: ${fields?.body ?? message}`,
      hint,
      cause: error,
    });
  }
}
