import type { Readable } from 'node:stream';
import type { DistinctQuestion } from 'inquirer';
import { PartnerError } from '../../contract/errors.ts';
import type { Streams } from './streams.ts';
import { clean, painter, type Style } from './view.ts';
import { widthOf, wrap } from './width.ts';

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

/** `? ` or `✔ ` before a question, `> ` before what is wrong with an answer. */
const PREFIX_COLUMNS = 2;

/** A question with what is shown beside it, wrapped between words: inquirer would break it within one. */
function messageOf(streams: Streams, why = ''): (question: string, status: string) => string {
  const paint = painter(streams.colourErr);
  return (question, status) => {
    const beside = clean([why, streams.goesBack ? 'Esc: back' : ''].filter(Boolean).join(' · '));
    if (status === 'done' || beside === '') return paint('bold', question);
    const isShort = PREFIX_COLUMNS + widthOf(`${question} ${beside}`) <= streams.columnsErr;
    if (isShort) return `${paint('bold', question)} ${paint('dim', beside)}`;
    const lines = wrap(beside, streams.columnsErr - PREFIX_COLUMNS).map(
      (line) => `\n  ${paint('dim', line)}`,
    );
    return paint('bold', question) + lines.join('');
  };
}

/** Says something beside the questions, wrapped to the window. */
export async function say(streams: Streams, style: Style, text: string): Promise<void> {
  const lines = wrap(clean(text), streams.columnsErr).join('\n');
  await streams.writeErr(`${painter(streams.colourErr)(style, lines)}\n`);
}

export interface Question {
  readonly question: string;
  readonly why?: string | undefined;
  readonly flag: string;
}

export interface LineQuestion extends Question {
  /** The current answer: Enter keeps it, Tab edits it, Backspace empties it. */
  readonly current?: string | undefined;
  /** What is wrong with a line that is not empty; the question stays. */
  readonly wrong?: ((line: string) => string | undefined) | undefined;
  /** What is wrong with no answer; without it the question may be skipped. */
  readonly missing?: string | undefined;
  /** How the answer is shown afterwards; as the line itself unless it is given. */
  readonly shown?: ((line: string) => string) | undefined;
  readonly passed?: string | undefined;
}

/** A line, trimmed; empty where the question was skipped. Throws what `ask` throws. */
export async function askLine(streams: Streams, asked: LineQuestion): Promise<string> {
  const { flag, current, wrong, missing, shown = (line) => line, passed = 'skipped' } = asked;
  const paint = painter(streams.colourErr);
  const keys = current === undefined ? undefined : 'Enter keeps it, Tab edits it, Backspace empties it';
  const message = messageOf(streams, [asked.why, keys].filter(Boolean).join(' · '));
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
      return text === '' ? paint('dim', passed) : paint('cyan', clean(shown(text)));
    },
    theme: {
      style: {
        // Typed on a line of its own, where no wrapped text is in its way.
        message: (text: string, status: string) =>
          status === 'done' ? message(text, status) : `${message(text, status)}\n${paint('cyan', '>')}`,
      },
    },
  });
  const text = answer.trim();
  // The current answer was only shown cleaned.
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
  /** What Enter alone takes; the first that can be chosen unless it is given. */
  readonly current?: T | undefined;
}

const PAGE_LINES = 12;

/** One of several, moved to by arrow keys or by its first letters. Throws what `ask` throws. */
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
    // inquirer takes an undefined default for the choice that has no value.
    default: current === undefined ? choices.find(({ closed }) => closed === undefined)?.value : current,
    loop: false,
    pageSize: PAGE_LINES,
    theme: { style: { message: messageOf(streams, why) } },
  });
}
