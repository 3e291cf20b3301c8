import { askChoice } from '../../../cli/terminal/ask.ts';
import { say } from '../../../cli/terminal/view.ts';
import { distance } from '../../../cli/terminal/words.ts';
import type { ServerJob } from '../../../client/client.ts';
import { newIdempotencyKey } from '../../../client/retry.ts';
import { PartnerError } from '../../../contract/errors.ts';
import type { JobInput, JobUpdate } from '../../../contract/job.ts';
import { formatCount } from '../../../contract/words.ts';
import type { Listing } from '../../../listings/read/listing.ts';
import { checkGuardrails, listGaps } from '../job-checks.ts';
import { checkInput } from '../listing-input.ts';
import { NO_ANSWERS, nextQuestion, toListing, withGiven } from './answers.ts';
import { type Form, type FormContext, openKeptForm } from './form.ts';
import { type FormEnd, reviewForm } from './review.ts';

export interface FormFlags {
  /** Continues with the stored answers without a prompt. */
  readonly resume: boolean;
  readonly publish: boolean;
  readonly key: string | undefined;
}

type Create = (input: JobInput, idempotencyKey: string) => Promise<ServerJob>;

/** Throws INTERRUPTED, USAGE and the errors of `create`. */
export async function createFromForm(
  listing: Listing | undefined,
  flags: FormFlags,
  context: FormContext,
  create: Create,
) {
  const form = await openForm(await readContent(listing, context), flags, context);
  const end = await fillForm(form, flags, context);
  return end.input ? { ...end, job: await sendForm(form, end.input, flags, context, create) } : end;
}

async function readContent(listing: Listing | undefined, { streams, connection, spending }: FormContext) {
  if (listing === undefined) return {};
  // Checks the listing as a draft, because the form prompts for missing fields.
  const draft = { ...listing, value: { ...(listing.value as object), publish: undefined } };
  const checking = { as: 'create', draft: true, isLive: false, spending } as const;
  return (await checkInput<JobInput>(draft, connection, streams, checking)).input;
}

async function fillForm(form: Form, flags: FormFlags, context: FormContext): Promise<FormEnd> {
  const isOpen = nextQuestion(form.answers) !== undefined;
  const input = toListing(form.answers);
  // With --resume and --publish, a complete form is sent without a prompt.
  const isAllowed = checkGuardrails(input, true, context.spending).forbidden.length === 0;
  if (flags.resume && flags.publish && !isOpen && isAllowed && listGaps(input).length === 0)
    return { input: { ...input, publish: true } };
  try {
    if (isOpen) await say(context.streams, 'dim', INTRODUCTION);
    return await reviewForm(form, context);
  } catch (error) {
    const isLeft = error instanceof PartnerError && error.code === 'INTERRUPTED';
    if (!isLeft || form.answers.asked.length === 0) throw error;
    throw error.with({ hint: 'your answers are saved. Continue with `partner jobs create --resume`' });
  }
}

const INTRODUCTION =
  'You can skip each question. Press Esc to go back, or Ctrl-C to leave. Continue later with `partner jobs create --resume`.';

async function openForm(given: JobUpdate, { resume }: FormFlags, context: FormContext): Promise<Form> {
  const form = openKeptForm(context);
  if (resume && form.keptAt === undefined) {
    throw new PartnerError('USAGE', {
      message: 'no saved answers to resume',
      hint: 'start with `partner jobs create --interactive`',
    });
  }
  if (!resume && form.keptAt !== undefined && !(await confirmContinue(form, context))) {
    form.answers = NO_ANSWERS;
    form.sent = undefined;
  }
  form.answers = withGiven(form.answers, given);
  return form;
}

async function confirmContinue({ answers, keptAt }: Form, { streams, cli }: FormContext): Promise<boolean> {
  const count = formatCount(answers.asked.length, 'question');
  const facts = [answers.content.title, `${count} answered`, distance(keptAt, cli.clock())];
  return askChoice(streams, {
    question: "You have saved answers that weren't sent.",
    why: facts.filter(Boolean).join(' · '),
    flag: '--resume',
    choices: [
      { name: 'continue with them', value: true },
      { name: 'discard them and start over', value: false },
    ],
  });
}

async function sendForm(form: Form, input: JobInput, flags: FormFlags, context: FormContext, create: Create) {
  const text = JSON.stringify(input);
  const known = form.sent?.input === text ? form.sent.idempotencyKey : undefined;
  const idempotencyKey = flags.key ?? known ?? newIdempotencyKey(context.cli.clock());
  form.sent = { idempotencyKey, input: text };
  await form.keep();
  try {
    const job = await create(input, idempotencyKey);
    form.forget();
    return job;
  } catch (error) {
    // This error proves that no job was created with the key.
    const isRefused = error instanceof PartnerError && error.status !== undefined && !error.mayHaveCreated;
    if (isRefused) form.sent = undefined;
    await form.keep();
    const again = `partner jobs create --resume${input.publish ? ' --publish' : ''}`;
    const isOpen = error instanceof PartnerError && error.mayHaveCreated;
    const when = isOpen ? " if the job doesn't exist" : '';
    await say(context.streams, 'dim', `Your answers are saved. Send them again with \`${again}\`${when}.`);
    throw error;
  }
}
