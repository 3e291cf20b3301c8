import { readFileSync, readlinkSync } from 'node:fs';
import { isObject } from './state-text.ts';

/** Who holds a lock, as its file says it. */
export interface LockHolder {
  /** Of this one lock and no other. */
  readonly id: string;
  readonly pid: number;
  readonly host: string;
  /** The boot of the kernel and the space that the pid is of; undefined where the system does not tell. */
  readonly machine?: string | undefined;
  /** When the process was started, in the kernel's own count; undefined where the system does not tell. */
  readonly start?: string | undefined;
  /** Since when it is held, in epoch ms. */
  readonly since: number;
  readonly command: string;
}

/** What the system tells of processes. */
export interface Processes {
  readonly isAlive: (pid: number) => boolean;
  /** See `LockHolder.start`. */
  readonly startOf: (pid: number) => string | undefined;
  /** See `LockHolder.machine`. */
  readonly machine: string | undefined;
}

/** The processes of this machine, as far as this one may see them. */
export function theseProcesses(): Processes {
  return { isAlive, startOf, machine: thisMachine() };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It is another user's.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * proc_pid_stat(5): behind the name, which may hold anything, the state comes first and the start time 20th.
 * A process that has ended and that its parent has not noticed is none.
 */
function startOf(pid: number): string | undefined {
  const stat = textOf(() => readFileSync(`/proc/${pid}/stat`, 'latin1'));
  const [state = '', ...rest] = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
  return /[ZXx]/.test(state) ? 'ended' : rest[18];
}

/** A pid is told apart by the kernel's boot and the pid namespace: containers of one host have one boot. */
function thisMachine(): string | undefined {
  const boot = textOf(() => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim());
  const space = textOf(() => readlinkSync('/proc/self/ns/pid'));
  return boot === undefined ? undefined : `${boot} ${space ?? ''}`.trim();
}

function textOf(read: () => string): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** The holder that a lock file's text names; undefined where it names none. */
export function parseHolder(text: string): LockHolder | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value)) return undefined;
    const { id, pid, host, since, command } = value;
    const isHolder =
      typeof id === 'string' &&
      /^[\w-]+$/.test(id) &&
      Number.isSafeInteger(pid) &&
      typeof host === 'string' &&
      Number.isSafeInteger(since) &&
      typeof command === 'string';
    return isHolder ? (value as unknown as LockHolder) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Whether the process that a lock names is at work; undefined where that cannot be seen from here: it is on
 * another machine, in another container, or from before a restart.
 */
export function isAtWork(
  holder: LockHolder,
  here: { readonly host: string; readonly processes: Processes },
): boolean | undefined {
  const { isAlive, startOf, machine } = here.processes;
  if (holder.host !== here.host || holder.machine !== machine) return undefined;
  if (!isAlive(holder.pid)) return false;
  const start = startOf(holder.pid);
  return holder.start === undefined || start === undefined || start === holder.start;
}
