import { existsSync, statSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { askChoice, askLine } from '../../../cli/terminal/ask.ts';
import { jsonText } from '../../../cli/terminal/json.ts';
import type { Streams } from '../../../cli/terminal/streams.ts';

import type { JobInput } from '../../../contract/job.ts';
import { systemError } from '../../../contract/system-errors.ts';
import { replaceFile } from '../../../files/own-file.ts';
import { slugOf } from '../../../listings/import/file-names.ts';
import { PACKAGE_ROOT } from '../../../package.ts';

/** Asks for a file and writes the listing there; gives the path, or undefined where it was not written. */
export async function savedListing(listing: JobInput, streams: Streams): Promise<string | undefined> {
  const flag = 'a job file';
  const path = await askLine(streams, {
    question: 'Save it as',
    flag,
    current: `${slugOf(listing.title)}.json`,
    passed: 'not saved',
    wrong: wrongPath,
  });
  if (path === '') return undefined;
  const replaces = [
    { name: 'leave it, and do not save', value: false },
    { name: 'replace it', value: true },
  ];
  const question = `${path} is there already.`;
  if (existsSync(path) && !(await askChoice(streams, { question, flag, choices: replaces })))
    return undefined;
  // An editor finds the schema of a job file that came with the package.
  const schema = relative(dirname(resolve(path)), resolve(PACKAGE_ROOT, 'schemas/job-file.json'));
  try {
    const text = jsonText({ $schema: schema.replaceAll('\\', '/'), ...listing });
    replaceFile(path, text, { replacesLink: true });
  } catch (cause) {
    const hint = 'make room on the disk, take another name, or a directory that you may write to';
    throw systemError(cause, 'OUTPUT_UNWRITABLE', `${path} cannot be written`, hint);
  }
  return path;
}

function wrongPath(path: string): string | undefined {
  const isDirectory = (name: string) => statSync(name, { throwIfNoEntry: false })?.isDirectory();
  if (isDirectory(path)) return 'is a directory: name a file in it';
  const directory = dirname(resolve(path));
  if (!isDirectory(directory)) return `there is no directory ${directory}`;
  return /\.json$/i.test(path) ? undefined : 'it is saved as JSON: let the name end in .json';
}
