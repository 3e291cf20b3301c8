import { dirname } from 'node:path';
import type { Connection } from '../../../cli/connection/connect.ts';
import { dataPaths, directories } from '../../../cli/settings/directories.ts';
import { BACK, orBack } from '../../../cli/terminal/ask.ts';
import { findEditor } from '../../../cli/terminal/ask-block.ts';
import { type CliContext, type Streams, streamsWithBack } from '../../../cli/terminal/streams.ts';
import { say } from '../../../cli/terminal/view.ts';
import { checkJobUpdate } from '../../../contract/check.ts';
import { PartnerError } from '../../../contract/errors.ts';
import { budgetWarnings } from '../../../contract/gate.ts';
import type { QuestionName } from '../../../contract/job-fields.ts';
import { attempt, getErrorReason } from '../../../contract/system-errors.ts';
import { NO_LIMITS } from '../../../contract/values.ts';
import { withDirectoryLock } from '../../../files/file-lock.ts';
import { readOwnText, removeIfPossible, replaceFile } from '../../../files/own-file.ts';
import type { SpendRules } from '../../../listings/check/guardrails.ts';
import { wholeContent } from '../job-checks.ts';
import {
  type FormAnswers,
  findAnswerProblem,
  findPreviousQuestion,
  getAnswer,
  NO_ANSWERS,
  nextQuestion,
  QUESTIONS,
  type Question,
  reopenQuestions,
  withAnswer,
  withPart,
} from './answers.ts';
import { askQuestion } from './ask-question.ts';

export interface FormContext {
  readonly streams: Streams;
  readonly cli: CliContext;
  readonly connection: Connection;
  readonly spending: SpendRules;
}

export interface Form {
  answers: FormAnswers;
  sent?: KeptAnswers['sent'];
  /** ISO 8601 time of the stored answers. Undefined if there are none. */
  readonly keptAt: string | undefined;
  keep(): Promise<void>;
  forget(): void;
}

/** Opens the form with the answers stored in the user's data directory. Throws CONFIG_UNREADABLE. */
export function openKeptForm({ streams, cli: { env, clock } }: FormContext): Form {
  const path = dataPaths(directories(env)).formAnswers;
  const kept = readKeptAnswers(path);
  let isWarned = false;
  return {
    ...(kept ?? { answers: NO_ANSWERS, keptAt: undefined }),
    async keep() {
      const { answers, sent } = this;
      const keptAt = new Date(clock()).toISOString();
      const failed = await writeKeptAnswers(path, { answers, keptAt, sent });
      if (failed === undefined || isWarned) return;
      isWarned = true;
      await say(streams, 'dim', `warning: ${failed}`);
    },
    forget: () => removeIfPossible(path),
  };
}

/** Asks all unanswered questions. `isRevisited` is true if the user went back to the first one. */
export async function askOpen(form: Form, context: FormContext, isRevisited = false): Promise<void> {
  let isBegun = !isRevisited;
  for (;;) {
    const question = nextQuestion(form.answers);
    if (question === undefined) return;
    const before = findPreviousQuestion(form.answers, question);
    const goesBack = before !== undefined || hasEntries(form, question);
    const isAnswered = await askAndStore(form, question, context, { isBegun, goesBack });
    // Going back from an entry leads to its list first, then to the previous question.
    const isInList = isBegun && question.kind !== 'locations' && hasEntries(form, question);
    if (!isAnswered && !isInList) reopen(form, before);
    isBegun = isAnswered;
  }
}

export function reopen(form: Form, question: Question | undefined): void {
  if (question !== undefined) form.answers = reopenQuestions(form.answers, [question.name]);
}

/** Returns false if the user went back. */
export async function askAndStore(
  form: Form,
  question: Question,
  { streams, connection, cli }: FormContext,
  { isBegun = false, goesBack = true } = {},
): Promise<boolean> {
  const { content } = form.answers;
  const asking = askQuestion({
    question,
    answer: getAnswer(content, question),
    findProblem: (value) => findAnswerProblem(question, value, content, connection.limits),
    streams: goesBack ? streamsWithBack(streams) : streams,
    searchPlaces: connection.searchPlaces,
    editor: findEditor(cli.env),
    async onPart(part) {
      form.answers = withPart(form.answers, question, part);
      await form.keep();
      await warnOfCaps(form, question, streams, 'last');
    },
    isBegun,
  });
  const value = await orBack(asking);
  if (value === BACK) return false;
  form.answers = withAnswer(form.answers, question, value);
  await form.keep();
  if (question.name === 'bid') await warnOfCaps(form, question, streams, 'all');
  return true;
}

/** Warns right after the answer, because a cap below the bid hides the job. */
async function warnOfCaps({ answers }: Form, { field }: Question, streams: Streams, which: 'last' | 'all') {
  const { budgets, bidPerQualifiedApplicantCents } = wholeContent(answers.content);
  if (which === 'last' && field !== 'budgets') return;
  const shown = which === 'last' ? budgets.slice(-1) : budgets;
  const warnings = budgetWarnings({ budgets: shown, bidPerQualifiedApplicantCents });
  for (const { message } of warnings) await say(streams, 'yellow', `warning: ${message}`);
}

function hasEntries({ answers }: Form, question: Question): boolean {
  const answer = getAnswer(answers.content, question);
  return Array.isArray(answer) && answer.length > 0;
}

export interface KeptAnswers {
  readonly answers: FormAnswers;
  readonly keptAt: string;
  /** A create with an unknown result. A retry with this key doesn't create a second job (decision 27). */
  readonly sent?: { readonly idempotencyKey: string; readonly input: string } | undefined;
}

/** Undefined if there is no file. Throws CONFIG_UNREADABLE and leaves the file unchanged. */
export function readKeptAnswers(path: string): KeptAnswers | undefined {
  const text = readOwnText(path, `the saved answers in ${path}`, HINT);
  if (text === undefined) return undefined;
  const { answers, keptAt, sent }: Partial<KeptAnswers> = attempt(() => JSON.parse(text)) ?? {};
  const known = parseAnswers(answers);
  if (known !== undefined && typeof keptAt === 'string') return { answers: known, keptAt, sent };
  throw new PartnerError('CONFIG_UNREADABLE', {
    message: `can't use the saved answers in ${path}: the file contains no form answers`,
    hint: HINT,
  });
}

const HINT = 'move the file to start over. It was not changed';

function parseAnswers(value: unknown): FormAnswers | undefined {
  const { content, given, asked } = (value ?? {}) as Partial<FormAnswers>;
  // Skips size limits, because the target may have changed. Every answer is checked again before it's sent.
  const checked = checkJobUpdate(content, NO_LIMITS);
  if (!checked.ok || !areNames(given) || !areNames(asked)) return undefined;
  return { content: checked.value, given, asked };
}

function areNames(value: unknown): value is QuestionName[] {
  return Array.isArray(value) && value.every((name) => QUESTIONS.some((question) => question.name === name));
}

/** If the write fails, returns the reason instead of throwing, because the form works without the file. */
export async function writeKeptAnswers(path: string, kept: KeptAnswers): Promise<string | undefined> {
  try {
    const text = `${JSON.stringify(kept)}\n`;
    await withDirectoryLock(dirname(path), () => replaceFile(path, text, { isPrivate: true }));
    return undefined;
  } catch (error) {
    return `can't save the answers in ${path}: ${getErrorReason(error)}`;
  }
}
