import { type Paint, painter } from './paint.ts';
import type { Streams } from './streams.ts';

/** Where and when something is shown: all that a view knows besides the value. */
export interface View {
  /** False for a pipe or a file: lists are then tab-separated, and nothing is shortened or wrapped. */
  readonly isTerminal: boolean;
  /** Infinity where nothing has to fit. */
  readonly columns: number;
  readonly paint: Paint;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** What mends a field: the flag that sets it, where there is one. */
  readonly mend: Mend;
}

export type Mend = (field: string) => string | undefined;

/** The view of stdout at the time `now`. */
export function viewOf(streams: Streams, now: number, mend: Mend = () => undefined): View {
  const { stdoutIsTerminal, columns, colour } = streams;
  return { isTerminal: stdoutIsTerminal, columns, paint: painter(colour), now, mend };
}

/** The view of stderr at the time `now`. */
export function viewOfErr(streams: Streams, now: number, mend: Mend = () => undefined): View {
  const { stderrIsTerminal, columnsErr, colourErr } = streams;
  return { isTerminal: stderrIsTerminal, columns: columnsErr, paint: painter(colourErr), now, mend };
}
