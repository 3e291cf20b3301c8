import { ask } from '../ask.ts';
import type { Streams } from '../streams.ts';
import { clean, painter } from '../view.ts';
import { faultText, messageOf } from './message.ts';

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
