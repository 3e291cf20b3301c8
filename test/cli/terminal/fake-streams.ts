import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { createWriter, type Streams } from '../../../src/cli/terminal/streams.ts';

export interface FakeStreams extends Streams {
  readonly stdin: PassThrough;
  out(): string;
  err(): string;
}

interface Setting {
  readonly isTerminal?: boolean;
  readonly columns?: number;
  readonly colour?: boolean;
}

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

/** Types the keys once the question is shown. */
export async function typing(streams: FakeStreams, question: RegExp, keys: string): Promise<void> {
  while (!question.test(streams.err())) await once(streams.stderr, 'data');
  streams.stdin.write(keys);
}

/** `end` does nothing, because a pipe doesn't close a process's own stdout or stderr either. */
const TERMINAL = {
  end: () => {},
  isTTY: true,
  cursorTo: () => true,
  clearLine: () => true,
  moveCursor: () => true,
};
