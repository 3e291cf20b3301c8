import { once } from 'node:events';
import { setTimeout as after, setImmediate } from 'node:timers/promises';
import { destination, pino, stdTimeFunctions } from 'pino';
import { describeFault, getErrorCode } from '../../contract/system-errors.ts';
import { maskKeys } from '../../text/outside-text.ts';
import type { AnsweredRequest, Observer } from './observer.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

export interface ServerLog extends Observer {
  event(level: 'info' | 'warn' | 'error', message: string, facts?: object): void;
  close(): Promise<void>;
}

const STDERR = 2;
const UNREAD_BYTES_MAX = 4 * 1024 * 1024;
const CLOSE_MS = 1_000;
const PROBES = ['healthz', 'readyz'];

/** Operations that can succeed without the database. Their success doesn't prove that the database works again. */
const WITHOUT_DATABASE = ['', 'healthz', 'openapi', 'dashboard'];

/** Logs one JSON object per line to stderr, with keys masked everywhere. */
export function openLog(level: LogLevel): ServerLog {
  let isClosed = false;
  const stderr = destination({
    dest: STDERR,
    sync: false,
    maxLength: UNREAD_BYTES_MAX,
    // Otherwise, the process couldn't exit while its log reader is stalled.
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
  // Writing an empty string retries the buffered lines, for example after a full disk.
  stderr.on('drop', () => stderr.write(''));
  let isBroken = false;
  stderr.on('error', () => {
    isBroken = true;
  });
  stderr.on('drain', () => {
    isBroken = false;
  });
  /** Method of the request that failed when the database became unavailable. Undefined if it's available. */
  let lostMethod: string | undefined;
  return {
    event: (kind, message, facts) => log[kind]({ ...facts }, message),
    noteAnswer(request) {
      const { method, operation = '', status, fault } = request;
      if (lostMethod === undefined && getErrorCode(fault) === 'DATABASE_UNUSABLE') {
        lostMethod = method;
        log.error({ error: describeFault(fault) }, 'database lost');
      }
      const level = chooseLevel(request);
      if (log.isLevelEnabled(level)) log[level](toLogLine(request), 'request');
      // Only a request with the same method proves recovery, because reads still work on a full disk.
      if (lostMethod === method && status > 0 && status < 300 && !WITHOUT_DATABASE.includes(operation)) {
        lostMethod = undefined;
        log.info('database back');
      }
    },
    async close() {
      // Requests that were cut off are logged when their sockets close, one turn of the event loop later.
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

function chooseLevel({ status, operation = '', fault }: AnsweredRequest) {
  if (status === 503) return fault === undefined ? 'info' : 'warn';
  if (status >= 500) return 'error';
  return PROBES.includes(operation) ? 'debug' : 'info';
}

function toLogLine({ fault, path, ...request }: AnsweredRequest) {
  const { durationMs, remoteAddress } = request;
  return {
    ...request,
    path: withoutKeys(path),
    durationMs: Math.round(durationMs * 100) / 100,
    remoteAddress: remoteAddress.replace(/^::ffff:(?=[\d.]+$)/i, ''),
    ...(fault === undefined ? {} : { error: describeFault(fault) }),
  };
}

function withoutKeys(path: string): string {
  const decoded = path.replace(/%([0-7][\da-f])/gi, (_, code) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  return maskKeys(decoded) === decoded ? path : maskKeys(decoded);
}
