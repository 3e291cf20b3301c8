import { BACK, orBack } from '../../../cli/terminal/ask.ts';
import { askChoice, type FormChoice } from '../../../cli/terminal/form/choice.ts';
import { say } from '../../../cli/terminal/form/message.ts';
import { streamsWithBack } from '../../../cli/terminal/streams.ts';
import { viewOfErr } from '../../../cli/terminal/view.ts';
import { counted } from '../../../cli/terminal/words.ts';
import type { JobInput } from '../../../contract/job.ts';
import { jobCard } from '../job-card.ts';
import { guardedAnswers } from '../spending.ts';
import { inBrief } from './answer-words.ts';
import {
  gapsOf,
  listingOf,
  type Question,
  questionBefore,
  questionsFor,
  questionsOfGaps,
  reopened,
} from './answers.ts';
import { askInto, askOpen, reopen } from './ask-open.ts';
import type { Form, FormWorld } from './kept-form.ts';
import { savedListing } from './listing-file.ts';

/** What became of a form: a listing to send, one that is in a file now, or nothing. */
export type FormEnd =
  | { readonly as: 'send'; readonly input: JobInput }
  | { readonly as: 'file'; readonly path: string; readonly input: JobInput }
  | { readonly as: 'left'; readonly isKept: boolean };

type Next = 'publish' | 'fill' | 'draft' | 'file' | 'edit' | 'leave';

/** Shows the listing as it will look and asks what is to become of it, until that is settled. */
export async function reviewed(form: Form, world: FormWorld): Promise<FormEnd> {
  const withBack = { ...world, streams: streamsWithBack(world.streams) };
  let isRevisited = false;
  for (;;) {
    await askOpen(form, world, isRevisited);
    await showListing(form, world);
    const input = listingOf(form.answers);
    const last = questionBefore(form.answers);
    const next = await orBack(askNext(input, last === undefined ? world : withBack));
    isRevisited = next === BACK;
    if (next === BACK) {
      reopen(form, last);
      continue;
    }
    const end = await orBack(ended(next, input, form, withBack));
    if (end !== BACK && end !== undefined) return end;
  }
}

/** What a choice ends the form with; undefined where it goes on. */
async function ended(
  next: Next,
  input: JobInput,
  form: Form,
  world: FormWorld,
): Promise<FormEnd | undefined> {
  switch (next) {
    case 'publish':
      return { as: 'send', input: { ...input, publish: true } };
    case 'draft':
      return { as: 'send', input };
    case 'file': {
      const path = await savedListing(input, world.streams);
      if (path === undefined) return undefined;
      form.forget();
      return { as: 'file', path, input };
    }
    case 'leave':
      return left(form, world);
    case 'fill':
      form.answers = reopened(form.answers, questionsOfGaps(input));
      return undefined;
    case 'edit':
      await editAnswer(form, world);
      return undefined;
  }
}

async function showListing({ answers }: Form, { streams, context, spending }: FormWorld): Promise<void> {
  const listing = listingOf(answers);
  // The flags that fill a gap are of no use to somebody who is being asked.
  const view = viewOfErr(streams, context.clock(), () => undefined);
  const card = jobCard({ budgets: [], ...listing, status: 'DRAFT' }, view);
  await streams.writeErr(`\n${card}\n`);
  const { warnings } = guardedAnswers(listing, gapsOf(listing).length === 0, spending);
  for (const warning of warnings) await say(streams, 'yellow', `warning: ${warning}`);
}

function askNext(listing: JobInput, { streams, spending }: FormWorld): Promise<Next> {
  const gaps = gapsOf(listing);
  const isForbidden = (isLive: boolean) => guardedAnswers(listing, isLive, spending).forbidden.length > 0;
  const forbidden = 'see the warning above';
  const draft: FormChoice<Next> = {
    name: 'keep it as a draft',
    value: 'draft',
    closed: isForbidden(false) ? forbidden : undefined,
  };
  const publish: FormChoice<Next> = {
    name: 'publish it now',
    value: 'publish',
    closed:
      gaps.length > 0
        ? `${counted(gaps.length, 'gap')} to fill first`
        : isForbidden(true)
          ? forbidden
          : undefined,
  };
  return askChoice<Next>(streams, {
    question: 'What next?',
    flag: 'a job file or fields',
    choices: [
      // Enter alone never spends money.
      ...(gaps.length === 0
        ? [draft, publish]
        : [{ name: 'fill what is missing', value: 'fill' as const }, publish, draft]),
      { name: 'save it as a file', value: 'file', beside: 'nothing is sent' },
      { name: 'change an answer', value: 'edit' },
      { name: 'leave', value: 'leave', beside: 'nothing is sent' },
    ],
  });
}

async function editAnswer(form: Form, world: FormWorld): Promise<void> {
  const question = await askWhich(form, world);
  if (question !== null) await askInto(form, question, world);
}

function askWhich({ answers }: Form, { streams }: FormWorld): Promise<Question | null> {
  return askChoice<Question | null>(streams, {
    question: 'Which answer?',
    flag: 'a job file or fields',
    choices: [
      ...questionsFor(answers.content).map((question) => ({
        name: question.words,
        value: question,
        beside: inBrief(question, answers.content),
      })),
      { name: 'none: go back', value: null },
    ],
  });
}

async function left(form: Form, { streams }: FormWorld): Promise<FormEnd> {
  const isKept = await askChoice(streams, {
    question: 'And the answers?',
    flag: 'a job file or fields',
    choices: [
      { name: 'keep them for later', value: true },
      { name: 'throw them away', value: false },
    ],
  });
  if (isKept) await form.keep();
  else form.forget();
  return { as: 'left', isKept };
}
