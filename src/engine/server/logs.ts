import { once } from 'node:events';
import { setTimeout as after, setImmediate } from 'node:timers/promises';
import { destination, pino, stdTimeFunctions } from 'pino';
import { reportOf } from '../../contract/fault-report.ts';
import { maskKeys } from '../../contract/outside-text.ts';
import { codeOf } from '../../contract/system-errors.ts';
import type { AnsweredRequest, Observer } from './observer.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** Says what a server does; never throws, and never waits for who reads it. */
export interface ServerLog extends Observer {
  event(level: 'info' | 'warn' | 'error', message: string, facts?: object): void;
  /** Resolves when everything is written, or cannot be. */
  close(): Promise<void>;
}

const STDERR = 2;
/** Lines that nobody reads are kept up to this, and are lost from then on. */
const UNREAD_BYTES_MAX = 4 * 1024 * 1024;
const CLOSE_MS = 1_000;
/** What watches the server asks for these every few seconds. */
const PROBES = ['healthz', 'readyz'];

/** What may be answered without the database. */
const WITHOUT_DATABASE = ['', 'healthz', 'openapi', 'dashboard'];

/** A log of one JSON object a line on stderr; keys are masked wherever they stand. */
export function openLog(level: LogLevel): ServerLog {
  let isClosed = false;
  const stderr = destination({
    dest: STDERR,
    sync: false,
    maxLength: UNREAD_BYTES_MAX,
    // The process could not end while it tries to write to a reader that has stopped.
    retryEAGAIN: () => !isClosed,
  });
  const log = pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      hooks: { streamWrite: maskKeys },
    },
    stderr,
  );
  // The write of an empty text tries what is kept again, as on a disk that was full.
  stderr.on('drop', () => stderr.write(''));
  let isBroken = false;
  stderr.on('error', () => {
    isBroken = true;
  });
  stderr.on('drain', () => {
    isBroken = false;
  });
  /** The method of the request that found the database lost; undefined where none has. */
  let lostMethod: string | undefined;
  return {
    event: (kind, message, facts) => log[kind]({ ...facts }, message),
    answered(request) {
      const { method, operation = '', status, fault } = request;
      if (lostMethod === undefined && codeOf(fault) === 'DATABASE_UNUSABLE') {
        lostMethod = method;
        log.error({ error: reportOf(fault) }, 'database lost');
      }
      const level = levelOf(request);
      if (log.isLevelEnabled(level)) log[level](lineOf(request), 'request');
      // Only a request of the same method shows that it is back: on a full disk reads still work.
      if (lostMethod === method && status > 0 && status < 300 && !WITHOUT_DATABASE.includes(operation)) {
        lostMethod = undefined;
        log.info('database back');
      }
    },
    async close() {
      // Requests that were cut off at the end are logged when their sockets close: a turn of the event loop later.
      await setImmediate();
      await setImmediate();
      log.level = 'silent';
      const closed = once(stderr, 'close').catch(() => undefined);
      stderr.end();
      if (!isBroken) await Promise.race([closed, after(CLOSE_MS, undefined, { ref: false })]);
      isClosed = true;
      stderr.destroy();
    },
  };
}

function levelOf({ status, operation = '', fault }: AnsweredRequest): 'debug' | 'info' | 'warn' | 'error' {
  // Without a fault it is a server that is stopping.
  if (status === 503) return fault === undefined ? 'info' : 'warn';
  if (status >= 500) return 'error';
  return PROBES.includes(operation) ? 'debug' : 'info';
}

function lineOf({ fault, path, ...request }: AnsweredRequest) {
  const { durationMs, remoteAddress } = request;
  return {
    ...request,
    path: withoutKeys(path),
    durationMs: Math.round(durationMs * 100) / 100,
    remoteAddress: remoteAddress.replace(/^::ffff:(?=[\d.]+$)/i, ''),
    ...(fault === undefined ? {} : { error: reportOf(fault) }),
  };
}

/** A key is also found where it is percent-encoded. */
function withoutKeys(path: string): string {
  const decoded = path.replace(/%([0-7][\da-f])/gi, (_, code) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  return maskKeys(decoded) === decoded ? path : maskKeys(decoded);
}
