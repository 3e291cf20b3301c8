import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readOwnFile, replaceFile } from '../own-files/own-file.ts';

/** What a server of the bundled engine says of itself, for nobody but this machine's user to read. */
export interface AnnouncedServer {
  readonly pid: number;
  /** Where it is reached from this machine: `http://127.0.0.1:4650`. */
  readonly origin: string;
  /** By which it proves that it is the one: whoever takes over its port does not know it. */
  readonly secret: string;
  /** ISO 8601. */
  readonly startedAt: string;
}

/** Says in `directory` that a server runs, until `withdraw`. Throws as `replaceFile`. */
export function announce(directory: string, server: AnnouncedServer): void {
  replaceFile(pathOf(directory, server), `${JSON.stringify(server)}\n`, { isPrivate: true });
}

/** Says no longer that a server runs. Throws what the file system throws. */
export function withdraw(directory: string, server: AnnouncedServer): void {
  rmSync(pathOf(directory, server), { force: true });
}

/** The servers that said they run and have not taken it back, the latest first; those that were killed are among them. */
export function announcedServers(directory: string): AnnouncedServer[] {
  return namesIn(directory)
    .flatMap((name) => serverIn(join(directory, name)) ?? [])
    .sort((a, b) => (a.startedAt < b.startedAt ? 1 : -1));
}

function pathOf(directory: string, { pid, origin }: AnnouncedServer): string {
  return join(directory, `${pid}-${new URL(origin).port}.json`);
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory).filter((name) => name.endsWith('.json'));
  } catch {
    return [];
  }
}

/** What cannot be read, or is none of ours, says nothing. */
function serverIn(path: string): AnnouncedServer | undefined {
  try {
    const { pid, origin, secret, startedAt } = JSON.parse(String(readOwnFile(path)));
    const isServer = Number.isSafeInteger(pid) && pid > 0 && new URL(origin).protocol === 'http:';
    return isServer ? { pid, origin, secret: String(secret), startedAt: String(startedAt) } : undefined;
  } catch {
    return undefined;
  }
}
