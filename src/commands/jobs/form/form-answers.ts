import { dirname } from 'node:path';
import { PartnerError } from '../../../contract/errors.ts';
import { reasonOf } from '../../../contract/system-errors.ts';
import { withDirectoryLock } from '../../../files/file-lock.ts';
import { readOwnFile, replaceFile } from '../../../files/own-file.ts';

/**
 * What the file `path` keeps of a form that is not sent yet; undefined where there is none. Throws CONFIG_UNREADABLE for
 * one that cannot be read or is damaged, and leaves it as it is.
 */
export function readFormAnswers(path: string): unknown {
  try {
    const kept = readOwnFile(path);
    return kept && JSON.parse(kept.toString());
  } catch (cause) {
    if (cause instanceof PartnerError) throw cause;
    throw unusable(path, cause instanceof SyntaxError ? 'it is not JSON' : reasonOf(cause), cause);
  }
}

/** The error for kept answers that are of no use. */
export function unusable(path: string, why: string, cause?: unknown): PartnerError {
  return new PartnerError('CONFIG_UNREADABLE', {
    message: `the kept answers, ${path}, cannot be used: ${why}`,
    hint: 'move the file away to begin afresh; it was left as it is',
    cause,
  });
}

/**
 * Keeps the answers of a form, whole or not at all, for nobody else to read. Throws nothing, as the form goes on without:
 * gives why they could not be kept.
 */
export async function writeFormAnswers(path: string, answers: unknown): Promise<string | undefined> {
  try {
    const text = `${JSON.stringify(answers)}\n`;
    await withDirectoryLock(dirname(path), () => replaceFile(path, text, { isPrivate: true }));
    return undefined;
  } catch (error) {
    return `the answers cannot be kept in ${path}: ${reasonOf(error)}`;
  }
}
