import { askChoice, askLine } from '../../../cli/terminal/ask.ts';
import { askBlock } from '../../../cli/terminal/ask-block.ts';
import { shorten } from '../../../cli/terminal/width.ts';
import { oneLine, word } from '../../../cli/terminal/words.ts';
import { EMPTY_CONTENT, type JobUpdate } from '../../../contract/job.ts';
import { type FieldKind, getChoices } from '../../../contract/job-fields.ts';
import { formatCents, formatDollars } from '../../../contract/words.ts';
import {
  describePassed,
  findAnswerProblem,
  getAnswer,
  listQuestions,
  parseAnswerLine,
  type Question,
  toPrompt,
} from './answers.ts';
import { type Asking, askCaps, askPlaces, askQualifications, askScreening } from './ask-lists.ts';

/** Returns undefined if the question was skipped. Throws INTERRUPTED and INPUT_REQUIRED. */
export async function askQuestion(asking: Asking): Promise<unknown> {
  return (ASK[asking.question.kind] ?? lineAnswer)(asking);
}

const ASK: { readonly [Kind in FieldKind]?: (asking: Asking) => Promise<unknown> } = {
  block: blockAnswer,
  choice: choiceAnswer,
  locations: askPlaces,
  qualifications: askQualifications,
  questions: askScreening,
  budgets: askCaps,
};

async function lineAnswer({ question, content, streams, connection }: Asking): Promise<unknown> {
  const current = toTypedText(getAnswer(content, question), question);
  const parseInput = (line: string) => parseAnswerLine(question, line, content, connection.limits);
  const emptied = question.isNeeded ? 'cleared (required to publish)' : 'cleared';
  const line = await askLine(streams, {
    ...toPrompt(question),
    current,
    passed: current === undefined ? describePassed(question) : emptied,
    wrong(text) {
      const answer = parseInput(text);
      return 'wrong' in answer ? answer.wrong : undefined;
    },
    formatAnswer(text) {
      const answer = parseInput(text);
      return 'value' in answer ? (asShown(answer.value, question) ?? text) : text;
    },
  });
  if (line === (current ?? '')) return undefined;
  if (line === '') return EMPTY_CONTENT[question.field];
  const answer = parseInput(line);
  return 'value' in answer ? answer.value : undefined;
}

function toTypedText(value: unknown, { kind }: Question): string | undefined {
  if (value === undefined || value === '') return undefined;
  return kind === 'cents' ? (Number(value) / 100).toFixed(2) : String(value);
}

function blockAnswer({ question, content, streams, connection, editor }: Asking): Promise<unknown> {
  const standing = getAnswer(content, question);
  return askBlock(streams, {
    ...toPrompt(question),
    skipped: question.isNeeded ? 'skip for now (required to publish)' : undefined,
    current: typeof standing === 'string' && standing !== '' ? standing : undefined,
    wrong: (text) => findAnswerProblem(question, text, content, connection.limits),
    editor,
  });
}

async function choiceAnswer({ question, content, streams }: Asking) {
  const current = (getAnswer(content, question) as string | undefined) ?? null;
  const none = current === null ? 'skip for now' : 'clear it';
  const answer = await askChoice<string | null>(streams, {
    ...toPrompt(question),
    choices: [
      { name: question.isNeeded ? `${none} (required to publish)` : none, value: null },
      ...getChoices(question.field).map((value) => ({ name: word(value) ?? value, value })),
    ],
    current,
  });
  return answer === current ? undefined : answer;
}

export function questionChoices(content: JobUpdate) {
  return listQuestions(content).map((question) => ({
    name: question.words,
    value: question,
    beside: inBrief(question, content),
  }));
}

const BRIEF_COLUMNS = 40;

function inBrief(question: Question, content: JobUpdate): string | undefined {
  const answer = getAnswer(content, question);
  const text = Array.isArray(answer) ? answer.map(entryInBrief).join(', ') : asShown(answer, question);
  return text === undefined || text === '' ? undefined : shorten(text, BRIEF_COLUMNS);
}

function entryInBrief(entry: Readonly<Record<string, unknown>>): string {
  const { city, text, prompt, window, budgetCents } = entry;
  if (window !== undefined) return `${formatCents(Number(budgetCents))} ${word(window)}`;
  return oneLine(city ?? text ?? prompt) ?? '';
}

function asShown(value: unknown, { kind }: Question): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (kind === 'choice') return word(value);
  if (kind === 'cents') return formatCents(Number(value));
  return kind === 'dollars' ? formatDollars(Number(value)) : oneLine(value);
}
