import { shorten } from '../../../cli/terminal/width.ts';
import { oneLine, word } from '../../../cli/terminal/words.ts';
import type { JobUpdate } from '../../../contract/job.ts';
import { formatCents, formatDollars } from '../../../contract/money.ts';
import { answerTo, type Question } from './answers.ts';

const BRIEF_COLUMNS = 40;

/** What a question is answered with, in a few words for a list of questions; undefined where it is not. */
export function inBrief(question: Question, content: JobUpdate): string | undefined {
  const answer = answerTo(content, question);
  const text = Array.isArray(answer) ? answer.map(entryInBrief).join(', ') : asShown(answer, question.asked);
  return text === undefined || text === '' ? undefined : shorten(text, BRIEF_COLUMNS);
}

function entryInBrief(entry: Readonly<Record<string, unknown>>): string {
  const { city, text, prompt, window, budgetCents } = entry;
  if (window !== undefined) return `${formatCents(Number(budgetCents))} ${word(window)}`;
  return oneLine(city ?? text ?? prompt) ?? '';
}

/** One value as it is read: an amount with its sign, a value of the contract in words. */
export function asShown(value: unknown, asked: Question['asked']): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (asked.as === 'choice') return word(value);
  if (asked.as !== 'line' || asked.takes === 'text') return oneLine(value);
  return asked.takes === 'cents' ? formatCents(Number(value)) : formatDollars(Number(value));
}
