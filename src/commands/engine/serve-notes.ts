import { reportOf } from '../../contract/fault-report.ts';
import { isLoopback } from '../../contract/uri.ts';
import type { ReportBug } from '../../engine/parts.ts';
import type { ServerLog } from '../../engine/server/logs.ts';

/** The log of a server for the person at its terminal: what went wrong, as notes. */
export function logOfNotes(note: (lines: string | readonly string[]) => Promise<void>): ServerLog {
  return {
    event(level, message, facts = {}) {
      if (level === 'info') return;
      const details = Object.entries(facts).map(([name, value]) => `  ${name}: ${value}`);
      void note([`${level === 'warn' ? 'warning' : level}: ${message}`, ...details]);
    },
    answered({ method, path, status, requestId, fault }) {
      if (fault === undefined) return;
      const [first, ...stack] = reportOf(fault).split('\n');
      void note([
        `error: ${method} ${path} was answered ${status}: ${first}`,
        ...stack,
        `  request ${requestId}`,
      ]);
    },
    close: async () => {},
  };
}

/** A fault that a request met is logged with it, once it is answered. */
export function reportBugTo(log: ServerLog): ReportBug {
  return (fault, _, origin) => {
    if (origin?.facts === undefined) log.event('error', reportOf(fault));
    else origin.facts.fault = fault;
  };
}

export function dashboardNote(url: string): string {
  // A server that listens on every address is reached at this machine's own.
  const origin = new URL(url).origin.replace('//0.0.0.0', '//127.0.0.1').replace('//[::]', '//[::1]');
  return `the dashboard is on ${origin}/dashboard; \`partner dashboard --at ${origin}\` signs you in`;
}

/** What other machines reach of a server, and who there; undefined where it listens on this machine alone. */
export function exposure(url: string, metricsUrl: string | undefined) {
  if (isLoopback(new URL(url).hostname)) return undefined;
  const message =
    'it is open to other machines, over plain http: whoever can listen on the network can do as you do. Put a proxy with TLS before it (docs/engine.md)';
  return {
    message,
    facts: {
      '/v1': 'whoever has a partner key',
      '/candidate/v1': 'anybody, to look at live jobs and to apply',
      '/dashboard': 'whoever has a sign-in link',
      '/healthz and /readyz': 'anybody',
      ...(metricsUrl === undefined ? {} : { [metricsUrl]: 'anybody' }),
    },
  };
}
