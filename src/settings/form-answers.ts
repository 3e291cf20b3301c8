import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { PartnerError } from '../contract/errors.ts';

/**
 * What the file `path` keeps of a form that is not sent yet; undefined where there is none. Throws CONFIG_UNREADABLE for
 * one that cannot be read or is damaged, and leaves it as it is.
 */
export function readFormAnswers(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return undefined;
    throw unusable(path, cause instanceof SyntaxError ? 'it is not JSON' : codeOf(cause), cause);
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
export function writeFormAnswers(path: string, answers: unknown): string | undefined {
  const fresh = `${path}.new`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    rmSync(fresh, { force: true });
    const file = openSync(fresh, 'wx', 0o600);
    try {
      writeFileSync(file, `${JSON.stringify(answers)}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(fresh, path);
    return undefined;
  } catch (error) {
    return `the answers cannot be kept in ${path} (${codeOf(error)})`;
  }
}

/** Forgets the answers of a form that is done with. */
export function removeFormAnswers(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // They are offered again then, and can be thrown away.
  }
}

function codeOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException).code);
}
