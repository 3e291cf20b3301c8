import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { PartnerError } from '../../contract/errors.ts';
import { type LocationSuggestion, LocationSuggestionSchema } from '../../contract/job.ts';
import { reasonOf } from '../../contract/system-errors.ts';
import { tried } from '../../contract/tried.ts';
import { withDirectoryLock } from '../../files/file-lock.ts';
import { appendOwnFile, readOwnFile, readOwnText, replaceFile } from '../../files/own-file.ts';

/** The jobs that this client has made at `baseUrl`: what is listed where the server lists none (decision 5). */
export function openCreatedJobs(
  path: string,
  { baseUrl, profile }: { readonly baseUrl: string; readonly profile?: string | undefined },
) {
  const own = () => entriesIn(path).filter((entry) => entry.baseUrl === baseUrl);
  return {
    /** Their ids, newest first. Throws CONFIG_UNREADABLE where the file cannot be read. */
    ids(): number[] {
      const ids = own().flatMap(({ jobId }) => jobId ?? []);
      return [...new Set(ids.reverse())];
    },
    /** The last create of this content, if the server didn't respond. Throws CONFIG_UNREADABLE. */
    unanswered(content: string): Entry | undefined {
      const last = own().findLast((entry) => entry.content === content);
      return last?.jobId === undefined ? last : undefined;
    },
    /** Records a job, or a create without a response. Returns the reason if that fails. Never throws. */
    append(jobId: number | undefined, sentAt: number, create: Partial<Entry> = {}): string | undefined {
      try {
        const entry = { baseUrl, profile, jobId, ...create, at: new Date(sentAt).toISOString() };
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
        // A line before it that looks cut off is left: another process may be about to finish it.
        appendOwnFile(path, `${JSON.stringify(entry)}\n`, 0o600);
        return undefined;
      } catch (error) {
        return `job ${jobId ?? 'unknown'} could not be written to ${path}: ${reasonOf(error)}`;
      }
    },
  };
}

interface Entry {
  readonly baseUrl: string;
  /** Absent if the server didn't respond to the create. */
  readonly jobId?: number | undefined;
  /** A digest of what was sent. */
  readonly content?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  /** ISO 8601. */
  readonly at: string;
}

/** An entry may begin behind one that was cut off. No text in an entry matches, as its quotes are escaped. */
const BEGINS = /\n|(?=\{"baseUrl":)/;

function entriesIn(path: string): Entry[] {
  const hint = 'make it a file that you may read, or move it away';
  const text = readOwnText(path, `the list of jobs made here, ${path},`, hint) ?? '';
  return text.split(BEGINS).flatMap((line) => {
    const entry: unknown = tried(() => JSON.parse(line));
    return isEntry(entry) ? [entry] : [];
  });
}

function isEntry(value: unknown): value is Entry {
  const { baseUrl, jobId, content } = (value ?? {}) as Partial<Entry>;
  return (
    typeof baseUrl === 'string' && (jobId === undefined ? content !== undefined : Number.isSafeInteger(jobId))
  );
}

const KEPT_MAX = 1000;

export type ShownPlaces = ReturnType<typeof openShownPlaces>;

/** The places that the server at `baseUrl` has shown, in the file `path` with those of others: the API has no place by its id. */
export function openShownPlaces(path: string, baseUrl: string) {
  const added = new Map<number, LocationSuggestion>();
  const kept = (servers = read(path)) => placesIn(servers[baseUrl]);
  return {
    byId: (locationId: number): LocationSuggestion | undefined =>
      added.get(locationId) ?? kept().find((place) => place.locationId === locationId),
    isEmpty: (): boolean => added.size === 0 && kept().length === 0,
    add(places: readonly LocationSuggestion[]): void {
      for (const { locationId, displayName, city, stateProvince, country } of places) {
        added.set(locationId, { locationId, displayName, city, stateProvince, country });
      }
    },
    /** What cannot be written is searched for again. Throws only LINK_REFUSED. */
    async save(): Promise<void> {
      const names = new Map(kept().map(({ locationId, displayName }) => [locationId, displayName]));
      const news = [...added.values()].filter((place) => names.get(place.locationId) !== place.displayName);
      if (news.length === 0) return;
      const write = (): void => {
        const servers = read(path);
        const others = kept(servers).filter(({ locationId }) => !added.has(locationId));
        const places = [...others, ...added.values()].slice(-KEPT_MAX);
        replaceFile(path, `${JSON.stringify({ ...servers, [baseUrl]: places })}\n`, { isPrivate: true });
      };
      await withDirectoryLock(dirname(path), write).catch(throwIfLink);
    },
  };
}

/** An unreadable file counts as not there. */
function read(path: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(String(readOwnFile(path)));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch (error) {
    throwIfLink(error);
    return {};
  }
}

function placesIn(value: unknown): LocationSuggestion[] {
  const isPlace = (place: unknown) => LocationSuggestionSchema.safeParse(place, { jitless: true }).success;
  return Array.isArray(value) ? value.filter(isPlace) : [];
}

function throwIfLink(error: unknown): void {
  if (error instanceof PartnerError && error.code === 'LINK_REFUSED') throw error;
}
