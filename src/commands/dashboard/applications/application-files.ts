import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PartnerError } from '../../../contract/errors.ts';
import { codeOf, systemError } from '../../../contract/system-errors.ts';
import type { WholeApplication } from '../../../engine/applications/company-applications.ts';
import type { SavedFile } from './application-view.ts';

/**
 * Saves the files of an application in a directory, made where it is missing, under names of our own: what an
 * applicant calls a file is never a path. Throws USAGE where one of them is there already, before any is written, and
 * OUTPUT_UNWRITABLE.
 */
export async function saveFiles(
  application: WholeApplication,
  directory: string,
  contentOf: (fileId: string) => Promise<Uint8Array | undefined>,
): Promise<SavedFile[]> {
  const targets = application.files.map((file) => ({
    file,
    path: join(directory, nameOf(file, application)),
  }));
  const taken = targets.find(({ path }) => existsSync(path));
  if (taken !== undefined) throw alreadyThere(taken.path);
  try {
    mkdirSync(directory, { recursive: true });
  } catch (error) {
    throw unwritable(directory, error);
  }
  const saved: SavedFile[] = [];
  for (const { file, path } of targets) {
    const content = await contentOf(file.fileId);
    if (content === undefined) continue;
    try {
      // Only for its reader: it is somebody's resume.
      writeFileSync(path, content, { flag: 'wx', mode: 0o600 });
    } catch (error) {
      if (codeOf(error) === 'EEXIST') throw alreadyThere(path);
      // Half a file would be in the way of the next attempt.
      rmSync(path, { force: true });
      throw unwritable(path, error);
    }
    saved.push({ ...file, savedAs: path });
  }
  return saved;
}

/** `application-41-resume.pdf`; an answer by the number of its question. */
function nameOf({ question, ending }: SavedFile, { id, answered }: WholeApplication): string {
  const number = answered.findIndex((other) => other.question.id === question?.id) + 1;
  return `application-${id}-${question === undefined ? 'resume' : `answer-${number}`}${ending}`;
}

function alreadyThere(path: string): PartnerError {
  return new PartnerError('USAGE', {
    message: `${path} is there already, and is not replaced`,
    hint: 'move it away, or name another directory with --save-files',
  });
}

function unwritable(path: string, cause: unknown): PartnerError {
  const hint = 'make room on the disk, or name a directory that you may write to with --save-files';
  return systemError(cause, 'OUTPUT_UNWRITABLE', `${path} cannot be written`, hint);
}
