import { toJobInput } from '../../../cli/job-input.ts';
import { askChoice } from '../../../cli/terminal/ask.ts';
import type { Streams } from '../../../cli/terminal/streams.ts';
import { viewOfErr } from '../../../cli/terminal/view.ts';
import type { ServerJob } from '../../../client/client.ts';
import { PartnerError } from '../../../contract/errors.ts';
import type { JobUpdate } from '../../../contract/job.ts';
import { FROZEN_FIELDS, hasEnded, isPublished } from '../../../contract/lifecycle.ts';
import { formatCount } from '../../../contract/words.ts';
import { jobCard } from '../job-card.ts';
import { listGaps } from '../job-checks.ts';
import { withNext } from '../job-moves.ts';
import { findChanges, NO_ANSWERS, type Question } from './answers.ts';
import { questionChoices } from './ask-question.ts';
import { askAndStore, type Form, type FormContext } from './form.ts';

/** Returns the changed fields, or undefined if the user left. Throws INTERRUPTED, and INVALID_TRANSITION for a closed or expired job. */
export async function changesAsked(id: number, given: () => Promise<JobUpdate>, context: FormContext) {
  const { streams, connection } = context;
  const job = await connection.client.getJob(id);
  if (hasEnded(job.status)) {
    const message = `job ${id} is ${job.status} and can't be edited`;
    throw withNext(new PartnerError('INVALID_TRANSITION', { message }), job, id, 'update');
  }
  const content = toJobInput(job);
  const answers = { ...NO_ANSWERS, content: { ...content, ...(await given()) } };
  const form: Form = { answers, keptAt: undefined, keep: async () => {}, forget: () => {} };
  await streams.writeErr(`${jobCard(job, viewOfErr(streams, connection.now()))}\n`);
  for (;;) {
    const next = await askNext(job, content, form.answers.content, streams);
    if (next === 'leave') return undefined;
    if (next === 'send') return findChanges(content, form.answers.content);
    await askAndStore(form, next, context);
  }
}

type Next = Question | 'send' | 'leave';

function askNext(job: ServerJob, before: JobUpdate, content: JobUpdate, streams: Streams): Promise<Next> {
  const changes = Object.keys(findChanges(before, content));
  const locked: readonly string[] = job.isFrozen ? FROZEN_FIELDS : [];
  const questions = questionChoices(content).map((choice) => ({
    ...choice,
    closed: locked.includes(choice.value.field) ? 'locked: the job has applications' : undefined,
  }));
  const gaps = isPublished(job.status) ? listGaps(content).length : 0;
  const send = {
    name: `send ${formatCount(changes.length, 'change')}`,
    value: 'send',
    beside: changes.join(', '),
    closed: gaps === 0 ? undefined : `a live job must stay complete (${formatCount(gaps, 'missing field')})`,
  } as const;
  return askChoice<Next>(streams, {
    question: changes.length === 0 ? 'What do you want to change?' : 'What else do you want to change?',
    flag: 'fields or a file',
    choices: [
      ...(changes.length === 0 ? [] : [send]),
      ...questions,
      { name: 'leave', value: 'leave', beside: 'without sending anything' },
    ],
  });
}
