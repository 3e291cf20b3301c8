import type { Readable } from 'node:stream';
import type { DistinctQuestion } from 'inquirer';
import { PartnerError } from '../../contract/errors.ts';
import { clean } from './clean.ts';
import type { Streams } from './streams.ts';

/** Yes or no; Enter alone is no, unless `onEnter` says yes. `flag` is what answers it where nobody can be asked. */
export function confirm(streams: Streams, question: string, flag: string, onEnter = false): Promise<boolean> {
  return ask(streams, flag, { type: 'confirm', name: 'answer', message: clean(question), default: onEnter });
}

/** A key, typed or pasted; neither it nor its length is shown. */
export function askSecret(streams: Streams, question: string, flag: string): Promise<string> {
  return ask(streams, flag, {
    type: 'password',
    name: 'answer',
    message: clean(question),
    toggleMask: false,
  });
}

/** A line of text. `wrong` says what is wrong with an answer, and the question stays. */
export function askText(
  streams: Streams,
  question: string,
  flag: string,
  wrong: (answer: string) => string | undefined = () => undefined,
): Promise<string> {
  const validate = (answer: string) => wrong(answer) ?? true;
  return ask(streams, flag, { type: 'input', name: 'answer', message: clean(question), validate });
}

export interface Choice<T> {
  readonly name: string;
  readonly value: T;
}

/** One of several. */
export function choose<T>(
  streams: Streams,
  question: string,
  choices: readonly Choice<T>[],
  flag: string,
): Promise<T> {
  return ask(streams, flag, {
    type: 'select',
    name: 'answer',
    message: clean(question),
    choices: choices.map(({ name, value }) => ({ name: clean(name), value })),
    loop: false,
    pageSize: 12,
  });
}

/** Thrown where a question is left for the one before. */
class WentBack extends Error {}

/** What `orBack` gives for a question that was left for the one before. */
export const BACK = Symbol('back');

/** The answer, or BACK. */
export async function orBack<T>(answer: Promise<T>): Promise<T | typeof BACK> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof WentBack) return BACK;
    throw error;
  }
}

/**
 * Asks on stderr, so that stdout holds the result alone. `keysOf` gives what the question hears of stdin; it is
 * all of it unless it says otherwise. Throws INPUT_REQUIRED where nobody is there, and INTERRUPTED on Ctrl-C
 * or when the input ends; WentBack on Esc, where the streams say that there is a question before.
 */
export async function ask<T>(
  streams: Streams,
  flag: string,
  question: DistinctQuestion,
  keysOf: (stdin: Readable) => Readable = (stdin) => stdin,
): Promise<T> {
  if (!streams.canAsk) throw unasked(clean(String(question.message)), flag);
  const { default: inquirer } = await import('inquirer');
  const { stdin, stderr } = streams;
  const input = keysOf(stdin);
  const ended = new AbortController();
  let isBack = false;
  // readline pauses its input when that ends (Ctrl-D); inquirer itself would wait for ever.
  const onPause = () => {
    if (!isBack) ended.abort();
  };
  // readline pauses it also when the process goes on after Ctrl-Z, and leaves it to others to read on.
  const onBack = () => {
    isBack = true;
    setImmediate(() => {
      isBack = false;
      input.resume();
      // inquirer draws the question at a key only, and readline's own line is not shown.
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

/** How inquirer names a question that was left: Ctrl-C, and an abort. */
const ENDINGS: readonly string[] = ['ExitPromptError', 'AbortPromptError'];

function unasked(question: string, flag: string): PartnerError {
  return new PartnerError('INPUT_REQUIRED', {
    message: `this has to be answered, and nobody can be asked here: ${question}`,
    hint: `answer it with ${flag}`,
  });
}
