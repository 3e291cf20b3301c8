import { askChoice, say } from '../../../cli/terminal/ask.ts';
import { distance } from '../../../cli/terminal/words.ts';
import type { ServerJob } from '../../../client/client.ts';
import { newIdempotencyKey } from '../../../client/retry.ts';
import { PartnerError } from '../../../contract/errors.ts';
import type { JobInput, JobUpdate } from '../../../contract/job.ts';
import { counted } from '../../../contract/words.ts';
import type { Listing } from '../../../listings/read/listing.ts';
import { gapsOf } from '../job-gaps.ts';
import { checkedInput } from '../listing-input.ts';
import { guardedAnswers } from '../spending.ts';
import { listingOf, NO_ANSWERS, nextQuestion, withGiven } from './answers.ts';
import { type Form, type FormContext, openKeptForm } from './form.ts';
import { type FormEnd, reviewed } from './review.ts';

export interface FormFlags {
  /** Takes kept answers up without asking whether to. */
  readonly resume: boolean;
  readonly publish: boolean;
  /** An idempotency key of the user's own. */
  readonly key: string | undefined;
}

type Create = (input: JobInput, idempotencyKey: string) => Promise<ServerJob>;

/** Asks for what `listing` lacks and does what is chosen. Throws INTERRUPTED, USAGE, and what the create throws. */
export async function createdFromForm(
  listing: Listing | undefined,
  flags: FormFlags,
  context: FormContext,
  create: Create,
) {
  const form = await openForm(await contentOf(listing, context), flags, context);
  const end = await filledForm(form, flags, context);
  return end.input ? { ...end, job: await sentForm(form, end.input, flags.key, context, create) } : end;
}

async function contentOf(listing: Listing | undefined, { streams, connection, spending }: FormContext) {
  if (listing === undefined) return {};
  // What is to go live may have gaps here: they are asked.
  const draft = { ...listing, value: { ...(listing.value as object), publish: undefined } };
  const checking = { as: 'create', draft: true, isLive: false, spending } as const;
  return (await checkedInput<JobInput>(draft, connection, streams, checking)).input;
}

async function filledForm(form: Form, flags: FormFlags, context: FormContext): Promise<FormEnd> {
  const isOpen = nextQuestion(form.answers) !== undefined;
  const input = listingOf(form.answers);
  // What a failed call has left needs nobody at the terminal.
  const isAllowed = guardedAnswers(input, true, context.spending).forbidden.length === 0;
  if (flags.resume && flags.publish && !isOpen && isAllowed && gapsOf(input).length === 0)
    return { input: { ...input, publish: true } };
  try {
    if (isOpen) await say(context.streams, 'dim', INTRODUCTION);
    return await reviewed(form, context);
  } catch (error) {
    const isLeft = error instanceof PartnerError && error.code === 'INTERRUPTED';
    if (!isLeft || form.answers.asked.length === 0) throw error;
    throw error.with({ hint: 'your answers are kept: `partner jobs create --resume` takes them up again' });
  }
}

const INTRODUCTION =
  'Enter skips a question, as a draft may be any subset; Esc goes back to the one before. Ctrl-C leaves, and `partner jobs create --resume` goes on.';

async function openForm(given: JobUpdate, { resume }: FormFlags, context: FormContext): Promise<Form> {
  const form = openKeptForm(context);
  if (resume && form.keptAt === undefined) {
    throw new PartnerError('USAGE', {
      message: 'there are no kept answers to take up',
      hint: 'begin with `partner jobs create --interactive`',
    });
  }
  if (!resume && form.keptAt !== undefined && !(await goesOn(form, context))) {
    form.answers = NO_ANSWERS;
    form.sent = undefined;
  }
  form.answers = withGiven(form.answers, given);
  return form;
}

async function goesOn({ answers, keptAt }: Form, { streams, cli }: FormContext): Promise<boolean> {
  const count = counted(answers.asked.length, 'question');
  const facts = [answers.content.title, `${count} asked`, distance(keptAt, cli.clock())];
  return askChoice(streams, {
    question: 'There are answers that were not sent.',
    why: facts.filter(Boolean).join(' · '),
    flag: '--resume',
    choices: [
      { name: 'go on with them', value: true },
      { name: 'throw them away and begin afresh', value: false },
    ],
  });
}

/** Sends the listing of a form. The answers are forgotten once the job is there. */
async function sentForm(
  form: Form,
  input: JobInput,
  givenKey: string | undefined,
  context: FormContext,
  create: Create,
): Promise<ServerJob> {
  const text = JSON.stringify(input);
  const known = form.sent?.input === text ? form.sent.idempotencyKey : undefined;
  const idempotencyKey = givenKey ?? known ?? newIdempotencyKey(context.cli.clock());
  form.sent = { idempotencyKey, input: text };
  await form.keep();
  try {
    const job = await create(input, idempotencyKey);
    form.forget();
    return job;
  } catch (error) {
    // A server that has answered with an error has made nothing under the key.
    const isRefused = error instanceof PartnerError && error.status !== undefined && !error.mayHaveCreated;
    if (isRefused) form.sent = undefined;
    await form.keep();
    const again = `partner jobs create --resume${input.publish ? ' --publish' : ''}`;
    const isOpen = error instanceof PartnerError && error.mayHaveCreated;
    const when = isOpen ? " if the job doesn't exist" : '';
    await say(context.streams, 'dim', `Your answers are kept: \`${again}\` sends them again${when}.`);
    throw error;
  }
}
