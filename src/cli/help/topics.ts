import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from '@oclif/core';
import { PartnerError } from '../../contract/errors.ts';
import { reasonOf } from '../../contract/system-errors.ts';
import { PACKAGE_ROOT } from '../../package.ts';

/** The topics in the order in which help lists them, and what each is for. */
export const TOPICS: Readonly<Record<string, string>> = {
  jobs: 'Check, create, publish, edit, pause, resume and close listings',
  locations: 'Find the canonical places a listing may name',
  budgets: "Cap what a listing's applicants may cost",
  auth: 'Log in to a server and switch between profiles',
  dashboard: 'Open the dashboard, and do on the command line what people do in it',
  'dashboard applications': 'List, accept and reject applications on the bundled engine',
  engine: 'Run the bundled engine and manage its companies and keys',
  'engine keys': 'Issue and revoke partner keys of the bundled engine',
  'engine terms': 'Show and issue the employer terms of the bundled engine',
  'engine clock': "Move the bundled engine's time, for everything that depends on it",
  'engine companies': 'Create and list companies of the bundled engine',
};

interface Guide {
  readonly about: string;
  readonly file: string;
}

/** The guides in the order in which help lists them; `dashboard`, `engine` and `budgets` name topics already. */
export const GUIDES: Readonly<Record<string, Guide>> = {
  configuration: { about: 'Where a call goes: every flag, variable and file', file: 'configuration.md' },
  'exit-codes': { about: 'What each exit code means, and the errors behind it', file: 'errors.md' },
  'job-files': { about: 'What a job file may hold, field by field', file: 'job-files.md' },
  formats: { about: 'YAML, Markdown, spreadsheets and the other formats of a job file', file: 'formats.md' },
  import: { about: 'Job files from the postings of an ATS or a feed', file: 'import.md' },
  lifecycle: { about: 'The states of a job, and what moves it between them', file: 'lifecycle.md' },
  lists: { about: 'Columns, order, CSV and JSON of every list', file: 'lists.md' },
  bulk: { about: 'How `jobs plan` and `jobs apply` work', file: 'bulk.md' },
  api: { about: 'The HTTP API: every operation, its fields, answers and errors', file: 'api.md' },
  servers: { about: 'A server of your own: what is assumed, and how to find out', file: 'servers.md' },
  operations: {
    about: 'Run the engine: backups, upgrades, PostgreSQL, what to do when',
    file: 'operations.md',
  },
  lab: { about: 'Rehearse failures against a bad server', file: 'lab.md' },
};

export const GUIDE_NAMES: readonly string[] = Object.keys(GUIDES);

/** The guide of that name, in any case and with spaces or dashes. Throws FILE_UNREADABLE. */
export function guideNamed(words: readonly string[]) {
  const topic = words.join('-').toLowerCase();
  const guide = Object.hasOwn(GUIDES, topic) ? GUIDES[topic] : undefined;
  if (guide === undefined) return undefined;
  const markdown = readPart('the guide', join(PACKAGE_ROOT, 'docs', guide.file), (text) => text);
  return { topic, about: guide.about, markdown };
}

/** The manifest of every command, written by the build, so that none has to be loaded. Throws FILE_UNREADABLE. */
export function commandList(): Command.Cached[] {
  return readPart('the list of commands', join(PACKAGE_ROOT, 'dist', 'commands.json'), JSON.parse);
}

function readPart<T>(what: string, path: string, parse: (text: string) => T): T {
  try {
    return parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw new PartnerError('FILE_UNREADABLE', {
      message: `${what} ${path} cannot be read: ${cause instanceof SyntaxError ? 'it is damaged' : reasonOf(cause)}`,
      hint: 'install partner again; in a checkout, run `npm run build`',
      cause,
    });
  }
}
