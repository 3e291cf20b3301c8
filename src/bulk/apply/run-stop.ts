import type { ErrorCode, PartnerError } from '../../contract/errors.ts';

/** What the next call would meet as well: a run does not ask a thousand times. */
const STOPS_ALL: readonly ErrorCode[] = [
  'KEY_MISSING',
  'INVALID_SERVICE_KEY',
  'FORBIDDEN',
  'INSECURE_BASE_URL',
  'JOURNAL_UNWRITABLE',
  'DATABASE_UNUSABLE',
  'LINK_REFUSED',
  'WAIT_TOO_LONG',
  'INTERRUPTED',
];

/**
 * A server that is down and one that drops calls look the same to one call, not to many in a row; nor do one that
 * refuses everything and one that refuses what is too much.
 */
const LOST_CALLS: readonly ErrorCode[] = ['UNREACHABLE', 'TIMED_OUT', 'RATE_LIMITED', 'OUTCOME_UNKNOWN'];
const LOST_CALLS_MAX = 16;

/** Whether a run goes on, judged by what comes of its calls. */
export interface RunStop {
  /** Why nothing more is begun. */
  readonly reason: PartnerError | undefined;
  /** Ends the run from outside, as Ctrl-C does. */
  stop(reason: PartnerError): void;
  /** Is told of each call that ended: with its error, or with none. */
  note(error: PartnerError | undefined): void;
}

export function createRunStop(): RunStop {
  let reason: PartnerError | undefined;
  let lostInARow = 0;
  return {
    get reason() {
      return reason;
    },
    stop(because) {
      reason ??= because;
    },
    note(error) {
      lostInARow = error !== undefined && LOST_CALLS.includes(error.code) ? lostInARow + 1 : 0;
      if (error === undefined) return;
      if (STOPS_ALL.includes(error.code) || lostInARow >= LOST_CALLS_MAX) reason ??= error;
    },
  };
}
