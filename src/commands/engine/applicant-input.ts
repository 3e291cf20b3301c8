import { dirname, resolve } from 'node:path';
import type { ApplicationInput } from '../../contract/application.ts';
import { PartnerError } from '../../contract/errors.ts';
import { fieldsOf } from '../../contract/problems.ts';
import { findingOf, refusal } from '../../listings/check/finding.ts';
import { chunksOf, type Input } from '../../listings/read/bytes.ts';
import { readJson } from '../../listings/read/json.ts';
import { readInput, shownName } from '../../listings/read/read.ts';
import { type ApplicantFlags, type Asks, applicantGiven } from './applicant.ts';

export type PutFile = (name: string, content: Uint8Array) => Promise<{ readonly fileId: string }>;

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
