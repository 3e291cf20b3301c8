import type { ErrorCode, PartnerError } from '../../contract/errors.ts';

/** What every further call would meet as well. */
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

/** One such call may be bad luck; many in a row are a server that is down, or that refuses everything. */
const LOST_CALLS: readonly ErrorCode[] = ['UNREACHABLE', 'TIMED_OUT', 'RATE_LIMITED', 'OUTCOME_UNKNOWN'];
const LOST_CALLS_MAX = 16;

export class RunStop {
  reason: PartnerError | undefined;
  #lostInARow = 0;

  stop(because: PartnerError): void {
    this.reason ??= because;
  }

  note(error: PartnerError | undefined): void {
    this.#lostInARow = error !== undefined && LOST_CALLS.includes(error.code) ? this.#lostInARow + 1 : 0;
    if (error === undefined) return;
    if (STOPS_ALL.includes(error.code) || this.#lostInARow >= LOST_CALLS_MAX) this.stop(error);
  }
}
