import { askChoice, askLine } from '../../../cli/terminal/ask.ts';
import { askBlock } from '../../../cli/terminal/ask-block.ts';
import { shorten } from '../../../cli/terminal/width.ts';
import { oneLine, word } from '../../../cli/terminal/words.ts';
import { EMPTY_CONTENT, type JobUpdate } from '../../../contract/job.ts';
import { formatCents, formatDollars } from '../../../contract/words.ts';
import { answerTo, questionsFor, understood, wrongWith } from './answers.ts';
import { type Asking, askCaps, askPlaces, askQualifications, askScreening } from './ask-lists.ts';
import { passedWords, type Question, wordsOf } from './questions.ts';

/** Undefined where the question was passed over. Throws INTERRUPTED on Ctrl-C, INPUT_REQUIRED where nobody can be asked. */
export async function askQuestion(asking: Asking): Promise<unknown> {
  const { asked } = asking.question;
  switch (asked.as) {
    case 'line':
      return lineAnswer(asking);
    case 'block':
      return blockAnswer(asking);
    case 'choice':
      return choiceAnswer(asking, asked.values);
    case 'places':
      return askPlaces(asking);
    case 'qualifications':
      return askQualifications(asking, asked.kind);
    case 'screening':
      return askScreening(asking);
    case 'caps':
      return askCaps(asking);
  }
}

async function lineAnswer({ question, content, streams, connection }: Asking): Promise<unknown> {
  const current = typed(answerTo(content, question), question);
  const meant = (line: string) => understood(question, line, content, connection.limits);
  const emptied = question.isNeeded ? 'emptied: needed to go live' : 'emptied';
  const line = await askLine(streams, {
    ...wordsOf(question),
    current,
    passed: current === undefined ? passedWords(question) : emptied,
    wrong(text) {
      const answer = meant(text);
      return 'wrong' in answer ? answer.wrong : undefined;
    },
    shown(text) {
      const answer = meant(text);
      return 'value' in answer ? (asShown(answer.value, question) ?? text) : text;
    },
  });
  if (line === (current ?? '')) return undefined;
  if (line === '') return EMPTY_CONTENT[question.field];
  const answer = meant(line);
  return 'value' in answer ? answer.value : undefined;
}

function typed(value: unknown, { asked }: Question): string | undefined {
  if (value === undefined || value === '') return undefined;
  return asked.as === 'line' && asked.takes === 'cents' ? (Number(value) / 100).toFixed(2) : String(value);
}

function blockAnswer({ question, content, streams, connection, editor }: Asking): Promise<unknown> {
  const standing = answerTo(content, question);
  return askBlock(streams, {
    ...wordsOf(question),
    skipped: question.isNeeded ? 'skip for now: needed to go live' : undefined,
    current: typeof standing === 'string' && standing !== '' ? standing : undefined,
    wrong: (text) => wrongWith(question, text, content, connection.limits),
    editor,
  });
}

async function choiceAnswer({ question, content, streams }: Asking, values: readonly string[]) {
  const current = (answerTo(content, question) as string | undefined) ?? null;
  const none = current === null ? 'skip for now' : 'leave it open';
  const answer = await askChoice<string | null>(streams, {
    ...wordsOf(question),
    choices: [
      { name: question.isNeeded ? `${none}: needed to go live` : none, value: null },
      ...values.map((value) => ({ name: word(value) ?? value, value })),
    ],
    current,
  });
  return answer === current ? undefined : answer;
}

export function questionChoices(content: JobUpdate) {
  return questionsFor(content).map((question) => ({
    name: question.words,
    value: question,
    beside: inBrief(question, content),
  }));
}

const BRIEF_COLUMNS = 40;

/** What a question is answered with, in a few words for a list of questions; undefined where it is not. */
function inBrief(question: Question, content: JobUpdate): string | undefined {
  const answer = answerTo(content, question);
  const text = Array.isArray(answer) ? answer.map(entryInBrief).join(', ') : asShown(answer, question);
  return text === undefined || text === '' ? undefined : shorten(text, BRIEF_COLUMNS);
}

function entryInBrief(entry: Readonly<Record<string, unknown>>): string {
  const { city, text, prompt, window, budgetCents } = entry;
  if (window !== undefined) return `${formatCents(Number(budgetCents))} ${word(window)}`;
  return oneLine(city ?? text ?? prompt) ?? '';
}

function asShown(value: unknown, { asked }: Question): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (asked.as === 'choice') return word(value);
  if (asked.as !== 'line' || asked.takes === 'text') return oneLine(value);
  return asked.takes === 'cents' ? formatCents(Number(value)) : formatDollars(Number(value));
}
