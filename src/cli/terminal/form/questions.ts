import { ask } from '../ask.ts';
import type { Streams } from '../streams.ts';
import { clean, painter, type Style } from '../view.ts';
import { widthOf, wrap } from '../width.ts';

/** `? ` or `✔ ` before a question, `> ` before what is wrong with an answer. */
const PREFIX_COLUMNS = 2;

/** A question with what is shown beside it, wrapped between words: inquirer would break it within one. */
export function messageOf(streams: Streams, why = ''): (question: string, status: string) => string {
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

/** What is wrong with an answer, below the question. */
export function faultText({ columnsErr }: Streams, fault: string): string {
  return wrap(clean(fault), columnsErr - PREFIX_COLUMNS).join('\n  ');
}

/** Says something beside the questions, wrapped to the window. */
export async function say(streams: Streams, style: Style, text: string): Promise<void> {
  const lines = wrap(clean(text), streams.columnsErr).join('\n');
  await streams.writeErr(`${painter(streams.colourErr)(style, lines)}\n`);
}

export interface LineQuestion {
  readonly question: string;
  readonly why?: string | undefined;
  readonly flag: string;
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
      return fault === undefined ? true : faultText(streams, fault);
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

export interface ChoiceQuestion<T> {
  readonly question: string;
  readonly why?: string | undefined;
  readonly flag: string;
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
