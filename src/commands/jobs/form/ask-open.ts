import { BACK, orBack } from '../../../cli/terminal/ask.ts';
import { editorIn } from '../../../cli/terminal/form/editor.ts';
import { streamsWithBack } from '../../../cli/terminal/streams.ts';
import {
  answerTo,
  nextQuestion,
  type Question,
  questionBefore,
  reopened,
  withAnswer,
  withPart,
} from './answers.ts';
import { askQuestion } from './ask-question.ts';
import type { Form, FormWorld } from './kept-form.ts';

/** Asks what is open, until nothing is. `isRevisited`: the first question was left already, and is gone back to. */
export async function askOpen(form: Form, world: FormWorld, isRevisited = false): Promise<void> {
  let isBegun = !isRevisited;
  for (;;) {
    const question = nextQuestion(form.answers);
    if (question === undefined) return;
    const before = questionBefore(form.answers, question);
    const goesBack = before !== undefined || hasEntries(form, question);
    const isAnswered = await askInto(form, question, world, { isBegun, goesBack });
    // Back from the next entry of a list leads to the list as a whole, and from there to the question before.
    const isInList = isBegun && hasEntries(form, question);
    if (!isAnswered && !isInList) reopen(form, before);
    isBegun = isAnswered;
  }
}

/** Opens a question again, with its answer standing. */
export function reopen(form: Form, question: Question | undefined): void {
  if (question !== undefined) form.answers = reopened(form.answers, [question.name]);
}

/**
 * Asks one question and keeps the answer; false where it was left for the one before. `isBegun`: a list that has
 * entries is gone on with.
 */
export async function askInto(
  form: Form,
  question: Question,
  { streams, connection, context }: FormWorld,
  { isBegun = false, goesBack = true } = {},
): Promise<boolean> {
  const asking = askQuestion({
    question,
    content: form.answers.content,
    streams: goesBack ? streamsWithBack(streams) : streams,
    connection,
    editor: editorIn(context.env),
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
