import { closeSync, openSync, readSync } from 'node:fs';
import { basename } from 'node:path';
import { clipped } from '../../contract/problems.ts';
import { codeOf } from '../../contract/system-errors.ts';
import { grouped } from '../../contract/words.ts';
import { formatOf } from './formats.ts';

export interface Beside {
  /** The files beside the job files of a directory that are in no known format, sorted. */
  readonly ignored?: readonly string[];
}

const SHOWN_MAX = 5;
const NAMED_MAX = 100;

/** `2 files in no known format were left alone: notes.docx, logo.png`; none where there are none. */
export function ignoredLines({ ignored = [] }: Beside): string[] {
  if (ignored.length === 0) return [];
  const names = ignored.slice(0, SHOWN_MAX).map((path) => clipped(basename(path), 40));
  const [files, were] = ignored.length === 1 ? ['file', 'was'] : ['files', 'were'];
  const shown = [...names, ...(ignored.length > names.length ? ['…'] : [])].join(', ');
  return [`${grouped(ignored.length)} ${files} in no known format ${were} left alone: ${shown}`];
}

/** How many there are, and the first of them. */
export function ignoredJson({ ignored = [] }: Beside) {
  return ignored.length === 0
    ? {}
    : { ignored: { count: ignored.length, files: ignored.slice(0, NAMED_MAX) } };
}

/** Markdown without front matter, which is a README and no listing; also where it is not there yet. */
export function isPlainMarkdown(path: string): boolean {
  if (formatOf(path) !== 'md') return false;
  const head = Buffer.alloc(64);
  try {
    const file = openSync(path, 'r');
    readSync(file, head, 0, head.length, 0);
    closeSync(file);
  } catch (error) {
    // What cannot be read is said where it is read.
    return codeOf(error) === 'ENOENT';
  }
  return !/^\ufeff?---[ \t]*\r?\n/.test(head.toString());
}
