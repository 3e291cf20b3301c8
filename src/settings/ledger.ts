import { closeSync, fstatSync, mkdirSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { PartnerError } from '../contract/errors.ts';

/** Where the jobs of a ledger are. */
export interface LedgerScope {
  readonly baseUrl: string;
  /** The profile they were made under, where one was used. */
  readonly profile?: string | undefined;
}

/** The jobs that this client has made on a server: what is listed where the server lists none (decision 5). */
export interface Ledger {
  /** Their ids, newest first. Throws CONFIG_UNREADABLE where the ledger cannot be read. */
  ids(): number[];
  /**
   * Writes a job down. The job exists by then, so that nothing is thrown: gives why it could not be written.
   */
  append(jobId: number, madeAt: number): string | undefined;
}

/** The ledger in the file `path`, one JSON document a line, for the jobs of one server. */
export function openLedger(path: string, { baseUrl, profile }: LedgerScope): Ledger {
  return {
    ids: () => [
      ...new Set(
        entriesIn(path)
          .filter(isOf(baseUrl))
          .map(({ jobId }) => jobId)
          .reverse(),
      ),
    ],
    append(jobId, madeAt) {
      const entry = {
        baseUrl,
        ...(profile === undefined ? {} : { profile }),
        jobId,
        at: new Date(madeAt).toISOString(),
      };
      try {
        appendLine(path, JSON.stringify(entry));
        return undefined;
      } catch (error) {
        return `job ${jobId} could not be written to ${path} (${codeOf(error)})`;
      }
    },
  };
}

interface Entry {
  readonly baseUrl: string;
  readonly jobId: number;
}

function isOf(baseUrl: string): (entry: Entry) => boolean {
  return (entry) => entry.baseUrl === baseUrl;
}

/** A line that was cut off or damaged is passed over: the others are still of use. */
function entriesIn(path: string): Entry[] {
  return contentOf(path)
    .split('\n')
    .flatMap((line) => {
      const entry = parsed(line);
      return entry !== undefined && typeof entry.baseUrl === 'string' && Number.isSafeInteger(entry.jobId)
        ? [entry as Entry]
        : [];
    });
}

function parsed(line: string): Partial<Entry> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return '';
    throw new PartnerError('CONFIG_UNREADABLE', {
      message: `the list of jobs made here, ${path}, cannot be read (${codeOf(cause)})`,
      hint: 'make it a file that you may read, or move it away',
      cause,
    });
  }
}

/** In one write to the end of the file, so that processes that write at once do not mix their lines. */
function appendLine(path: string, line: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const file = openSync(path, 'a+', 0o600);
  try {
    writeSync(file, `${endsInLine(file) ? '' : '\n'}${line}\n`);
  } finally {
    closeSync(file);
  }
}

/** False where a write was cut off: the next line must not be joined to what is left of that one. */
function endsInLine(file: number): boolean {
  const { size } = fstatSync(file);
  if (size === 0) return true;
  const last = Buffer.alloc(1);
  readSync(file, last, 0, 1, size - 1);
  return last.toString() === '\n';
}

function codeOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException).code);
}
