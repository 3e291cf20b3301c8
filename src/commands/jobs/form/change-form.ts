import { jobInputOf } from '../../../cli/job-input.ts';
import { askChoice } from '../../../cli/terminal/ask.ts';
import type { Streams } from '../../../cli/terminal/streams.ts';
import { viewOfErr } from '../../../cli/terminal/view.ts';
import type { ServerJob } from '../../../client/client.ts';
import { PartnerError } from '../../../contract/errors.ts';
import type { JobUpdate } from '../../../contract/job.ts';
import { FROZEN_FIELDS, isOver } from '../../../contract/lifecycle.ts';
import { counted } from '../../../contract/words.ts';
import { jobCard } from '../job-card.ts';
import { gapsOf } from '../job-gaps.ts';
import { withNext } from '../job-moves.ts';
import { changesBetween, NO_ANSWERS } from './answers.ts';
import { questionChoices } from './ask-question.ts';
import { askInto, type FormContext, unkeptForm } from './form.ts';
import type { Question } from './questions.ts';

/** The changed fields; undefined where it was left. Throws INTERRUPTED, and INVALID_TRANSITION for a job that is over. */
export async function changesAsked(id: number, given: () => Promise<JobUpdate>, context: FormContext) {
  const { streams, connection } = context;
  const job = await connection.client.getJob(id);
  if (isOver(job.status)) {
    const message = `job ${id} is ${job.status} and cannot be edited`;
    throw withNext(new PartnerError('INVALID_TRANSITION', { message }), job, id, 'update');
  }
  const content = jobInputOf(job);
  const form = unkeptForm({ ...NO_ANSWERS, content: { ...content, ...(await given()) } });
  await streams.writeErr(`${jobCard(job, viewOfErr(streams, connection.now()))}\n`);
  for (;;) {
    const next = await askNext(job, content, form.answers.content, streams);
    if (next === 'leave') return undefined;
    if (next === 'send') return changesBetween(content, form.answers.content);
    await askInto(form, next, context);
  }
}

type Next = Question | 'send' | 'leave';

function askNext(job: ServerJob, before: JobUpdate, content: JobUpdate, streams: Streams): Promise<Next> {
  const changes = Object.keys(changesBetween(before, content));
  const locked: readonly string[] = job.isFrozen ? FROZEN_FIELDS : [];
  const questions = questionChoices(content).map((choice) => ({
    ...choice,
    closed: locked.includes(choice.value.field) ? 'locked: the job has applications' : undefined,
  }));
  const isLive = job.status === 'ACTIVE' || job.status === 'PAUSED';
  const gaps = isLive ? gapsOf(content).length : 0;
  const send = {
    name: `send ${counted(changes.length, 'change')}`,
    value: 'send',
    beside: changes.join(', '),
    closed: gaps === 0 ? undefined : `a live job must stay complete: ${counted(gaps, 'gap')}`,
  } as const;
  return askChoice<Next>(streams, {
    question: changes.length === 0 ? 'What shall change?' : 'What else shall change?',
    flag: 'fields or a file',
    choices: [
      ...(changes.length === 0 ? [] : [send]),
      ...questions,
      { name: 'leave', value: 'leave', beside: 'nothing is sent' },
    ],
  });
}
