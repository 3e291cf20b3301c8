import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from '@oclif/core';
import { PartnerError } from '../../contract/errors.ts';
import { getErrorReason } from '../../contract/system-errors.ts';
import { PACKAGE_ROOT } from '../../package.ts';
import pages from './topics.json' with { type: 'json' };

export const TOPICS: Readonly<Record<string, string>> = pages.topics;

/** Guides in the order of help. Excludes `dashboard`, `engine` and `budgets`, which are topics. */
export const GUIDES: Readonly<Record<string, { readonly about: string; readonly file: string }>> =
  pages.guides;

export const FIRST_STEPS: Readonly<Record<string, string>> = pages.firstSteps;

export const GUIDE_NAMES: readonly string[] = Object.keys(GUIDES);

/** Returns a guide. Its name isn't case-sensitive and can have spaces or dashes. Throws FILE_UNREADABLE. */
export function guideNamed(words: readonly string[]) {
  const topic = words.join('-').toLowerCase();
  const guide = Object.hasOwn(GUIDES, topic) ? GUIDES[topic] : undefined;
  if (guide === undefined) return undefined;
  const markdown = readPart('the guide', join(PACKAGE_ROOT, 'docs', guide.file), (text) => text);
  return { topic, about: guide.about, markdown };
}

/** Returns all commands from the manifest of the build, without loading them. Throws FILE_UNREADABLE. */
export function commandList(): Command.Cached[] {
  return readPart('the list of commands', join(PACKAGE_ROOT, 'dist', 'commands.json'), JSON.parse);
}

/** Reads a file of the package. Throws FILE_UNREADABLE. */
export function readPart<T>(what: string, path: string, parse: (text: string) => T): T {
  try {
    return parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw new PartnerError('FILE_UNREADABLE', {
      message: `can't read ${what} ${path}: ${cause instanceof SyntaxError ? 'it is damaged' : getErrorReason(cause)}`,
      hint: 'reinstall partner. In a checkout, run `npm run build`',
      cause,
    });
  }
}
