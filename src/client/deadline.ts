import { PartnerError } from '../contract/errors.ts';

const LONGEST_TIMER_MS = 2 ** 31 - 1;

export type Deadline = ReturnType<typeof startDeadline>;

export interface DeadlineOptions {
  readonly timeoutMs: number;
  readonly monotonicNow: () => number;
  readonly signal?: AbortSignal | undefined;
}

/** The reason is TIMED_OUT or INTERRUPTED; `own` is the call's own signal. */
export function startDeadline({ timeoutMs, monotonicNow, signal }: DeadlineOptions, own?: AbortSignal) {
  const controller = new AbortController();
  // By hand: a listener on the signal for each of them would cost more than a call in this process.
  const waiting = new Set<(reason: PartnerError) => void>();
  const abort = (reason: PartnerError): void => {
    if (controller.signal.aborted) return;
    controller.abort(reason);
    for (const reject of waiting) reject(reason);
  };
  /** Never waits past the deadline, whether or not `work` heeds the signal. */
  const within = <T>(work: Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      if (controller.signal.aborted) reject(controller.signal.reason);
      waiting.add(reject);
      work.then(resolve, reject).finally(() => waiting.delete(reject));
    });
  const interrupt = () => abort(new PartnerError('INTERRUPTED'));
  let atMs = monotonicNow() + timeoutMs;
  const timerFor = (leftMs: number) =>
    setTimeout(() => abort(timedOut(timeoutMs)), Math.min(leftMs, LONGEST_TIMER_MS));
  let timer = timerFor(timeoutMs);
  for (const stop of [signal, own]) {
    stop?.addEventListener('abort', interrupt, { once: true });
    if (stop?.aborted) interrupt();
  }

  return {
    /** On the clock of `monotonicNow`. */
    get atMs(): number {
      return atMs;
    },
    /** Its reason is a PartnerError. */
    signal: controller.signal,
    within,
    /** The clock stands still meanwhile: a turn in a queue is not the call's own time. */
    async outside<T>(work: () => Promise<T>): Promise<T> {
      clearTimeout(timer);
      const leftMs = atMs - monotonicNow();
      try {
        return await within(work());
      } finally {
        atMs = monotonicNow() + leftMs;
        timer = timerFor(leftMs);
      }
    },
    /** Frees the timer, which would keep the process alive. */
    end(): void {
      clearTimeout(timer);
      for (const stop of [signal, own]) stop?.removeEventListener('abort', interrupt);
    },
  };
}

function timedOut(timeoutMs: number): PartnerError {
  return new PartnerError('TIMED_OUT', {
    message: `the call did not end within ${timeoutMs < 1000 ? `${timeoutMs} ms` : `${timeoutMs / 1000} s`}`,
  });
}
