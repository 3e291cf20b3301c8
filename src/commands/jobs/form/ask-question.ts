import { askChoice, askLine } from '../../../cli/terminal/ask.ts';
import { askBlock } from '../../../cli/terminal/ask-block.ts';
import { shorten } from '../../../cli/terminal/width.ts';
import { oneLine, word } from '../../../cli/terminal/words.ts';
import { EMPTY_CONTENT, type JobUpdate } from '../../../contract/job.ts';
import { type FieldKind, getChoices } from '../../../contract/job-fields.ts';
import { formatCents, formatDollars } from '../../../contract/words.ts';
import { describePassed, getAnswer, listQuestions, parseAnswerLine, type Question } from './answers.ts';
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

async function lineAnswer({ question, answer, streams, findProblem }: Asking): Promise<unknown> {
  const current = toTypedText(answer, question);
  const parseLine = (line: string) => parseAnswerLine(question, line, findProblem);
  const line = await askLine(streams, {
    ...question,
    current,
    passed: current === undefined ? describePassed(question) : markNeeded('cleared', question),
    wrong: (text) => parseLine(text).wrong,
    formatAnswer: (text) => asShown(parseLine(text).value, question) ?? text,
  });
  if (line === (current ?? '')) return undefined;
  return line === '' ? EMPTY_CONTENT[question.field] : parseLine(line).value;
}

function markNeeded(text: string, { isNeeded }: Question): string {
  return isNeeded ? `${text} (required to publish)` : text;
}

function toTypedText(value: unknown, { kind }: Question): string | undefined {
  if (value === undefined || value === '') return undefined;
  return kind === 'cents' ? (Number(value) / 100).toFixed(2) : String(value);
}

function blockAnswer({ question, answer, streams, findProblem, editor }: Asking): Promise<unknown> {
  const current = toTypedText(answer, question);
  const skipped = markNeeded('skip for now', question);
  return askBlock(streams, { ...question, skipped, current, wrong: findProblem, editor });
}

async function choiceAnswer({ question, answer, streams }: Asking) {
  const current = (answer as string | undefined) ?? null;
  const none = current === null ? 'skip for now' : 'clear it';
  const chosen = await askChoice<string | null>(streams, {
    ...question,
    choices: [
      { name: markNeeded(none, question), value: null },
      ...getChoices(question.field).map((value) => ({ name: word(value) ?? value, value })),
    ],
    current,
  });
  return chosen === current ? undefined : chosen;
}

export function questionChoices(content: JobUpdate) {
  return listQuestions(content).map((question) => ({
    name: question.question,
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
  if (Array.isArray(value)) return value.map(formatDollars).join(' – ');
  if (kind === 'choice') return word(value);
  if (kind === 'cents') return formatCents(Number(value));
  return kind === 'dollars' ? formatDollars(Number(value)) : oneLine(value);
}
