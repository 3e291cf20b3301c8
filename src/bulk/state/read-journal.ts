import { isUtf8 } from 'node:buffer';
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { PartnerError } from '../../contract/errors.ts';
import { codeOf } from '../../contract/system-errors.ts';
import { NO_FOLLOW, refuseLink } from '../../files/own-file.ts';
import { type JournalContent, JournalLines } from './journal-content.ts';
import { JOURNAL_VERSION, type JournalLine, parseLine } from './journal-line.ts';
import { damaged, fromNewerRelease, notPossible } from './state-directory.ts';
import { journalPath } from './state-file.ts';

const CHUNK_BYTES = 256 * 1024;
const LF = 0x0a;

/**
 * What a run that did not end has left in the journal of a state; undefined where there is none. A last
 * line that was cut off is passed over: nothing was sent because of it. Throws STATE_UNUSABLE for damage
 * anywhere else, for a journal of another server and for one of another `state` (a `stateDigest`).
 */
export async function readJournal(
  statePath: string,
  server: string,
  state?: string,
): Promise<JournalContent | undefined> {
  const { lines } = await scanJournal(journalPath(statePath), server, state);
  return lines.startedAt === undefined ? undefined : lines;
}

export interface JournalScan {
  readonly lines: JournalLines;
  /** How much of the file is to be kept; undefined where there is no file. */
  readonly goodBytes: number | undefined;
  /** False where the last of it lacks its line end. */
  readonly endsInLine: boolean;
}

/** Reads a journal line by line, never the whole of it. Throws as `readJournal`. */
export async function scanJournal(path: string, server: string, state?: string): Promise<JournalScan> {
  const file = await opened(path);
  if (file === undefined) return { lines: new JournalLines(), goodBytes: undefined, endsInLine: true };
  try {
    const found = await scan(file, path, server);
    assertOfState(path, found.lines, state);
    return found;
  } catch (error) {
    throw error instanceof PartnerError ? error : notPossible('read', path, error);
  } finally {
    await file.close();
  }
}

async function scan(file: FileHandle, path: string, server: string): Promise<JournalScan> {
  const lines = new JournalLines();
  let [number, goodBytes, endsInLine, isCutOff] = [0, 0, true, false];
  for await (const bytes of linesOf(file)) {
    if (isCutOff) throw noLine(path, number);
    number++;
    const isWhole = bytes.at(-1) === LF;
    const line = isUtf8(bytes) ? parseLine(bytes.toString()) : 'cut off';
    if (line === 'unknown') throw noLine(path, number);
    // An intent without its line end was not sent. An outcome without it has come to pass.
    isCutOff = line === 'cut off' || (line.kind === 'intent' && !isWhole);
    if (line === 'cut off' || isCutOff) continue;
    assertOurs(path, line, server, number);
    lines.take(line);
    goodBytes += bytes.length;
    endsInLine = isWhole;
  }
  return { lines, goodBytes, endsInLine };
}

async function opened(path: string): Promise<FileHandle | undefined> {
  try {
    refuseLink(path);
    return await open(path, constants.O_RDONLY | NO_FOLLOW);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw notPossible('read', path, error);
  }
}

/** The lines with their LF; what follows the last LF comes last, without one. */
async function* linesOf(file: FileHandle): AsyncGenerator<Buffer> {
  let begun: Buffer[] = [];
  for (;;) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, null);
    if (bytesRead === 0) break;
    const chunk = buffer.subarray(0, bytesRead);
    let from = 0;
    for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, from)) {
      begun.push(chunk.subarray(from, at + 1));
      yield begun.length === 1 ? (begun[0] as Buffer) : Buffer.concat(begun);
      begun = [];
      from = at + 1;
    }
    if (from < chunk.length) begun.push(chunk.subarray(from));
  }
  if (begun.length > 0) yield Buffer.concat(begun);
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
function assertOfState(path: string, { states }: JournalContent, state: string | undefined): void {
  if (state === undefined || states.length === 0 || states.includes(state)) return;
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
