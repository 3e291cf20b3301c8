import type { Connection } from '../../../cli/connection/connect.ts';
import { dataPaths, directories } from '../../../cli/settings/directories.ts';
import { BACK, orBack, say } from '../../../cli/terminal/ask.ts';
import { editorIn } from '../../../cli/terminal/ask-block.ts';
import { type CliContext, type Streams, streamsWithBack } from '../../../cli/terminal/streams.ts';
import type { SpendRules } from '../../../contract/guardrails.ts';
import { removeIfPossible } from '../../../files/own-file.ts';
import {
  answerTo,
  type FormAnswers,
  NO_ANSWERS,
  nextQuestion,
  questionBefore,
  reopened,
  withAnswer,
  withPart,
} from './answers.ts';
import { askQuestion } from './ask-question.ts';
import { type KeptAnswers, readKeptAnswers, writeKeptAnswers } from './kept-answers.ts';
import type { Question } from './questions.ts';

export interface FormContext {
  readonly streams: Streams;
  readonly cli: CliContext;
  readonly connection: Connection;
  readonly spending: SpendRules;
}

export interface Form {
  answers: FormAnswers;
  sent: KeptAnswers['sent'];
  /** When its file was last written, in ISO 8601; undefined where there was none. */
  readonly keptAt: string | undefined;
  keep(): Promise<void>;
  forget(): void;
}

/** The form as the user's data directory has it; without answers where none were kept. Throws CONFIG_UNREADABLE. */
export function openKeptForm({ streams, cli: { env, clock } }: FormContext): Form {
  const path = dataPaths(directories(env)).formAnswers;
  const kept = readKeptAnswers(path);
  let isWarned = false;
  return {
    answers: kept?.answers ?? NO_ANSWERS,
    sent: kept?.sent,
    keptAt: kept?.keptAt,
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

export function unkeptForm(answers: FormAnswers): Form {
  return { answers, sent: undefined, keptAt: undefined, keep: async () => {}, forget: () => {} };
}

/** Asks what is open, until nothing is. `isRevisited`: the first question was left already, and is gone back to. */
export async function askOpen(form: Form, context: FormContext, isRevisited = false): Promise<void> {
  let isBegun = !isRevisited;
  for (;;) {
    const question = nextQuestion(form.answers);
    if (question === undefined) return;
    const before = questionBefore(form.answers, question);
    const goesBack = before !== undefined || hasEntries(form, question);
    const isAnswered = await askInto(form, question, context, { isBegun, goesBack });
    // Back from the next entry of a list leads to the list as a whole, and from there to the question before.
    const isInList = isBegun && question.asked.as !== 'places' && hasEntries(form, question);
    if (!isAnswered && !isInList) reopen(form, before);
    isBegun = isAnswered;
  }
}

export function reopen(form: Form, question: Question | undefined): void {
  if (question !== undefined) form.answers = reopened(form.answers, [question.name]);
}

/** Asks one question and keeps the answer; false where the user went back to the one before. */
export async function askInto(
  form: Form,
  question: Question,
  { streams, connection, cli }: FormContext,
  { isBegun = false, goesBack = true } = {},
): Promise<boolean> {
  const asking = askQuestion({
    question,
    content: form.answers.content,
    streams: goesBack ? streamsWithBack(streams) : streams,
    connection,
    editor: editorIn(cli.env),
    async onPart(part) {
      form.answers = withPart(form.answers, question, part);
      await form.keep();
    },
    isBegun,
  });
  const value = await orBack(asking);
  if (value === BACK) return false;
  form.answers = withAnswer(form.answers, question, value);
  await form.keep();
  return true;
}

function hasEntries({ answers }: Form, question: Question): boolean {
  const answer = answerTo(answers.content, question);
  return Array.isArray(answer) && answer.length > 0;
}
