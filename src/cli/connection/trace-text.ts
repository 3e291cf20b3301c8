import type { TraceEvent, Wait } from '../../client/client.ts';
import { clean } from '../terminal/clean.ts';

/** One step of a call for `--debug`: what was sent, what came back, how long it took. The key is masked already. */
export function traceText(event: TraceEvent): string {
  const lines = [`${event.method} ${event.url}${event.attempt > 1 ? ` (attempt ${event.attempt})` : ''}`];
  if (event.kind === 'failure')
    return `${clean(`× ${lines[0]}: ${event.message} after ${event.durationMs} ms`)}\n`;
  const sign = event.kind === 'request' ? '>' : '<';
  if (event.kind === 'answer') lines[0] += ` ${event.status} after ${event.durationMs} ms`;
  lines.push(...Object.entries(event.headers).map(([name, value]) => `${name}: ${value}`));
  if (event.body !== '') lines.push(...event.body.split('\n'));
  return lines.map((line) => `${clean(`${sign} ${line}`)}\n`).join('');
}

/** Said while a call waits to be repeated, so that nobody takes it for hung. */
export function waitText({ reason, waitMs }: Wait): string {
  const seconds = (Math.max(waitMs, 100) / 1000).toFixed(1);
  return `${clean(`${reason}; trying again in ${seconds} s`)}\n`;
}
