import type { Streams } from './streams.ts';

/** Where and when something is shown: all that a view knows besides the value. */
export interface View {
  /** False for a pipe or a file: lists are then tab-separated, and nothing is shortened or wrapped. */
  readonly isTerminal: boolean;
  readonly columns: number;
  readonly paint: Paint;
  readonly now: number;
  /** What mends a field: the flag that sets it, where there is one. */
  readonly mend: (field: string) => string | undefined;
}

/** The view of stdout at the time `now`. */
export function viewOf(streams: Streams, now: number, mend: View['mend'] = () => undefined): View {
  const { stdoutIsTerminal, columns, colour } = streams;
  return { isTerminal: stdoutIsTerminal, columns, paint: painter(colour), now, mend };
}

/** The view of stderr at the time `now`. */
export function viewOfErr(streams: Streams, now: number, mend: View['mend'] = () => undefined): View {
  const { stderrIsTerminal, columnsErr, colourErr } = streams;
  return { isTerminal: stderrIsTerminal, columns: columnsErr, paint: painter(colourErr), now, mend };
}

/** The SGR codes that start and end a style. Sixteen-colour codes only: the terminal's theme decides. */
const STYLES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;

export type Style = keyof typeof STYLES;

/** Gives `text` a style, or leaves it as it is where there is no colour. */
export type Paint = (style: Style | undefined, text: string) => string;

export function painter(colour: boolean): Paint {
  return (style, text) => {
    if (!colour || style === undefined || text === '') return text;
    const [start, end] = STYLES[style];
    return `\x1b[${start}m${text}\x1b[${end}m`;
  };
}
