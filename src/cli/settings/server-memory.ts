import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { PartnerError } from '../../contract/errors.ts';
import { type LocationSuggestion, LocationSuggestionSchema } from '../../contract/job.ts';
import { attempt, getErrorReason } from '../../contract/system-errors.ts';
import { isObject } from '../../contract/values.ts';
import { withDirectoryLock } from '../../files/file-lock.ts';
import { appendOwnFile, readOwnFile, readOwnText, replaceFile } from '../../files/own-file.ts';

/** Jobs created on this machine, which are listed if the server can't list jobs (decision 5). */
export function openCreatedJobs(path: string, { baseUrl, profile }: Pick<Entry, 'baseUrl' | 'profile'>) {
  const readOwn = () => readLedger(path).filter((entry) => entry.baseUrl === baseUrl);
  return {
    /** Returns IDs, newest first. Throws CONFIG_UNREADABLE. */
    ids(): number[] {
      const ids = readOwn().flatMap(({ jobId }) => jobId ?? []);
      return [...new Set(ids.reverse())];
    },
    /** Returns the pending create of this content, if any. Throws CONFIG_UNREADABLE. */
    findUnansweredCreate(content: string): Entry | undefined {
      const last = readOwn().findLast((entry) => entry.content === content);
      return last?.jobId === undefined ? last : undefined;
    },
    /** Records a job, or a create without a response. Returns the reason if that fails. Never throws. */
    append(jobId: number | undefined, sentAt: number, create: Partial<Entry> = {}): string | undefined {
      try {
        const entry = { baseUrl, profile, jobId, ...create, at: new Date(sentAt).toISOString() };
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
        // Leaves an incomplete last line, because another process may still be writing it.
        appendOwnFile(path, `${JSON.stringify(entry)}\n`, 0o600);
        return undefined;
      } catch (error) {
        return `can't record job ${jobId ?? 'unknown'} in ${path}: ${getErrorReason(error)}`;
      }
    },
  };
}

interface Entry {
  readonly baseUrl: string;
  readonly profile?: string | undefined;
  readonly jobId?: number | undefined;
  readonly content?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly at: string;
}

/** An incomplete entry has no newline, so the next entry is on the same line. Quotes inside entries are escaped. */
const BEGINS = /\n|(?=\{"baseUrl":)/;

function readLedger(path: string): Entry[] {
  const hint = "check that it's a readable file, or move it";
  const text = readOwnText(path, `the list of created jobs in ${path}`, hint) ?? '';
  const lines = text.split(BEGINS);
  return lines.map((line): unknown => attempt(() => JSON.parse(line))).filter(isEntry);
}

function isEntry(value: unknown): value is Entry {
  const { baseUrl, jobId, content } = (value ?? {}) as Partial<Entry>;
  return (
    typeof baseUrl === 'string' && (jobId === undefined ? content !== undefined : Number.isSafeInteger(jobId))
  );
}

const KEPT_MAX = 1000;

export type ShownPlaces = ReturnType<typeof openShownPlaces>;

/** Places that each server has returned, because the API can't look up a place by ID. */
export function openShownPlaces(path: string, baseUrl: string) {
  const added = new Map<number, LocationSuggestion>();
  const listPlaces = (servers = readServers(path)) => parsePlaces(servers[baseUrl]);
  return {
    byId: (locationId: number): LocationSuggestion | undefined =>
      added.get(locationId) ?? listPlaces().find((place) => place.locationId === locationId),
    isEmpty: (): boolean => added.size === 0 && listPlaces().length === 0,
    add(places: readonly LocationSuggestion[]): void {
      for (const { locationId, displayName, city, stateProvince, country } of places) {
        added.set(locationId, { locationId, displayName, city, stateProvince, country });
      }
    },
    /** Ignores write errors, because places can be searched again. Throws only LINK_REFUSED. */
    async save(): Promise<void> {
      const names = new Map(listPlaces().map(({ locationId, displayName }) => [locationId, displayName]));
      const news = [...added.values()].filter((place) => names.get(place.locationId) !== place.displayName);
      if (news.length === 0) return;
      const write = (): void => {
        const servers = readServers(path);
        const others = listPlaces(servers).filter(({ locationId }) => !added.has(locationId));
        const places = [...others, ...added.values()].slice(-KEPT_MAX);
        replaceFile(path, `${JSON.stringify({ ...servers, [baseUrl]: places })}\n`, { isPrivate: true });
      };
      await withDirectoryLock(dirname(path), write).catch(throwIfLink);
    },
  };
}

type ShownJob = readonly [id: number, title: string];

/** IDs and titles of the jobs that `jobs list` showed last, by server. Completion offers them without a request. */
export function listShownJobs(path: string, server: string): readonly ShownJob[] {
  const jobs = readServers(path)[server];
  return Array.isArray(jobs) ? jobs.filter((job) => Array.isArray(job) && Number.isSafeInteger(job[0])) : [];
}

/** Ignores write errors, because jobs can be listed again. Throws only LINK_REFUSED. */
export async function saveShownJobs(path: string, server: string, jobs: readonly ShownJob[]): Promise<void> {
  const write = (): void =>
    replaceFile(path, `${JSON.stringify({ ...readServers(path), [server]: jobs })}\n`, { isPrivate: true });
  await withDirectoryLock(dirname(path), write).catch(throwIfLink);
}

function readServers(path: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(String(readOwnFile(path)));
    return isObject(value) ? value : {};
  } catch (error) {
    throwIfLink(error);
    return {};
  }
}

function parsePlaces(value: unknown): LocationSuggestion[] {
  const isPlace = (place: unknown) => LocationSuggestionSchema.safeParse(place, { jitless: true }).success;
  return Array.isArray(value) ? value.filter(isPlace) : [];
}

function throwIfLink(error: unknown): void {
  if (error instanceof PartnerError && error.code === 'LINK_REFUSED') throw error;
}
