import type { Readable, Writable } from 'node:stream';
import { isatty } from 'node:tty';
import { getErrorCode, systemError } from '../../contract/system-errors.ts';
import { maskKeys, withoutRunnerCommands } from '../../text/outside-text.ts';
import type { Environment } from '../settings/directories.ts';

export interface Streams extends Readonly<ReturnType<typeof processStreams>> {
  /** If true, Esc goes back to the previous question: `ask` throws WentBack. */
  readonly goesBack?: boolean;
  readonly interrupted?: AbortSignal;
}

/** What to print unchanged. By default, keys are masked and commands of CI runners are escaped. */
export type Verbatim = 'key' | 'runner-commands';

const RUNNERS = ['GITHUB_ACTIONS', 'TF_BUILD', 'TEAMCITY_VERSION'];

export function processStreams(
  process: Pick<NodeJS.Process, 'stdout' | 'stderr' | 'stdin' | 'env'>,
  isTerminal: (descriptor: number) => boolean = isatty,
) {
  const { env } = process;
  const [stdinIsTerminal, stdoutIsTerminal, stderrIsTerminal] = [isTerminal(0), isTerminal(1), isTerminal(2)];
  const isLog = RUNNERS.some((runner) => isSet(env[runner]));
  const safe = (text: string, verbatim?: Verbatim): string => {
    const masked = verbatim === 'key' ? text : maskKeys(text);
    return isLog && verbatim !== 'runner-commands' ? withoutRunnerCommands(masked) : masked;
  };
  const { stdout, stderr } = process;
  const readerGone = new AbortController();
  const writeOut = createWriter(stdout, () => readerGone.abort());
  const writeErr = createWriter(stderr, () => {});
  const isAttended = stderrIsTerminal && !isSet(env.CI) && env.TERM !== 'dumb';
  return {
    stderr: rewriteOutput(stderr, safe),
    /** Node opens stdin on the first access to `process.stdin`, so other code must use this getter. */
    get stdin(): Readable {
      return process.stdin;
    },
    stdoutIsTerminal,
    stderrIsTerminal,
    stdinIsTerminal,
    // A terminal of unknown width reports 0.
    get columns() {
      return stdoutIsTerminal ? stdout.columns || 80 : Number.POSITIVE_INFINITY;
    },
    get columnsErr() {
      return stderrIsTerminal ? stderr.columns || 80 : Number.POSITIVE_INFINITY;
    },
    colour: wantsColour(stdoutIsTerminal, env),
    colourErr: wantsColour(stderrIsTerminal, env),
    canAsk: isAttended && stdinIsTerminal,
    // In a terminal of unknown width, the spinner would clear endless lines.
    showsProgress: isAttended && stderr.columns !== 0,
    /** Aborted when the process that reads stdout exits (`| head -1`). */
    readerGone: readerGone.signal,
    /** Writes the result. Resolves when it's fully written, or when the process that reads it has exited. */
    writeOut: (text: string | Uint8Array, verbatim?: Verbatim) =>
      writeOut(typeof text === 'string' ? safe(text, verbatim) : text),
    /** Writes progress, warnings, hints and errors. Never rejects, so that a successful command doesn't fail. */
    writeErr: (text: string, verbatim?: Verbatim) => writeErr(safe(text, verbatim)).catch(() => {}),
  };
}

/** Applies `--json`, `--no-input` (no prompts) and `--quiet` (no spinner) to the streams. */
export function applyStreamFlags(
  streams: Streams,
  { json, quiet, 'no-input': noInput }: { readonly [flag in 'json' | 'no-input' | 'quiet']?: boolean },
): Streams {
  // Inherits instead of copying, so that stdin isn't opened.
  return Object.create(streams, {
    canAsk: { value: streams.canAsk && !json && !noInput },
    showsProgress: { value: streams.showsProgress && !json && !quiet },
  });
}

export function streamsWithBack(streams: Streams): Streams {
  return Object.create(streams, { goesBack: { value: true } });
}

/** FORCE_COLOR takes precedence, as in Node. NO_COLOR (if not empty) is next, then the terminal. */
export function wantsColour(isTerminal: boolean, env: Environment): boolean {
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  if (env.NO_COLOR) return false;
  return isTerminal && env.TERM !== 'dumb';
}

/** Treats `CI=false` and `CI=0` as not set. */
export function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== '0' && value.toLowerCase() !== 'false';
}

/** An error after part of the result was written. Nothing more may be written to stdout. */
export class CutOutput extends Error {
  constructor(cause: unknown) {
    super('the output is incomplete', { cause });
  }
}

/** Writes a result until the process that reads it exits. Throws CutOutput for errors after the first part. */
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

function rewriteOutput(stream: Writable, shown: (text: string) => string): Writable {
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

/** Returns a write function that waits for a slow reader. A closed pipe isn't an error. */
export function createWriter(stream: Writable, onReaderGone: () => void) {
  // Without a listener, Node exits with a stack trace.
  stream.on('error', (error) => {
    if (isReaderGone(error)) onReaderGone();
  });
  return (text: string | Uint8Array) =>
    new Promise<void>((resolve, reject) => {
      if (text.length === 0) resolve();
      else stream.write(text, (error) => (error ? reject(error) : resolve()));
    }).catch((error: unknown) => {
      if (isReaderGone(error)) return onReaderGone();
      throw systemError(error, 'OUTPUT_UNWRITABLE', "can't write the output");
    });
}

function isReaderGone(error: unknown): boolean {
  return ['EPIPE', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END'].includes(getErrorCode(error));
}

export interface CliContext {
  readonly streams: Streams;
  readonly env: Environment;
  readonly clock: () => number;
  /** Clock in ms for waits and durations. Unlike `clock`, it never goes backwards. */
  readonly monotonicNow: () => number;
  readonly interrupted: AbortSignal;
}
