import { PartnerError } from '../../contract/errors.ts';

/** The refusals that concern the company and not the listing: a person must act in the dashboard (section 8). */
const GATES: readonly string[] = ['AGREEMENT_OUTDATED', 'PAYMENT_METHOD_REQUIRED'];

/** Stops publishing once terms or card have refused it: one call finds that out, not all of them. */
export interface PublishCircuitBreaker {
  /** The first call goes alone, and the others wait for its outcome; once refused, they throw that refusal. */
  pass<T>(call: () => Promise<T>): Promise<T>;
  readonly refusal: PartnerError | undefined;
}

export function createPublishCircuitBreaker(): PublishCircuitBreaker {
  let refusal: PartnerError | undefined;
  let isOpen = false;
  let firstCall: Promise<unknown> | undefined;

  const attempt = async <T>(call: () => Promise<T>): Promise<T> => {
    try {
      const result = await call();
      isOpen = true;
      return result;
    } catch (error) {
      if (error instanceof PartnerError && GATES.includes(error.code)) refusal ??= error;
      throw error;
    }
  };

  return {
    get refusal() {
      return refusal;
    },
    async pass(call) {
      while (!isOpen && refusal === undefined && firstCall !== undefined) await firstCall;
      if (refusal !== undefined) throw refusal;
      if (isOpen) return attempt(call);
      const going = attempt(call);
      firstCall = going
        .catch(() => {})
        .then(() => {
          firstCall = undefined;
        });
      return going;
    },
  };
}
