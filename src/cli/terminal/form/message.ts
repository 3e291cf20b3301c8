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
