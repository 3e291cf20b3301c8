import type { Readable, Writable } from 'node:stream';
import { isatty } from 'node:tty';
import { maskKeys, withoutRunnerCommands } from '../../contract/outside-text.ts';
import { codeOf, systemError } from '../../contract/system-errors.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The only way anything is read from or shown to a user. */
export interface Streams {
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** Opened at the first access: nothing else may touch stdin. */
  readonly stdin: Readable;
  readonly stdoutIsTerminal: boolean;
  readonly stderrIsTerminal: boolean;
  readonly stdinIsTerminal: boolean;
  /** Of the terminal on stdout; Infinity where there is none. */
  readonly columns: number;
  readonly columnsErr: number;
  readonly colour: boolean;
  readonly colourErr: boolean;
  readonly canAsk: boolean;
  /** Whether Esc leaves a question for the one before: `ask` throws WentBack then. */
  readonly goesBack?: boolean;
  readonly showsProgress: boolean;
  readonly interrupted?: AbortSignal;
  /** Aborted when the reader of stdout has gone (`| head -1`). */
  readonly readerGone: AbortSignal;
  /** Writes the result; resolves when the system has taken all of it. A reader that has gone is no error. */
  writeOut(text: string | Uint8Array, verbatim?: Verbatim): Promise<void>;
  /** Writes progress, warnings, hints, errors. Never rejects: a command that succeeded must not fail for it. */
  writeErr(text: string, verbatim?: Verbatim): Promise<void>;
}

/** What a text may have: otherwise keys are masked and, in the log of a CI runner, commands to the runner defused. */
export type Verbatim = 'key' | 'runner-commands';

/** Set by CI runners that take commands from their log. */
const RUNNERS = ['GITHUB_ACTIONS', 'TF_BUILD', 'TEAMCITY_VERSION'];

/** The streams of a process, under NO_COLOR, FORCE_COLOR, TERM=dumb and CI. */
export function processStreams(
  process: Pick<NodeJS.Process, 'stdout' | 'stderr' | 'stdin' | 'env'>,
  isTerminal: (descriptor: number) => boolean = isatty,
): Streams {
  const { env } = process;
  const [stdinIsTerminal, stdoutIsTerminal, stderrIsTerminal] = [isTerminal(0), isTerminal(1), isTerminal(2)];
  const isLog = RUNNERS.some((runner) => isSet(env[runner]));
  const safe = (text: string, verbatim?: Verbatim): string => {
    const masked = verbatim === 'key' ? text : maskKeys(text);
    return isLog && verbatim !== 'runner-commands' ? withoutRunnerCommands(masked) : masked;
  };
  // What questions and spinners write goes the same way.
  const [stdout, stderr] = [rewriting(process.stdout, safe), rewriting(process.stderr, safe)];
  const readerGone = new AbortController();
  const writeOut = writerTo(process.stdout, () => readerGone.abort());
  const writeErr = writerTo(process.stderr, () => {});
  const isAttended = stderrIsTerminal && !isSet(env.CI) && env.TERM !== 'dumb';
  return {
    stdout,
    stderr,
    get stdin() {
      return process.stdin;
    },
    stdoutIsTerminal,
    stderrIsTerminal,
    stdinIsTerminal,
    // A terminal that does not know its width says 0.
    get columns() {
      return stdoutIsTerminal ? stdout.columns || 80 : Number.POSITIVE_INFINITY;
    },
    get columnsErr() {
      return stderrIsTerminal ? stderr.columns || 80 : Number.POSITIVE_INFINITY;
    },
    colour: wantsColour(stdoutIsTerminal, env),
    colourErr: wantsColour(stderrIsTerminal, env),
    canAsk: isAttended && stdinIsTerminal,
    // On a terminal without a width the spinner would clear endlessly many lines.
    showsProgress: isAttended && stderr.columns !== 0,
    readerGone: readerGone.signal,
    writeOut: (text, verbatim) => writeOut(typeof text === 'string' ? safe(text, verbatim) : text),
    writeErr: (text, verbatim) => writeErr(safe(text, verbatim)).catch(() => {}),
  };
}

/** The same streams for one command line: `--json` and `--no-input` ask nothing, `--quiet` shows no spinner. */
export function streamsFor(
  streams: Streams,
  { json, noInput, quiet }: { [flag in 'json' | 'noInput' | 'quiet']?: boolean | undefined },
): Streams {
  // Inherited, not copied, so that stdin stays unopened.
  return Object.create(streams, {
    canAsk: { value: streams.canAsk && !json && !noInput },
    showsProgress: { value: streams.showsProgress && !json && !quiet },
  });
}

/** The same streams for a question that has one before it. */
export function streamsWithBack(streams: Streams): Streams {
  return Object.create(streams, { goesBack: { value: true } });
}

/** FORCE_COLOR decides where it is set, as in Node itself, then a NO_COLOR that is not empty, then the terminal. */
export function wantsColour(isTerminal: boolean, env: Environment): boolean {
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  if (env.NO_COLOR) return false;
  return isTerminal && env.TERM !== 'dumb';
}

/** `CI=false` and `CI=0` are written by people who mean no. */
export function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== '0' && value.toLowerCase() !== 'false';
}

/** A failure after a part of the result was written: nothing more may be written to stdout. */
export class CutOutput extends Error {
  constructor(cause: unknown) {
    super('the output ends in the middle', { cause });
  }
}

/** Writes a result part by part until its reader has gone. Throws CutOutput for what fails after the first part. */
export async function writeParts(
  { writeOut, readerGone }: Streams,
  parts: Iterable<string | Uint8Array> | AsyncIterable<string>,
  verbatim?: Verbatim,
): Promise<void> {
  let isBegun = false;
  try {
    for await (const part of parts) {
      await writeOut(part, verbatim);
      isBegun = true;
      if (readerGone.aborted) return;
    }
  } catch (error) {
    throw isBegun ? new CutOutput(error) : error;
  }
}

/** The same stream, with everything that is written to it rewritten by `shown`. */
function rewriting<S extends Writable>(stream: S, shown: (text: string) => string): S {
  const write = stream.write.bind(stream) as (chunk: string, ...rest: unknown[]) => boolean;
  return new Proxy(stream, {
    get(target, name) {
      if (name === 'write')
        return (chunk: unknown, ...rest: unknown[]) => write(shown(String(chunk)), ...rest);
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** A write that waits for a slow reader and is no error where it has gone. */
export function writerTo(
  stream: Writable,
  onReaderGone: () => void,
): (text: string | Uint8Array) => Promise<void> {
  // Without a listener Node ends the process with a stack trace.
  stream.on('error', (error) => {
    if (isReaderGone(error)) onReaderGone();
  });
  return (text) =>
    new Promise<void>((resolve, reject) => {
      if (text.length === 0) resolve();
      else stream.write(text, (error) => (error ? reject(error) : resolve()));
    }).catch((error: unknown) => {
      if (isReaderGone(error)) return onReaderGone();
      throw systemError(error, 'OUTPUT_UNWRITABLE', 'the output cannot be written');
    });
}

function isReaderGone(error: unknown): boolean {
  return ['EPIPE', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END'].includes(codeOf(error));
}

/** The outside world of a command, which a test replaces. */
export interface CliContext {
  readonly streams: Streams;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: () => number;
  /** For waits and durations: never goes back. */
  readonly monotonicNow: () => number;
  readonly interrupted: AbortSignal;
}
