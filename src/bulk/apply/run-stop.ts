import { type ErrorCode, PartnerError } from '../../contract/errors.ts';

export const STATE_GONE: readonly ErrorCode[] = ['STATE_LOCK_LOST', 'STATE_UNREACHABLE'];

/** Errors that stop the run, because every further request would get them too. */
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

/** Errors that mean a server outage only if they occur many times in a row. */
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

/** Refusals that concern the company, not the listing. The user must act in the dashboard (section 8). */
export const GATES: readonly string[] = ['AGREEMENT_OUTDATED', 'PAYMENT_METHOD_REQUIRED'];

export class PublishCircuitBreaker {
  refusal: PartnerError | undefined;
  #isClosed = false;
  #firstCall: Promise<unknown> | undefined;

  /** Runs the first call alone, while others wait for its outcome. After a refusal, all calls throw that error. */
  async pass<T>(call: () => Promise<T>): Promise<T> {
    while (!this.#isClosed && this.refusal === undefined && this.#firstCall !== undefined)
      await this.#firstCall;
    if (this.refusal !== undefined) throw this.refusal;
    const going = this.#attempt(call);
    if (!this.#isClosed) {
      const endFirstCall = (): void => {
        this.#firstCall = undefined;
      };
      this.#firstCall = going.then(endFirstCall, endFirstCall);
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
