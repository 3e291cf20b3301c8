import type { Connection } from '../../../cli/connection/connection.ts';
import { jobInputOf } from '../../../cli/job-input.ts';
import { askChoice, type FormChoice } from '../../../cli/terminal/form/choice.ts';
import { viewOfErr } from '../../../cli/terminal/view.ts';
import { counted } from '../../../cli/terminal/words.ts';
import { PartnerError } from '../../../contract/errors.ts';
import type { JobUpdate } from '../../../contract/job.ts';
import { FROZEN_FIELDS, isOver } from '../../../contract/lifecycle.ts';
import type { JobStatus } from '../../../contract/values.ts';
import { jobCard } from '../job-card.ts';
import { withNext } from '../refused-move.ts';
import { inBrief } from './answer-words.ts';
import { changesBetween, gapsOf, NO_ANSWERS, type Question, questionsFor } from './answers.ts';
import { askInto } from './ask-open.ts';
import { type FormWorld, unkeptForm } from './kept-form.ts';

const LOCKED: readonly string[] = FROZEN_FIELDS;

interface Standing {
  readonly content: JobUpdate;
  readonly isFrozen: boolean;
  readonly isLive: boolean;
}

/**
 * The fields of a job that somebody changes, question by question, beginning with what was `given`; undefined where
 * nothing was changed, or it was left. Throws INPUT_REQUIRED where nobody can be asked, INTERRUPTED on Ctrl-C, and
 * INVALID_TRANSITION for a job that cannot be edited.
 */
export async function changesAsked(
  id: number,
  given: () => Promise<JobUpdate>,
  { connect, ...outside }: Omit<FormWorld, 'connection'> & { readonly connect: () => Promise<Connection> },
): Promise<JobUpdate | undefined> {
  const { streams } = outside;
  if (!streams.canAsk) throw new PartnerError('INPUT_REQUIRED', unaskable(id));
  const connection = await connect();
  const job = await connection.client.getJob(id);
  if (isOver(job.status)) throw withNext(uneditable(id, job.status), job, id);
  const content = jobInputOf(job);
  const standing = {
    content,
    isFrozen: job.isFrozen === true,
    isLive: job.status === 'ACTIVE' || job.status === 'PAUSED',
  };
  const form = unkeptForm({ ...NO_ANSWERS, content: { ...content, ...(await given()) } });
  await streams.writeErr(`${jobCard(job, viewOfErr(streams, connection.now()))}\n`);
  for (;;) {
    const next = await askNext(form.answers.content, standing, streams);
    if (next === 'leave') return undefined;
    if (next === 'send') return changesBetween(content, form.answers.content);
    await askInto(form, next, { ...outside, connection });
  }
}

function askNext(content: JobUpdate, standing: Standing, streams: FormWorld['streams']) {
  const changes = Object.keys(changesBetween(standing.content, content));
  const questions = questionsFor(content).map((question): FormChoice<Question | 'send' | 'leave'> => {
    const isLocked = standing.isFrozen && LOCKED.includes(question.field);
    return {
      name: question.words,
      value: question,
      beside: inBrief(question, content),
      closed: isLocked ? 'locked: the job has applications' : undefined,
    };
  });
  const gaps = standing.isLive ? gapsOf(content) : [];
  const send: FormChoice<Question | 'send' | 'leave'> = {
    name: `send ${counted(changes.length, 'change')}`,
    value: 'send',
    beside: changes.join(', '),
    closed: gaps.length === 0 ? undefined : `a live job must stay complete: ${counted(gaps.length, 'gap')}`,
  };
  return askChoice<Question | 'send' | 'leave'>(streams, {
    question: changes.length === 0 ? 'What shall change?' : 'What else shall change?',
    flag: 'fields or a file',
    choices: [
      ...(changes.length === 0 ? [] : [send]),
      ...questions,
      { name: 'leave', value: 'leave', beside: 'nothing is sent' },
    ],
  });
}

function uneditable(id: number, status: JobStatus): PartnerError {
  return new PartnerError('INVALID_TRANSITION', { message: `job ${id} is ${status} and cannot be edited` });
}

function unaskable(id: number) {
  return {
    message: 'this has to be answered, and nobody can be asked here: what shall change',
    hint: `give fields (\`partner jobs update ${id} --title "Night nurse"\`) or a file without --interactive`,
  };
}
