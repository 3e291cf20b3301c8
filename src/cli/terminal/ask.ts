import type { createPromptModule, DistinctQuestion } from 'inquirer';
import { PartnerError } from '../../contract/errors.ts';
import type { Streams } from './streams.ts';
import { clean, painter } from './view.ts';
import { getWidth, wrap } from './width.ts';

/** Prompts for yes or no. Enter means `onEnter`. Without a terminal, the error's hint recommends `flag`. */
export function confirm(streams: Streams, question: string, flag: string, onEnter = false): Promise<boolean> {
  return ask(streams, flag, { type: 'confirm', name: 'answer', message: clean(question), default: onEnter });
}

export function askSecret(streams: Streams, question: string, flag: string): Promise<string> {
  const message = clean(question);
  return ask(streams, flag, { type: 'password', name: 'answer', message, toggleMask: false });
}

export function askText(streams: Streams, question: string, flag: string): Promise<string> {
  return ask(streams, flag, { type: 'input', name: 'answer', message: clean(question) });
}

class WentBack extends Error {}

export const BACK = Symbol('back');

export async function orBack<T>(answer: Promise<T>): Promise<T | typeof BACK> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof WentBack) return BACK;
    throw error;
  }
}

type Context = Parameters<typeof createPromptModule>[0];
type CustomQuestion<T> = Readonly<{ message: string; prompt: (context: Context) => Promise<T> }>;

/** Prompts on stderr. Throws INPUT_REQUIRED without a terminal, INTERRUPTED on Ctrl-C, and WentBack on Esc. */
export async function ask<T>(streams: Streams, flag: string, question: DistinctQuestion | CustomQuestion<T>) {
  if (!streams.canAsk) throw createInputError(String(question.message), flag);
  const { stdin: input, stderr: output } = streams;
  const ended = new AbortController();
  let isBack = false;
  // At the end of input (Ctrl-D), readline only pauses, so inquirer would wait forever.
  const onPause = () => {
    if (!isBack) ended.abort();
  };
  // After Ctrl-Z, readline also pauses, and doesn't resume on its own.
  const onBack = () => {
    isBack = true;
    setImmediate(() => {
      isBack = false;
      input.resume();
      // inquirer redraws a question only after a key press.
      input.emit('keypress', ' ', { name: 'space' });
      input.emit('keypress', undefined, { name: 'backspace' });
    });
  };
  const onKey = (_text: unknown, key?: { readonly name?: string }) => {
    if (streams.goesBack && key?.name === 'escape') ended.abort(new WentBack());
  };
  input.on('keypress', onKey);
  input.on('pause', onPause);
  process.on('SIGCONT', onBack);
  try {
    const context = { input, output, signal: ended.signal };
    if ('prompt' in question) return await question.prompt(context);
    const { default: inquirer } = await import('inquirer');
    const { answer } = await inquirer.createPromptModule(context)<{ answer: T }>([question]);
    return answer;
  } catch (error) {
    if (ended.signal.reason instanceof WentBack) throw ended.signal.reason;
    if (error instanceof Error && ENDINGS.includes(error.name)) throw new PartnerError('INTERRUPTED');
    throw error;
  } finally {
    input.off('keypress', onKey);
    input.off('pause', onPause);
    process.off('SIGCONT', onBack);
  }
}

const ENDINGS: readonly string[] = ['ExitPromptError', 'AbortPromptError'];

export function createInputError(question: string, flag: string): PartnerError {
  return new PartnerError('INPUT_REQUIRED', {
    message: `input is required, but there is no terminal to prompt on: ${clean(question)}`,
    hint: `pass ${flag} instead`,
  });
}

/** Width of inquirer's prefix (`? `, `✔ ` or `> `). */
const PREFIX_COLUMNS = 2;

/** Wraps a question and its remarks between words, because inquirer would break words. */
function createMessageFormat(streams: Streams, why = ''): (question: string, status: string) => string {
  const paint = painter(streams.colourErr);
  return (question, status) => {
    const beside = clean([why, streams.goesBack ? 'Esc: back' : ''].filter(Boolean).join(' · '));
    if (status === 'done' || beside === '') return paint('bold', question);
    const isShort = PREFIX_COLUMNS + getWidth(`${question} ${beside}`) <= streams.columnsErr;
    if (isShort) return `${paint('bold', question)} ${paint('dim', beside)}`;
    const lines = wrap(beside, streams.columnsErr - PREFIX_COLUMNS).map(
      (line) => `\n  ${paint('dim', line)}`,
    );
    return paint('bold', question) + lines.join('');
  };
}

export interface Question {
  readonly question: string;
  readonly why?: string | undefined;
  readonly flag: string;
}

export interface LineQuestion extends Question {
  readonly current?: string | undefined;
  readonly wrong?: ((line: string) => string | undefined) | undefined;
  readonly missing?: string | undefined;
  readonly formatAnswer?: ((line: string) => string) | undefined;
  readonly passed?: string | undefined;
}

/** Returns a trimmed line, or '' if the user skips the question. Throws the errors of `ask`. */
export async function askLine(streams: Streams, asked: LineQuestion): Promise<string> {
  const { flag, current, wrong, missing, formatAnswer = (line) => line, passed = 'skipped' } = asked;
  const paint = painter(streams.colourErr);
  const keys = current === undefined ? undefined : 'Enter keeps it, Tab edits it, Backspace clears it';
  const message = createMessageFormat(streams, [asked.why, keys].filter(Boolean).join(' · '));
  const standing = current === undefined ? undefined : clean(current);
  const answer = await ask<string>(streams, flag, {
    type: 'input',
    name: 'answer',
    message: clean(asked.question),
    ...(standing === undefined ? {} : { default: standing }),
    validate(line: string) {
      const text = line.trim();
      const fault = text === '' ? missing : text === standing ? undefined : wrong?.(text);
      return fault === undefined
        ? true
        : wrap(clean(fault), streams.columnsErr - PREFIX_COLUMNS).join('\n  ');
    },
    transformer(line: string, { isFinal }: { isFinal?: boolean }) {
      if (!isFinal) return line;
      const text = line.trim();
      return text === '' ? paint('dim', passed) : paint('cyan', clean(formatAnswer(text)));
    },
    theme: {
      style: {
        // The input is on its own line, so that it isn't mixed with wrapped text.
        message: (text: string, status: string) =>
          status === 'done' ? message(text, status) : `${message(text, status)}\n${paint('cyan', '>')}`,
      },
    },
  });
  const text = answer.trim();
  return current !== undefined && text === standing ? current : text;
}

export interface FormChoice<T> {
  readonly name: string;
  readonly value: T;
  readonly beside?: string | undefined;
  readonly closed?: string | undefined;
}

export interface ChoiceQuestion<T> extends Question {
  readonly choices: readonly FormChoice<T>[];
  readonly current?: T | undefined;
}

const PAGE_LINES = 12;

export function askChoice<T>(streams: Streams, asked: ChoiceQuestion<T>): Promise<T> {
  const { question, why, flag, choices, current } = asked;
  const paint = painter(streams.colourErr);
  return ask<T>(streams, flag, {
    type: 'select',
    name: 'answer',
    message: clean(question),
    choices: choices.map(({ name, value, beside, closed }) => ({
      name: [clean(name), ...(beside ? [paint('dim', clean(beside))] : [])].join(' '),
      short: clean(name),
      value,
      disabled: closed === undefined ? false : `(${clean(closed)})`,
    })),
    // inquirer treats an undefined default as the choice without a value.
    default: current === undefined ? choices.find(({ closed }) => closed === undefined)?.value : current,
    loop: false,
    pageSize: PAGE_LINES,
    theme: { style: { message: createMessageFormat(streams, why) } },
  });
}
