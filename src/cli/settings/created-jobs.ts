import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { PartnerError } from '../../contract/errors.ts';
import { codeOf, reasonOf } from '../../contract/system-errors.ts';
import { appendOwnFile, readOwnFile } from '../../files/own-file.ts';

/** Where the jobs of a ledger are. */
export interface CreatedJobsScope {
  readonly baseUrl: string;
  /** The profile they were made under, where one was used. */
  readonly profile?: string | undefined;
}

/** The jobs that this client has made on a server: what is listed where the server lists none (decision 5). */
export interface CreatedJobs {
  /** Their ids, newest first. Throws CONFIG_UNREADABLE where the ledger cannot be read. */
  ids(): number[];
  /**
   * Writes a job down. The job exists by then, so that nothing is thrown: gives why it could not be written.
   */
  append(jobId: number, madeAt: number): string | undefined;
}

/** The ledger in the file `path`, one JSON document a line, for the jobs of one server. */
export function openCreatedJobs(path: string, { baseUrl, profile }: CreatedJobsScope): CreatedJobs {
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
        return `job ${jobId} could not be written to ${path}: ${reasonOf(error)}`;
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

/**
 * Where an entry begins, at whatever place of a line: it may stand behind what is left of one that was cut off. No
 * text in an entry has this, as its quotes are escaped there.
 */
const BEGINS = /\n|(?=\{"baseUrl":)/;

/** What was cut off or damaged is passed over: the others are still of use. */
function entriesIn(path: string): Entry[] {
  return contentOf(path)
    .split(BEGINS)
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
    return readOwnFile(path)?.toString() ?? '';
  } catch (cause) {
    if (cause instanceof PartnerError) throw cause;
    throw new PartnerError('CONFIG_UNREADABLE', {
      message: `the list of jobs made here, ${path}, cannot be read: ${reasonOf(cause)}`,
      hint: 'make it a file that you may read, or move it away',
      cause,
    });
  }
}

/** Whether the line before is whole is for the reader to see: one that another process is about to write looks cut off. */
function appendLine(path: string, line: string): void {
  const append = (): void => appendOwnFile(path, `${line}\n`, 0o600);
  try {
    append();
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    append();
  }
}
