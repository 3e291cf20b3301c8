import type { Directories } from '../settings/directories.ts';
import type { Guide } from './guide-view.ts';

export interface GuideRow {
  /** What it answers, in a list. */
  readonly about: string;
  /** Gives the guide for the places where a user's files are. */
  readonly load: () => Promise<(places: Directories) => Guide>;
}

/** The guides in the order in which help lists them; each is loaded where it is read. */
export const GUIDES: Readonly<Record<string, GuideRow>> = {
  configuration: {
    about: 'Where a call goes, every variable and file, and which of them wins',
    load: async () => (await import('./guides/configuration.ts')).configuration,
  },
  'exit-codes': {
    about: 'What each exit code means, and the errors behind it',
    load: async () => (await import('./guides/exit-codes.ts')).exitCodes,
  },
  'job-files': {
    about: 'What a job file may hold, field by field',
    load: async () => (await import('./guides/job-files.ts')).jobFiles,
  },
  lifecycle: {
    about: 'The states of a job, and what moves it from one to another',
    load: async () => (await import('./guides/lifecycle.ts')).lifecycle,
  },
};

export const GUIDE_NAMES: readonly string[] = Object.keys(GUIDES);

/** The guide of that name, also where it is written with spaces or in other case; undefined where there is none. */
export function guideNamed(words: readonly string[]): GuideRow | undefined {
  const name = words.join('-').toLowerCase();
  return Object.hasOwn(GUIDES, name) ? GUIDES[name] : undefined;
}
