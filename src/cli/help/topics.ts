import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from '@oclif/core';
import { PartnerError } from '../../contract/errors.ts';
import { reasonOf } from '../../contract/system-errors.ts';
import { PACKAGE_ROOT } from '../../package.ts';
import pages from './topics.json' with { type: 'json' };

/** The topics in the order in which help lists them, and what each is for. */
export const TOPICS: Readonly<Record<string, string>> = pages.topics;

/** The guides in the order in which help lists them; `dashboard`, `engine` and `budgets` name topics already. */
export const GUIDES: Readonly<Record<string, { readonly about: string; readonly file: string }>> =
  pages.guides;

/** Commands that help lists first, with their descriptions. */
export const FIRST_STEPS: Readonly<Record<string, string>> = pages.firstSteps;

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

/** A file that comes with the package. Throws FILE_UNREADABLE. */
export function readPart<T>(what: string, path: string, parse: (text: string) => T): T {
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
