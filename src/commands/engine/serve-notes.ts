import { describeFault } from '../../contract/system-errors.ts';
import { isLoopback } from '../../contract/uri.ts';
import type { EngineOptions } from '../../engine/open.ts';
import type { ServerLog } from '../../engine/server/logs.ts';

/** Logs only warnings and errors, for a user at the terminal. */
export function logOfNotes(note: (lines: string | readonly string[]) => Promise<void>): ServerLog {
  return {
    event(level, message, facts = {}) {
      if (level === 'info') return;
      const details = Object.entries(facts).map(([name, value]) => `  ${name}: ${value}`);
      void note([`${level === 'warn' ? 'warning' : level}: ${message}`, ...details]);
    },
    noteAnswer({ method, path, status, requestId, fault }) {
      if (fault === undefined) return;
      const details = describeFault(fault).split('\n');
      details[0] = `error: ${method} ${path} returned ${status}: ${details[0]}`;
      void note([...details, `  request ${requestId}`]);
    },
    close: async () => {},
  };
}

export function createReports(log: ServerLog): Pick<EngineOptions, 'reportBug' | 'reportSkew'> {
  return {
    // A fault in a request is added to that request's log entry instead.
    reportBug(fault, _, origin) {
      if (origin?.facts === undefined) log.event('error', describeFault(fault));
      else origin.facts.fault = fault;
    },
    reportSkew: (behindMs) => log.event('warn', WRONG_CLOCK, { behindMs }),
  };
}

const WRONG_CLOCK =
  "this machine's clock is wrong, so the engine uses the time of the database server. Set the clock";

export function dashboardNote(url: string): string {
  // If the server listens on all addresses, the link uses the loopback address.
  const origin = new URL(url).origin.replace('//0.0.0.0', '//127.0.0.1').replace('//[::]', '//[::1]');
  return `The dashboard is at ${origin}/dashboard. Sign in with \`partner dashboard --at ${origin}\`.`;
}

export function findExposure(url: string, metricsUrl: string | undefined) {
  if (isLoopback(new URL(url).hostname)) return undefined;
  const message =
    'other machines can reach the server over plain HTTP. Anyone who can read the network traffic can act as you. Put a TLS proxy in front of it (docs/engine.md)';
  return {
    message,
    facts: {
      '/v1': 'anyone with a partner key',
      '/candidate/v1': 'anyone, to view live jobs and apply',
      '/dashboard': 'anyone with a sign-in link',
      '/healthz and /readyz': 'anyone',
      ...(metricsUrl === undefined ? {} : { [metricsUrl]: 'anyone' }),
    },
  };
}
