import type { Streams } from './terminal/streams.ts';

/** The outside world of a command, which a test replaces. */
export interface CliContext {
  readonly streams: Streams;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: () => number;
  /** For waits and durations: never goes back. */
  readonly monotonicNow: () => number;
  readonly interrupted: AbortSignal;
}
