import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A process that runs a script of this directory, once it has sent its first message. */
export async function forked(script: string, ...argv: string[]): Promise<ChildProcess> {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = fork(path, argv, { execArgv: ['--import', 'tsx'] });
  await once(child, 'message');
  return child;
}
