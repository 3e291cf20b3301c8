import { PassThrough } from 'node:stream';
import { createWriter, type Streams } from '../../../src/cli/terminal/streams.ts';

export interface FakeStreams extends Streams {
  readonly stdin: PassThrough;
  /** What was written to stdout so far. */
  out(): string;
  /** What was written to stderr so far. */
  err(): string;
}

interface Setting {
  readonly isTerminal?: boolean;
  readonly columns?: number;
  readonly colour?: boolean;
}

/** Streams in memory: a pipe, unless it is said to be a terminal with somebody at it. */
export function fakeStreams({ isTerminal = false, columns = 80, colour = false }: Setting = {}): FakeStreams {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const gone = new AbortController();
  const written = { out: '', err: '' };
  stdout.on('data', (chunk) => {
    written.out += chunk;
  });
  stderr.on('data', (chunk) => {
    written.err += chunk;
  });
  const width = isTerminal ? columns : Number.POSITIVE_INFINITY;
  return {
    stdin,
    stderr: Object.assign(stderr, isTerminal ? TERMINAL : {}),
    stdinIsTerminal: isTerminal,
    stdoutIsTerminal: isTerminal,
    stderrIsTerminal: isTerminal,
    columns: width,
    columnsErr: width,
    colour,
    colourErr: colour,
    canAsk: isTerminal,
    showsProgress: isTerminal,
    readerGone: gone.signal,
    writeOut: createWriter(stdout, () => gone.abort()),
    writeErr: createWriter(stderr, () => {}),
    out: () => written.out,
    err: () => written.err,
  };
}

/** What a terminal's stream can do besides being written to; like a process's own, a pipe never ends it. */
const TERMINAL = {
  end: () => {},
  isTTY: true,
  cursorTo: () => true,
  clearLine: () => true,
  moveCursor: () => true,
};
