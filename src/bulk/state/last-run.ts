import { isObject } from '../../contract/is-object.ts';
import { readOwnFile } from '../../files/own-file.ts';
import { besideState, notPossible, replaceStateFile } from './state-directory.ts';

export interface LastRun {
  /** The keys of the listings that the last run of `apply` did not bring to what they should be. */
  readonly failed: readonly string[];
  readonly at: number;
}

export function lastRunPath(statePath: string): string {
  return besideState(statePath, '.last-run.json');
}

export function writeLastRun(statePath: string, { failed, at }: LastRun): void {
  replaceStateFile(lastRunPath(statePath), `${JSON.stringify({ at, failed }, undefined, 2)}\n`);
}

/**
 * The last run; undefined where none is known, and that is also what a damaged file says: it holds nothing
 * that running everything again would not tell. Throws STATE_UNUSABLE where it may not be read.
 */
export function readLastRun(statePath: string): LastRun | undefined {
  const path = lastRunPath(statePath);
  try {
    const text = readOwnFile(path)?.toString();
    return text === undefined ? undefined : parsed(text);
  } catch (error) {
    throw notPossible('read', path, error);
  }
}

function parsed(text: string): LastRun | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value) || !Number.isSafeInteger(value.at) || !Array.isArray(value.failed)) return undefined;
    const { at, failed } = value;
    return failed.every((key) => typeof key === 'string') ? { at: Number(at), failed } : undefined;
  } catch {
    return undefined;
  }
}
