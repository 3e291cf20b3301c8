import { PartnerError } from '../../contract/errors.ts';

/** The refusals that concern the company and not the listing: a person must act in the dashboard (section 8). */
const GATES: readonly string[] = ['AGREEMENT_OUTDATED', 'PAYMENT_METHOD_REQUIRED'];

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
