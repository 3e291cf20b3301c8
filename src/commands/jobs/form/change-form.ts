import { readFileSync, writeFileSync } from 'node:fs';
import { toJobInput } from '../../../cli/job-input.ts';
import { askChoice } from '../../../cli/terminal/ask.ts';
import { findEditor, runEditor } from '../../../cli/terminal/ask-block.ts';
import type { Streams } from '../../../cli/terminal/streams.ts';
import { say, viewOfErr } from '../../../cli/terminal/view.ts';
import type { ServerJob } from '../../../client/client.ts';
import { PartnerError } from '../../../contract/errors.ts';
import type { JobUpdate } from '../../../contract/job.ts';
import { FROZEN_FIELDS, hasEnded, isPublished } from '../../../contract/lifecycle.ts';
import { formatCount } from '../../../contract/words.ts';
import { writeListing } from '../../../listings/write/write.ts';
import { jobCard } from '../job-card.ts';
import { assertAllowed, assertStaysComplete, listGaps } from '../job-checks.ts';
import { withNext } from '../job-moves.ts';
import { checkInput, readListingInput } from '../listing-input.ts';
import { findChanges, NO_ANSWERS, QUESTIONS, type Question, withGiven } from './answers.ts';
import { questionChoices } from './ask-question.ts';
import { askAndStore, askOpen, type Form, type FormContext } from './form.ts';

/** Returns the changed fields, or undefined if the user left. Throws INTERRUPTED, and INVALID_TRANSITION for a closed or expired job. */
export async function changesAsked(id: number, given: () => Promise<JobUpdate>, context: FormContext) {
  const { streams, connection } = context;
  const job = await connection.client.getJob(id);
  assertEditable(job);
  const content = toJobInput(job);
  const answers = { ...NO_ANSWERS, content: { ...content, ...(await given()) } };
  const form: Form = { answers, keptAt: undefined, keep: async () => {}, forget: () => {} };
  await streams.writeErr(`${jobCard(job, viewOfErr(streams, connection.now()))}\n`);
  if (job.status === 'DRAFT' && listGaps(form.answers.content).length > 0) {
    const note = 'This draft is incomplete. Fill in the missing fields, or press Enter to skip one.';
    await say(streams, 'dim', note);
    const optional = QUESTIONS.filter(({ isNeeded }) => !isNeeded).map(({ name }) => name);
    form.answers = withGiven({ ...form.answers, given: optional }, form.answers.content);
    await askOpen(form, context);
  }
  for (;;) {
    const next = await askNext(job, content, form.answers.content, streams);
    if (next === 'leave') return undefined;
    if (next === 'send') return findChanges(content, form.answers.content);
    await askAndStore(form, next, context);
  }
}

export function assertEditable(job: ServerJob): void {
  const { id, status } = job;
  if (!hasEnded(status)) return;
  const message = `job ${id} is ${status} and can't be edited`;
  throw withNext(new PartnerError('INVALID_TRANSITION', { message }), job, id, 'update');
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

const EDIT_HELP = `# Save and close the editor to continue. To cancel, empty the file or change nothing.
# Removed fields are cleared. Lines at the top that start with # are ignored.
`;

/** Opens the job in an editor until the file has no problems. Undefined if it was emptied or not changed. */
export async function changesEdited(path: string, job: ServerJob, isChecked: boolean, context: FormContext) {
  const { streams, cli, connection, spending } = context;
  const editor = findEditor(cli.env) ?? 'vi';
  const content = toJobInput(job);
  const written = String(await writeListing(content, 'yaml'));
  let [before, problems] = [written === '{}\n' ? '' : written, ''];
  for (;;) {
    writeFileSync(path, `${EDIT_HELP}${problems}\n${before}`, { mode: 0o600 });
    const failed = await runEditor(editor, path);
    if (failed !== undefined) throw new PartnerError('USAGE', { message: `can't use ${editor}: ${failed}` });
    const text = readFileSync(path, 'utf8').replace(/^(?:#.*\n|\s*\n)*/, '');
    if (text.trim() === '' || text === before) return undefined;
    before = text;
    try {
      const checking = { as: 'update', draft: true, spending } as const;
      const listing = await readListingInput(path, {}, streams, 'places');
      if (listing === undefined) return undefined;
      const { input, warnings } = await checkInput<JobUpdate>(listing, connection, streams, checking);
      const changes = findChanges(content, input);
      assertAllowed(changes, spending);
      if (isChecked) assertStaysComplete(job, changes);
      await say(streams, 'yellow', warnings);
      return Object.keys(changes).length === 0 ? undefined : changes;
    } catch (error) {
      if (!(error instanceof PartnerError) || error.exit !== 3) throw error;
      const faults = Object.entries(error.fields ?? {}).map(([field, fault]) => `${field}: ${fault}`);
      const lines = [error.message, ...faults, error.hint ?? ''].join('\n').trim();
      problems = `${lines.replace(/^/gm, '# ! ')}\n`;
    }
  }
}
