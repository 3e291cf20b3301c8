import { ask } from '../ask.ts';
import type { Streams } from '../streams.ts';
import { clean, painter } from '../view.ts';
import { messageOf } from './message.ts';

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
