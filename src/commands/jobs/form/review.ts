import { askChoice, BACK, orBack, say } from '../../../cli/terminal/ask.ts';
import { streamsWithBack } from '../../../cli/terminal/streams.ts';
import { clean, shellWord, viewOfErr } from '../../../cli/terminal/view.ts';
import type { JobInput } from '../../../contract/job.ts';
import { counted } from '../../../contract/words.ts';
import { jobCard } from '../job-card.ts';
import { gapsOf } from '../job-gaps.ts';
import { guardedAnswers } from '../spending.ts';
import { listingOf, questionBefore, questionsOfGaps, reopened } from './answers.ts';
import { questionChoices } from './ask-question.ts';
import { askInto, askOpen, type Form, type FormContext, reopen } from './form.ts';
import { savedListing } from './listing-file.ts';
import type { Question } from './questions.ts';

/** What became of a form: a listing to send, or what to say where nothing is sent. */
export type FormEnd =
  | { readonly input: JobInput }
  | { readonly input?: never; readonly text: string; readonly hint: string };

const FLAG = 'a job file or fields';

type Next = 'publish' | 'fill' | 'draft' | 'file' | 'edit' | 'leave';

/** Shows the listing as it will look and asks what is to become of it, until that is settled. */
export async function reviewed(form: Form, context: FormContext): Promise<FormEnd> {
  const withBack = { ...context, streams: streamsWithBack(context.streams) };
  let isRevisited = false;
  for (;;) {
    await askOpen(form, context, isRevisited);
    await showListing(form, context);
    const input = listingOf(form.answers);
    const last = questionBefore(form.answers);
    const next = await orBack(askNext(input, last === undefined ? context : withBack));
    isRevisited = next === BACK;
    if (next === BACK) reopen(form, last);
    else {
      const end = await orBack(ended(next, input, form, withBack));
      if (end !== BACK && end !== undefined) return end;
    }
  }
}

async function ended(
  next: Next,
  input: JobInput,
  form: Form,
  context: FormContext,
): Promise<FormEnd | undefined> {
  switch (next) {
    case 'publish':
      return { input: { ...input, publish: true } };
    case 'draft':
      return { input };
    case 'file': {
      const path = await savedListing(input, context.streams);
      if (path === undefined) return undefined;
      form.forget();
      const hint = `send it with \`partner jobs create ${shellWord(path)}\``;
      return { text: `Saved as ${clean(path)}\n`, hint };
    }
    case 'leave':
      await form.keep();
      return { text: '', hint: 'nothing was sent; `partner jobs create --resume` goes on with your answers' };
    case 'fill':
      form.answers = reopened(form.answers, questionsOfGaps(input));
      return undefined;
    case 'edit': {
      const choices = questionChoices(form.answers.content);
      const asked = { question: 'Which answer?', flag: FLAG, choices };
      const question = await askChoice<Question>(context.streams, asked);
      await askInto(form, question, context);
      return undefined;
    }
  }
}

async function showListing({ answers }: Form, { streams, cli, spending }: FormContext): Promise<void> {
  const listing = listingOf(answers);
  // The flags that fill a gap are of no use to somebody who is being asked.
  const view = viewOfErr(streams, cli.clock(), () => undefined);
  const card = jobCard({ budgets: [], ...listing, status: 'DRAFT' }, view);
  await streams.writeErr(`\n${card}\n`);
  const { warnings } = guardedAnswers(listing, gapsOf(listing).length === 0, spending);
  for (const warning of warnings) await say(streams, 'yellow', `warning: ${warning}`);
}

function askNext(listing: JobInput, { streams, spending }: FormContext): Promise<Next> {
  const gaps = gapsOf(listing).length;
  const isForbidden = (isLive: boolean) => guardedAnswers(listing, isLive, spending).forbidden.length > 0;
  const forbidden = (isLive: boolean) => (isForbidden(isLive) ? 'see the warning above' : undefined);
  const draft = { name: 'keep it as a draft', value: 'draft', closed: forbidden(false) } as const;
  const publish = {
    name: 'publish it now',
    value: 'publish',
    closed: gaps > 0 ? `${counted(gaps, 'gap')} to fill first` : forbidden(true),
  } as const;
  const fill = { name: 'fill what is missing', value: 'fill' } as const;
  return askChoice<Next>(streams, {
    question: 'What next?',
    flag: FLAG,
    choices: [
      // Enter alone never spends money.
      ...(gaps === 0 ? [draft, publish] : [fill, publish, draft]),
      { name: 'save it as a file', value: 'file', beside: 'nothing is sent' },
      { name: 'change an answer', value: 'edit' },
      { name: 'leave', value: 'leave', beside: 'nothing is sent, and the answers are kept' },
    ],
  });
}
