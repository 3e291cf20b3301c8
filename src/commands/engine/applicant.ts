import { dirname, resolve } from 'node:path';
import type { Interfaces } from '@oclif/core';
import * as flag from '../../cli/flags/flag-values.ts';
import {
  type ApplicationInput,
  checkApplicationInput,
  findAnswerProblems,
} from '../../contract/application.ts';
import { PartnerError } from '../../contract/errors.ts';
import type { Job } from '../../contract/job.ts';
import { createProblem, type Problem, toFields } from '../../contract/problems.ts';
import { formatNumber } from '../../contract/words.ts';
import { toFinding, toListingError } from '../../listings/check/finding.ts';
import { type Input, readChunks } from '../../listings/read/bytes.ts';
import { readJson } from '../../listings/read/json.ts';
import { formatInputName, readInput } from '../../listings/read/read.ts';
import { nearest } from '../../text/nearest.ts';

const COUNT_MAX = 100_000;

export const givenFlags = {
  'first-name': flag.textFlag('TEXT', 'First name'),
  'last-name': flag.textFlag('TEXT', 'Last name'),
  email: flag.textFlag('ADDRESS', 'Email address (one application per address and job)'),
  phone: flag.textFlag('NUMBER', 'Phone number'),
  location: flag.textFlag('TEXT', 'Location (free text)'),
  resume: flag.textFlag('FILE', 'Resume (PDF, DOC, DOCX, ODT, RTF or text, up to 5 MiB)'),
  answer: flag.repeatableFlag('PROMPT=VALUE', 'Answer to a question (a path if it asks for a file)'),
  meets: flag.repeatableFlag(
    'all|none|TEXT',
    'Qualification the applicant meets (list all REQUIRED ones to qualify)',
  ),
};

export const applicantFlags = {
  ...givenFlags,
  ...flag.inGroup('RANDOM APPLICANT', {
    count: flag.numberFlag({
      max: COUNT_MAX,
      exclusive: Object.keys(givenFlags),
      description: `Number of random applicants (up to ${formatNumber(COUNT_MAX)})`,
    }),
    qualified: flag.shareFlag({
      shown: { default: '1' },
      dependsOn: ['count'],
      description: 'Exact share of qualified applicants, 0 to 1',
    }),
    seed: flag.numberFlag({
      ...flag.SEED_RANGE,
      dependsOn: ['count'],
      description: 'Seed for generating the same applicants again (random and printed if not set)',
    }),
  }),
};

export type Asks = Pick<Job, 'questions' | 'qualifications'>;
type Question = Asks['questions'][number];

export type ApplicantFlags = Partial<Interfaces.InferredFlags<typeof applicantFlags>>;

const FILE_ID = /^fil_[0-9A-Za-z]{20}$/;

/** Flags override the file. The result contains resolved paths of files to upload instead of file IDs. */
export function applicantGiven(
  value: Readonly<Record<string, unknown>>,
  flags: ApplicantFlags,
  { questions, qualifications }: Asks,
  resolvePath: (path: string) => string,
) {
  const { $schema: _, answers: fileAnswers, meets: fileMeets = [], ...fileBasics } = value;
  const basics: Record<string, unknown> = fileBasics;
  const problems: Problem[] = [];
  const inFile = (path: unknown) =>
    typeof path === 'string' && path !== '' && !FILE_ID.test(path) ? resolvePath(path) : path;
  if (basics.resume !== undefined) basics.resume = inFile(basics.resume);
  const { 'first-name': firstName, 'last-name': lastName, email, phone, location, resume } = flags;
  for (const [field, given] of Object.entries({ firstName, lastName, email, phone, location, resume })) {
    if (given !== undefined) basics[field] = given;
  }
  const findQuestion = (name: string) =>
    oneNamed(['answers', name], questions, ({ prompt }) => prompt, problems);
  const answers: Record<string, unknown> = {};
  for (const [name, answer] of Object.entries(fileAnswers ?? {})) {
    const question = findQuestion(name);
    if (question) answers[question.id] = question.answerFormat === 'FILE' ? inFile(answer) : answer;
  }
  const texts = new Map<Question, string[]>();
  for (const text of flags.answer ?? []) {
    const name = findPrompt(text, questions);
    const question = findQuestion(name);
    if (question) texts.set(question, [...(texts.get(question) ?? []), text.slice(name.length + 1)]);
  }
  for (const [question, given] of texts) answers[question.id] = parseAnswer(question, given);
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
    ...findAnswerProblems({ answers, meets }, { questions, qualifications }),
  ];
  const fileQuestions = questions.filter(({ answerFormat }) => answerFormat === 'FILE');
  const named = [
    { questionId: undefined, path: basics.resume },
    ...fileQuestions.map(({ id }) => ({ questionId: id, path: answers[id] })),
  ];
  const files = named.flatMap(({ questionId, path }) =>
    typeof path === 'string' && !FILE_ID.test(path) ? [{ questionId, path }] : [],
  );
  return { application, files, problems: faults };
}

/** Finds an entry by ID, or by text without regard to case. Adds a problem unless there is exactly one. */
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
      ? [`matches more than one ${noun} of this job`, `use its ID: ${found.map(({ id }) => id).join(' or ')}`]
      : [`isn't a ${noun} of this job`, near && `did you mean ${JSON.stringify(near)}?`];
  problems.push({ ...createProblem(path, message), ...(hint && { hint }) });
  return undefined;
}

/** A prompt may contain `=`, so known prompts are matched first. */
function findPrompt(text: string, questions: readonly Question[]): string {
  const names = questions.flatMap(({ id, prompt }) => [prompt, id]);
  const isPrompt = (name: string) => text.toLowerCase().startsWith(`${name.toLowerCase()}=`);
  return names.find(isPrompt) ?? text.split('=', 1)[0] ?? text;
}

/** Returns unparsable values unchanged, so that the checks after this report them. */
function parseAnswer({ answerFormat, options = [] }: Question, given: readonly string[]): unknown {
  const last = given.at(-1)?.trim() ?? '';
  const findOption = (text: string) =>
    options.find((option) => option.toLowerCase() === text.trim().toLowerCase()) ?? text.trim();
  switch (answerFormat) {
    case 'NUMBER':
      return last === '' || Number.isNaN(Number(last)) ? last : Number(last);
    case 'SINGLE_CHECKBOX':
      return /^(?:yes|true)$/i.test(last) || (/^(?:no|false)$/i.test(last) ? false : last);
    case 'SINGLE_SELECT':
      return findOption(last);
    case 'MULTI_SELECT':
      return given.flatMap((text) =>
        options.includes(findOption(text)) ? [findOption(text)] : text.split(',').map(findOption),
      );
    default:
      return given.at(-1);
  }
}

type PutFile = (name: string, content: Uint8Array) => Promise<{ readonly fileId: string }>;

/** One byte above the size limit, so that a larger file is rejected instead of cut off. */
const READ_MAX_BYTES = 5 * 1024 * 1024 + 1;

async function readApplicant(file: string, input: Input): Promise<Readonly<Record<string, unknown>>> {
  const reading = readJson(await readInput(file, input));
  if (!reading.ok)
    throw toListingError([toFinding(reading.fault, { file: formatInputName(file), index: 0 })]);
  return Object(reading.document.value);
}

/** Uploads files with `put` after all checks. Throws VALIDATION_FAILED, FILE_UNREADABLE, FILE_INVALID and USAGE. */
export async function applicationGiven(
  file: string | undefined,
  flags: ApplicantFlags,
  asks: Asks,
  put: PutFile,
  input: Input,
): Promise<ApplicationInput> {
  const value = file === undefined ? {} : await readApplicant(file, input);
  const resolvePath = (path: string) => resolve(dirname(file ?? '-'), path);
  const { application, files, problems } = applicantGiven(value, flags, asks, resolvePath);
  if (problems.length > 0) {
    throw new PartnerError('VALIDATION_FAILED', {
      message: 'invalid application for this job',
      fields: toFields(problems),
    });
  }
  if ([file, ...files.map(({ path }) => path)].filter((path) => path === '-').length > 1) {
    throw new PartnerError('USAGE', {
      message: '`-` can be used only once because stdin can be read only once',
      hint: 'use paths for the other files',
    });
  }
  const read = files.map(async (named) => ({ ...named, content: await wholeFile(named.path, input) }));
  for (const { questionId, path, content } of await Promise.all(read)) {
    const fileId = await uploadFile(path, content, put);
    if (questionId === undefined) application.resume = fileId;
    else application.answers[questionId] = fileId;
  }
  return application as ApplicationInput;
}

async function wholeFile(path: string, input: Input): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of readChunks(path, input)) {
    chunks.push(Buffer.from(chunk));
    bytes += chunk.length;
    if (bytes >= READ_MAX_BYTES) break;
  }
  return Buffer.concat(chunks);
}

/** Adds the path to the error for a refused file, because there may be several files. */
async function uploadFile(path: string, content: Uint8Array, put: PutFile): Promise<string> {
  try {
    return (await put(path, content)).fileId;
  } catch (error) {
    const isOfTheFile =
      error instanceof PartnerError &&
      ['VALIDATION_FAILED', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'].includes(error.code);
    if (!isOfTheFile) throw error;
    const { message, fields, hint } = error;
    throw new PartnerError('FILE_INVALID', {
      message: `${formatInputName(path)}: ${fields?.body ?? message}`,
      hint,
      cause: error,
    });
  }
}
