import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface CommandLine {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: string | Uint8Array;
  readonly columns?: number | undefined;
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Reuses a process that has already loaded the bundle, because loading takes most of the time of a run. */
export async function runLoaded(line: CommandLine, withinMs: number): Promise<Ended> {
  const child = idle.pop() ?? loadedProcess();
  assert.ok(isRunning(child), 'the command line before has ended its process behind its answer');
  const hangs = setTimeout(() => child.kill('SIGKILL'), withinMs);
  const over = new AbortController();
  try {
    const answered = once(child, 'message', over).then(([ended]): Ended => ({ signal: null, ...ended }));
    const died = once(child, 'exit', over).then(
      ([code, signal]): Ended => ({ code, signal, stdout: '', stderr: 'the process that ran it has ended' }),
    );
    for (const never of [answered, died]) never.catch(() => {});
    child.send(line);
    return await Promise.race([answered, died]);
  } finally {
    over.abort();
    clearTimeout(hangs);
    if (isRunning(child)) idle.push(child);
  }
}

/** A process can respond just before it is killed, but it can't be reused. */
function isRunning({ exitCode, signalCode, killed }: ChildProcess): boolean {
  return exitCode === null && signalCode === null && !killed;
}

const idle: ChildProcess[] = [];

const PROGRAM = fileURLToPath(new URL('loaded.mjs', import.meta.url));

/** It ends with this process. Without `columns`, no stream is a terminal, wherever the tests run. */
function loadedProcess(): ChildProcess {
  const child = fork(PROGRAM, {
    execArgv: ['--expose-gc'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  child.unref();
  child.channel?.unref();
  return child;
}
