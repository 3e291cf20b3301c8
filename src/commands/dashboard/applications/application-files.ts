import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { PartnerError } from '../../../contract/errors.ts';
import { attemptWrite, getErrorCode, systemError } from '../../../contract/system-errors.ts';
import type { WholeApplication } from '../../../engine/applications/company-applications.ts';
import { replaceFileInParts } from '../../../files/own-file.ts';
import type { SavedFile } from './application-view.ts';

const UNWRITABLE_HINT = 'free up disk space, or pass a writable directory to --save-files';

/**
 * Saves files under generated names, because an applicant's file name could be any path. Throws USAGE before writing if
 * a file already exists, and OUTPUT_UNWRITABLE.
 */
export async function saveFiles(
  application: WholeApplication,
  directory: string,
  contentOf: (fileId: string) => Promise<Uint8Array | undefined>,
): Promise<SavedFile[]> {
  const targets = application.files.map((file) => ({
    file,
    path: join(directory, buildFileName(file, application)),
  }));
  const taken = targets.find(({ path }) => existsSync(path));
  if (taken !== undefined) throw createTakenError(taken.path);
  attemptWrite(directory, () => mkdirSync(directory, { recursive: true }), UNWRITABLE_HINT);
  const saved: SavedFile[] = [];
  for (const { file, path } of targets) {
    const content = await contentOf(file.fileId);
    if (content === undefined) continue;
    await replaceFileInParts(path, Readable.from([content]), true).catch((error: unknown) => {
      if (getErrorCode(error) === 'EEXIST') throw createTakenError(path);
      throw systemError(error, 'OUTPUT_UNWRITABLE', `can't write ${path}`, UNWRITABLE_HINT);
    });
    saved.push({ ...file, savedAs: path });
  }
  return saved;
}

/** Returns `application-41-resume.pdf`, or `application-41-answer-2.pdf` for question 2. */
function buildFileName({ question, ending }: SavedFile, { id, answered }: WholeApplication): string {
  const number = answered.findIndex((other) => other.question.id === question?.id) + 1;
  return `application-${id}-${question === undefined ? 'resume' : `answer-${number}`}${ending}`;
}

function createTakenError(path: string): PartnerError {
  return new PartnerError('USAGE', {
    message: `${path} already exists`,
    hint: 'move it, or pass another directory to --save-files',
  });
}
