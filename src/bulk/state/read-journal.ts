import { isUtf8 } from 'node:buffer';
import { PartnerError } from '../../contract/errors.ts';
import { readOwnFile } from '../../files/own-file.ts';
import {
  JOURNAL_VERSION,
  type JournalContent,
  type JournalLine,
  JournalLines,
  parseLine,
} from './journal-content.ts';
import { damaged, fromNewerRelease, notPossible } from './state-directory.ts';
import { journalPath } from './state-file.ts';

const LF = 0x0a;

/**
 * What a killed run has left. A last line that was cut off is passed over: nothing was sent because of it. Throws
 * STATE_UNUSABLE for damage elsewhere, for a journal of another server and for one of another `state` (a digest).
 */
export function readJournal(statePath: string, server: string, state?: string): JournalContent | undefined {
  const { lines } = scanJournal(journalPath(statePath), server, state);
  return lines.startedAt === undefined ? undefined : lines;
}

/** `goodBytes` of the file are to be kept; undefined where there is none. Throws as `readJournal`. */
export function scanJournal(path: string, server: string, state?: string) {
  const lines = new JournalLines();
  const bytes = bytesOf(path);
  if (bytes === undefined) return { lines, goodBytes: undefined, endsInLine: true };
  let [number, goodBytes, endsInLine, isCutOff] = [0, 0, true, false];
  for (let [from, end] = [0, 0]; from < bytes.length; from = end) {
    if (isCutOff) throw noLine(path, number);
    const lineEnd = bytes.indexOf(LF, from);
    end = lineEnd === -1 ? bytes.length : lineEnd + 1;
    number++;
    const text = bytes.subarray(from, end);
    const line = isUtf8(text) ? parseLine(text.toString()) : 'cut off';
    if (line === 'unknown') throw noLine(path, number);
    // An intent without its line end was not sent. An outcome without it has come to pass.
    isCutOff = line === 'cut off' || (line.kind === 'intent' && lineEnd === -1);
    if (line === 'cut off' || isCutOff) continue;
    assertOurs(path, line, server, number);
    lines.take(line);
    goodBytes = end;
    endsInLine = lineEnd !== -1;
  }
  if (state !== undefined) assertOfState(path, lines, state);
  return { lines, goodBytes, endsInLine };
}

function bytesOf(path: string): Buffer | undefined {
  try {
    return readOwnFile(path);
  } catch (error) {
    throw notPossible('read', path, error);
  }
}

function assertOurs(path: string, line: JournalLine, server: string, number: number): void {
  if (line.kind !== 'run') {
    if (number === 1) throw noLine(path, number);
    return;
  }
  if (line.version > JOURNAL_VERSION) throw fromNewerRelease(path, line.version, JOURNAL_VERSION);
  if (line.server === server) return;
  throw new PartnerError('STATE_UNUSABLE', {
    message: `${path} was left by an apply to ${line.server}, not to ${server}`,
    hint: 'finish that one first: run it again against its own server, or keep two states apart with --state',
  });
}

/** What a journal says is true of the state it was written beside: folded into a newer one, it takes jobs from it. */
function assertOfState(path: string, { states }: JournalContent, state: string): void {
  if (states.length === 0 || states.includes(state)) return;
  throw new PartnerError('STATE_UNUSABLE', {
    message: `${path} was left by an apply that worked with another state than the one that is there now`,
    hint: 'put back the state of that time; or, where the state is the newer of the two, remove the journal and run it with --rebuild, which makes nothing twice',
  });
}

function noLine(path: string, line: number): PartnerError {
  return damaged(path, {
    line,
    message: 'this is no line of a journal',
    hint: 'the jobs it speaks of may exist: restore the file, or move it away and rebuild the state with `partner jobs apply --rebuild`',
  });
}
