import type { Readable } from 'node:stream';
import type { DistinctQuestion } from 'inquirer';
import { PartnerError } from '../../contract/errors.ts';
import type { Streams } from './streams.ts';
import { clean } from './view.ts';

/** Yes or no; Enter alone is no, unless `onEnter`. `flag` answers it where nobody can be asked. */
export function confirm(streams: Streams, question: string, flag: string, onEnter = false): Promise<boolean> {
  return ask(streams, flag, { type: 'confirm', name: 'answer', message: clean(question), default: onEnter });
}

/** A key, typed or pasted; neither it nor its length is shown. */
export function askSecret(streams: Streams, question: string, flag: string): Promise<string> {
  const message = clean(question);
  return ask(streams, flag, { type: 'password', name: 'answer', message, toggleMask: false });
}

export function askText(streams: Streams, question: string, flag: string): Promise<string> {
  return ask(streams, flag, { type: 'input', name: 'answer', message: clean(question) });
}

class WentBack extends Error {}

/** What `orBack` gives for a question that was left for the one before. */
export const BACK = Symbol('back');

export async function orBack<T>(answer: Promise<T>): Promise<T | typeof BACK> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof WentBack) return BACK;
    throw error;
  }
}

/**
 * Asks on stderr, so that stdout holds only the result. `keysOf` gives what the question reads instead of stdin. Throws
 * INPUT_REQUIRED where nobody can be asked, INTERRUPTED on Ctrl-C or when the input ends, and WentBack on Esc where the
 * streams allow it.
 */
export async function ask<T>(
  streams: Streams,
  flag: string,
  question: DistinctQuestion,
  keysOf: (stdin: Readable) => Readable = (stdin) => stdin,
): Promise<T> {
  if (!streams.canAsk) throw unasked(String(question.message), flag);
  const { default: inquirer } = await import('inquirer');
  const { stdin, stderr } = streams;
  const input = keysOf(stdin);
  const ended = new AbortController();
  let isBack = false;
  // readline pauses its input when that ends (Ctrl-D); inquirer would wait for ever.
  const onPause = () => {
    if (!isBack) ended.abort();
  };
  // After Ctrl-Z readline pauses its input too, and does not resume it.
  const onBack = () => {
    isBack = true;
    setImmediate(() => {
      isBack = false;
      input.resume();
      // inquirer redraws the question only at a key.
      input.emit('keypress', ' ', { name: 'space' });
      input.emit('keypress', undefined, { name: 'backspace' });
    });
  };
  let isLeft = false;
  const onKey = (_text: unknown, key?: { readonly name?: string }) => {
    if (!streams.goesBack || key?.name !== 'escape') return;
    isLeft = true;
    ended.abort();
  };
  input.on('keypress', onKey);
  input.on('pause', onPause);
  process.on('SIGCONT', onBack);
  try {
    const prompt = inquirer.createPromptModule({ input, output: stderr, signal: ended.signal });
    const { answer } = await prompt<{ answer: T }>([question]);
    return answer;
  } catch (error) {
    if (isLeft) throw new WentBack();
    if (error instanceof Error && ENDINGS.includes(error.name)) throw new PartnerError('INTERRUPTED');
    throw error;
  } finally {
    input.off('keypress', onKey);
    input.off('pause', onPause);
    process.off('SIGCONT', onBack);
  }
}

/** What inquirer throws on Ctrl-C and on an abort. */
const ENDINGS: readonly string[] = ['ExitPromptError', 'AbortPromptError'];

/** INPUT_REQUIRED for a question that nobody can be asked; `flag` answers it. */
export function unasked(question: string, flag: string): PartnerError {
  return new PartnerError('INPUT_REQUIRED', {
    message: `an answer is needed, and there is no terminal to ask on: ${clean(question)}`,
    hint: `answer it with ${flag}`,
  });
}
