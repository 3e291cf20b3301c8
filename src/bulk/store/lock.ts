import { randomUUID } from 'node:crypto';
import {
  constants,
  copyFileSync,
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { PartnerError } from '../../contract/errors.ts';
import { isAtWork, type LockHolder, type Processes, parseHolder, theseProcesses } from './lock-holder.ts';
import { besideState, forgetFile, makeDirectoryOf } from './replace-file.ts';
import { codeOf, notPossible } from './unusable.ts';

/** How often a held lock shows that its holder lives. */
const BEAT_MS = 10_000;
/** Without a beat for so long, a lock whose holder cannot be seen from here is nobody's. */
const SILENCE_MS = 60_000;
/** Each attempt fails only because another process has just taken or left the lock. */
const ATTEMPTS = 50;

export interface StateLock {
  /** Gives the lock back; one that has become another's meanwhile is left alone. */
  release(): Promise<void>;
}

export interface LockOptions {
  readonly now: () => number;
  readonly host: string;
  readonly pid: number;
  /** What is run, for whoever finds the lock taken. */
  readonly command: string;
  readonly processes?: Processes;
}

/** The lock of a state, which an apply holds while it works. */
export function lockPath(statePath: string): string {
  return besideState(statePath, '.lock');
}

/**
 * Takes the lock of a state. One whose holder has ended on this machine is taken over at once, one that
 * cannot be seen from here after a minute without a sign of life. Throws STATE_LOCKED with who holds
 * it, and STATE_UNUSABLE where the lock's file cannot be written.
 *
 * A lock is taken over by making a file that is named after its id, which only one process can: the lock and
 * such files are a chain, and who stands at its end has the lock. The lock itself is then
 * replaced, never removed, so that nobody finds it missing meanwhile.
 */
export async function lockState(statePath: string, options: LockOptions): Promise<StateLock> {
  const path = lockPath(statePath);
  const { now, host, pid, command, processes = theseProcesses() } = options;
  const { machine } = processes;
  const self: LockHolder = {
    id: randomUUID(),
    pid,
    host,
    machine,
    start: processes.startOf(pid),
    since: now(),
    command,
  };
  const draft = `${path}.${self.id}.draft`;
  try {
    makeDirectoryOf(path);
    writeFileSync(draft, `${JSON.stringify(self)}\n`, { flag: 'wx' });
    beat(draft, now());
    take(path, draft, self, { now, host, processes });
    sweep(path, now());
  } catch (error) {
    throw error instanceof PartnerError ? error : notPossible('written', path, error);
  } finally {
    forgetFile(draft);
  }
  return held(path, self.id, now);
}

interface Here {
  readonly now: () => number;
  readonly host: string;
  readonly processes: Processes;
}

function take(path: string, draft: string, self: LockHolder, here: Here): void {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const chain = chainFrom(path);
    const last = chain.at(-1);
    if (last === undefined) {
      if (claims(draft, path)) return;
      continue;
    }
    if (isHeld(last, here)) throw locked(path, last);
    const successor = successorPath(path, last.id);
    if (!claims(draft, successor)) continue;
    // The chain may have been another by the time that the file was made.
    if (chainFrom(path).at(-1)?.id === self.id) {
      renameSync(draft, path);
      for (const { id } of chain) rmSync(successorPath(path, id), { force: true });
      return;
    }
    rmSync(successor, { force: true });
  }
  throw locked(path, undefined);
}

/** A lock as it lies on the disk. */
interface Found {
  readonly id: string;
  /** Undefined where the file names nobody. */
  readonly holder: LockHolder | undefined;
  readonly beatAt: number;
}

function chainFrom(path: string): Found[] {
  const chain: Found[] = [];
  for (let found = foundAt(path); found !== undefined; found = foundAt(successorPath(path, found.id))) {
    chain.push(found);
  }
  return chain;
}

function successorPath(path: string, id: string): string {
  return `${path}.${id}`;
}

function foundAt(path: string): Found | undefined {
  try {
    const holder = parseHolder(readFileSync(path, 'utf8'));
    const { mtimeMs, ino } = statSync(path);
    return { id: holder?.id ?? `unnamed-${ino}`, holder, beatAt: mtimeMs };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function isHeld({ holder, beatAt }: Found, here: Here): boolean {
  const isSeen = holder === undefined ? undefined : isAtWork(holder, here);
  return isSeen ?? here.now() - beatAt <= SILENCE_MS;
}

/** Removes what processes have left that were killed in the middle of taking the lock. */
function sweep(path: string, now: number): void {
  const ofLock = `${basename(path)}.`;
  for (const name of readdirSync(dirname(path))) {
    if (!name.startsWith(ofLock) || !/^[\da-f-]{36}(?:\.draft)?$/.test(name.slice(ofLock.length))) continue;
    const file = join(dirname(path), name);
    const { mtimeMs = now } = statSync(file, { throwIfNoEntry: false }) ?? {};
    if (now - mtimeMs > SILENCE_MS) rmSync(file, { force: true });
  }
}

/** Gives the file a second name that nothing has yet, its content whole from the first moment. */
function claims(draft: string, path: string): boolean {
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(codeOf(error))) throw error;
  }
  // A file system without second names.
  try {
    copyFileSync(draft, path, constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

function held(path: string, id: string, now: () => number): StateLock {
  const isOurs = (): boolean => foundAt(path)?.id === id;
  const timer = setInterval(() => {
    try {
      if (isOurs()) beat(path, now());
    } catch {
      // The next beat may pass; without any, only a process on another machine can take the lock.
    }
  }, BEAT_MS);
  timer.unref();
  return {
    async release() {
      clearInterval(timer);
      try {
        if (isOurs()) rmSync(path, { force: true });
      } catch (error) {
        throw notPossible('written', path, error);
      }
    },
  };
}

function beat(path: string, at: number): void {
  utimesSync(path, at / 1000, at / 1000);
}

function locked(path: string, found: Found | undefined): PartnerError {
  const holder = found?.holder;
  const who =
    holder === undefined
      ? 'by a process that does not say who it is'
      : `by process ${holder.pid} on ${holder.host} since ${new Date(holder.since).toISOString()}: ${holder.command}`;
  return new PartnerError('STATE_LOCKED', {
    message: `the state is locked ${who}`,
    hint: `wait until it has ended; a lock that nothing holds is taken over, on another machine after a minute; if you know that it has ended, remove ${path}`,
  });
}
