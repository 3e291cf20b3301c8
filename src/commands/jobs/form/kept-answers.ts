import { dirname } from 'node:path';
import { checkJobUpdate } from '../../../contract/check.ts';
import { PartnerError } from '../../../contract/errors.ts';
import { reasonOf } from '../../../contract/system-errors.ts';
import { tried } from '../../../contract/tried.ts';
import { NO_LIMITS } from '../../../contract/values.ts';
import { withDirectoryLock } from '../../../files/file-lock.ts';
import { readOwnText, replaceFile } from '../../../files/own-file.ts';
import type { FormAnswers } from './answers.ts';
import { QUESTIONS, type QuestionName } from './questions.ts';

export interface KeptAnswers {
  readonly answers: FormAnswers;
  readonly keptAt: string;
  /** A create whose outcome is not known, so that sending the same again makes no second job (decision 27). */
  readonly sent?: { readonly idempotencyKey: string; readonly input: string } | undefined;
}

/** What the file `path` keeps; undefined where there is none. Throws CONFIG_UNREADABLE, and leaves it as it is. */
export function readKeptAnswers(path: string): KeptAnswers | undefined {
  const text = readOwnText(path, `the kept answers, ${path},`, HINT);
  if (text === undefined) return undefined;
  const { answers, keptAt, sent }: Partial<KeptAnswers> = tried(() => JSON.parse(text)) ?? {};
  const known = checkedAnswers(answers);
  if (known !== undefined && typeof keptAt === 'string') return { answers: known, keptAt, sent };
  throw new PartnerError('CONFIG_UNREADABLE', {
    message: `the kept answers, ${path}, cannot be used: it holds no answers of a form`,
    hint: HINT,
  });
}

const HINT = 'move the file away to begin afresh; it was left as it is';

function checkedAnswers(value: unknown): FormAnswers | undefined {
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

/** Writes the file for nobody else to read. Gives why that failed and throws nothing: the form goes on without. */
export async function writeKeptAnswers(path: string, kept: KeptAnswers): Promise<string | undefined> {
  try {
    const text = `${JSON.stringify(kept)}\n`;
    await withDirectoryLock(dirname(path), () => replaceFile(path, text, { isPrivate: true }));
    return undefined;
  } catch (error) {
    return `the answers cannot be kept in ${path}: ${reasonOf(error)}`;
  }
}
