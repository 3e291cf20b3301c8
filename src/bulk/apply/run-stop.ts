import { type ErrorCode, PartnerError } from '../../contract/errors.ts';

export const STATE_GONE: readonly ErrorCode[] = ['STATE_LOCK_LOST', 'STATE_UNREACHABLE'];

/** What every further call would meet as well. */
const STOPS_ALL: readonly ErrorCode[] = [
  'KEY_MISSING',
  'INVALID_SERVICE_KEY',
  'FORBIDDEN',
  'INSECURE_BASE_URL',
  'JOURNAL_UNWRITABLE',
  ...STATE_GONE,
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

/** The refusals that concern the company and not the listing: a person must act in the dashboard (section 8). */
export const GATES: readonly string[] = ['AGREEMENT_OUTDATED', 'PAYMENT_METHOD_REQUIRED'];

/** Stops publishing once terms or card have refused it: one call finds that out, not all of them. */
export class PublishCircuitBreaker {
  refusal: PartnerError | undefined;
  #isClosed = false;
  #firstCall: Promise<unknown> | undefined;

  /** The first call goes alone, and the others wait for its outcome; once refused, they throw that refusal. */
  async pass<T>(call: () => Promise<T>): Promise<T> {
    while (!this.#isClosed && this.refusal === undefined && this.#firstCall !== undefined)
      await this.#firstCall;
    if (this.refusal !== undefined) throw this.refusal;
    const going = this.#attempt(call);
    if (!this.#isClosed) {
      const ended = (): void => {
        this.#firstCall = undefined;
      };
      this.#firstCall = going.then(ended, ended);
    }
    return going;
  }

  async #attempt<T>(call: () => Promise<T>): Promise<T> {
    try {
      const result = await call();
      this.#isClosed = true;
      return result;
    } catch (error) {
      if (error instanceof PartnerError && GATES.includes(error.code)) this.refusal ??= error;
      throw error;
    }
  }
}
