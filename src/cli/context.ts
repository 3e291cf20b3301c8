import type { Streams } from './terminal/streams.ts';

/** What a command is given of the world, so that a test can give it another one. */
export interface CliContext {
  readonly streams: Streams;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Milliseconds that only go forward, whatever is done to the clock: for waits and durations. */
  readonly monotonicNow: () => number;
  /** Aborted by the first Ctrl-C. */
  readonly interrupted: AbortSignal;
}
