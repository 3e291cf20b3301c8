import { nextQuestion, type Question, withAnswer, withPart } from '../../intake/form/answers.ts';
import { editorIn } from '../../ui/form/editor.ts';
import { askQuestion } from './ask-question.ts';
import type { Form, FormWorld } from './kept-form.ts';

/** Asks what is open, until nothing is. */
export async function askOpen(form: Form, world: FormWorld): Promise<void> {
  for (;;) {
    const question = nextQuestion(form.answers);
    if (question === undefined) return;
    await askInto(form, question, world, true);
  }
}

/** Asks one question and keeps the answer. `isBegun`: a list that has entries is gone on with. */
export async function askInto(
  form: Form,
  question: Question,
  { streams, connection, surroundings }: FormWorld,
  isBegun = false,
): Promise<void> {
  const value = await askQuestion({
    question,
    content: form.answers.content,
    streams,
    connection,
    editor: editorIn(surroundings.env),
    async onPart(part) {
      form.answers = withPart(form.answers, question, part);
      await form.keep();
    },
    isBegun,
  });
  form.answers = withAnswer(form.answers, question, value);
  await form.keep();
}
