import { existsSync, statSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { askChoice } from '../../../cli/terminal/form/choice.ts';
import { askLine } from '../../../cli/terminal/form/line.ts';
import { jsonText } from '../../../cli/terminal/json.ts';
import type { Streams } from '../../../cli/terminal/streams.ts';
import { PartnerError } from '../../../contract/errors.ts';
import type { JobInput } from '../../../contract/job.ts';
import { reasonOf } from '../../../contract/system-errors.ts';
import { replaceFile } from '../../../files/own-file.ts';
import { PACKAGE_ROOT } from '../../../package.ts';

/** Asks for a file and writes the listing there; gives the path, or undefined where it was thought better of. */
export async function savedListing(listing: JobInput, streams: Streams): Promise<string | undefined> {
  const path = await askLine(streams, {
    question: 'Save it as',
    flag: 'a job file',
    current: `${slugOf(listing.title)}.json`,
    passed: 'not saved',
    wrong: wrongPath,
  });
  if (path === '') return undefined;
  if (existsSync(path) && !(await replaces(path, streams))) return undefined;
  try {
    const text = jsonText({ $schema: schemaFrom(path), ...listing });
    replaceFile(path, text, { replacesLink: true });
  } catch (cause) {
    throw new PartnerError('OUTPUT_UNWRITABLE', {
      message: `${path} cannot be written: ${reasonOf(cause)}`,
      hint: 'make room on the disk, take another name, or a directory that you may write to',
      cause,
    });
  }
  return path;
}

function wrongPath(path: string): string | undefined {
  const directory = dirname(resolve(path));
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return 'is a directory: name a file in it';
  if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory())
    return `there is no directory ${directory}`;
  return /\.json$/i.test(path) ? undefined : 'a job file ends in .json';
}

function replaces(path: string, streams: Streams): Promise<boolean> {
  return askChoice(streams, {
    question: `${path} is there already.`,
    flag: 'a job file',
    choices: [
      { name: 'leave it, and do not save', value: false },
      { name: 'replace it', value: true },
    ],
  });
}

function slugOf(title = ''): string {
  const slug = title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return slug.slice(0, 60) || 'job';
}

/** Where an editor finds the schema of a job file: the one that came with the package. */
function schemaFrom(path: string): string {
  return relative(dirname(resolve(path)), resolve(PACKAGE_ROOT, 'schemas/job-file.json')).replaceAll(
    '\\',
    '/',
  );
}
