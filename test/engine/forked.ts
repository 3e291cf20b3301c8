import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { childScript } from '../child-script.ts';

export async function forked(script: string, ...argv: string[]): Promise<ChildProcess> {
  const child = fork(await childScript(new URL(script, import.meta.url)), argv, { execArgv: [] });
  const ended = once(child, 'exit').then(([code]) => Promise.reject(new Error(`${script}: exit ${code}`)));
  await Promise.race([once(child, 'message'), ended]);
  ended.catch(() => {});
  return child;
}
