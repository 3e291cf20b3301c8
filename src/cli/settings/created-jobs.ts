import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { reasonOf } from '../../contract/system-errors.ts';
import { appendOwnFile, readOwnText } from '../../files/own-file.ts';

/**
 * The jobs that this client has made at `baseUrl`, in the file `path` with one JSON document a line: what is listed
 * where the server lists none (decision 5).
 */
export function openCreatedJobs(
  path: string,
  { baseUrl, profile }: { readonly baseUrl: string; readonly profile?: string | undefined },
) {
  return {
    /** Their ids, newest first. Throws CONFIG_UNREADABLE where the file cannot be read. */
    ids(): number[] {
      const own = entriesIn(path).filter((entry) => entry.baseUrl === baseUrl);
      return [...new Set(own.map(({ jobId }) => jobId).reverse())];
    },
    /** Writes a job down. The job exists by then, so nothing is thrown: gives why it could not be written. */
    append(jobId: number, madeAt: number): string | undefined {
      try {
        const entry = { baseUrl, profile, jobId, at: new Date(madeAt).toISOString() };
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
        // A line before it that looks cut off is left: another process may be about to finish it.
        appendOwnFile(path, `${JSON.stringify(entry)}\n`, 0o600);
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

/** An entry may begin behind one that was cut off. No text in an entry matches, as its quotes are escaped. */
const BEGINS = /\n|(?=\{"baseUrl":)/;

function entriesIn(path: string): Entry[] {
  const hint = 'make it a file that you may read, or move it away';
  const text = readOwnText(path, `the list of jobs made here, ${path},`, hint) ?? '';
  return text.split(BEGINS).flatMap((line) => {
    try {
      const entry: unknown = JSON.parse(line);
      return isEntry(entry) ? [entry] : [];
    } catch {
      return [];
    }
  });
}

function isEntry(value: unknown): value is Entry {
  const { baseUrl, jobId } = (value ?? {}) as Partial<Entry>;
  return typeof baseUrl === 'string' && Number.isSafeInteger(jobId);
}
