import { existsSync, statSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { askChoice, askLine, BACK, orBack } from '../../../cli/terminal/ask.ts';
import { type Streams, streamsWithBack } from '../../../cli/terminal/streams.ts';
import { clean, jsonText, say, shellWord, viewOfErr } from '../../../cli/terminal/view.ts';
import type { JobInput } from '../../../contract/job.ts';
import { attemptWrite } from '../../../contract/system-errors.ts';
import { formatCount } from '../../../contract/words.ts';
import { replaceFile } from '../../../files/own-file.ts';
import { toSlug } from '../../../import/file-names.ts';
import { PACKAGE_ROOT } from '../../../package.ts';
import { jobCard } from '../job-card.ts';
import { checkGuardrails, listGaps } from '../job-checks.ts';
import { findPreviousQuestion, questionsOfGaps, reopenQuestions, toListing } from './answers.ts';
import { questionChoices } from './ask-question.ts';
import { askAndStore, askOpen, type Form, type FormContext, reopen } from './form.ts';

export type FormEnd =
  | { readonly input: JobInput }
  | { readonly input?: never; readonly text: string; readonly hint: string };

const FLAG = 'a job file or fields';

type Next = 'publish' | 'fill' | 'draft' | 'file' | 'edit' | 'leave';

export async function reviewForm(form: Form, context: FormContext): Promise<FormEnd> {
  const withBack = { ...context, streams: streamsWithBack(context.streams) };
  let isRevisited = false;
  for (;;) {
    await askOpen(form, context, isRevisited);
    await showListing(form, context);
    const input = toListing(form.answers);
    const last = findPreviousQuestion(form.answers);
    const next = await orBack(askNext(input, last === undefined ? context : withBack));
    isRevisited = next === BACK;
    if (next === BACK) reopen(form, last);
    else {
      const end = await orBack(endReview(next, input, form, withBack));
      if (end !== BACK && end !== undefined) return end;
    }
  }
}

async function endReview(next: Next, input: JobInput, form: Form, context: FormContext) {
  switch (next) {
    case 'publish':
      return { input: { ...input, publish: true } };
    case 'draft':
      return { input };
    case 'file': {
      const path = await saveListing(input, context.streams);
      if (path === undefined) return undefined;
      form.forget();
      const hint = `create the job with \`partner jobs create ${shellWord(path)}\``;
      return { text: `Saved as ${clean(path)}\n`, hint };
    }
    case 'leave':
      await form.keep();
      return { text: '', hint: 'nothing was sent. Continue with `partner jobs create --resume`' };
    case 'fill':
      form.answers = reopenQuestions(form.answers, questionsOfGaps(input));
      return undefined;
    case 'edit': {
      const choices = questionChoices(form.answers.content);
      const asked = { question: 'Which answer do you want to change?', flag: FLAG, choices };
      const question = await askChoice(context.streams, asked);
      await askAndStore(form, question, context);
      return undefined;
    }
  }
}

async function showListing({ answers }: Form, { streams, cli, spending }: FormContext): Promise<void> {
  const listing = toListing(answers);
  // Lists missing fields without their flags, because the form prompts for them.
  const view = viewOfErr(streams, cli.clock(), () => undefined);
  await streams.writeErr(`\n${jobCard({ budgets: [], ...listing, status: 'DRAFT' }, view)}\n`);
  const { warnings } = checkGuardrails(listing, listGaps(listing).length === 0, spending);
  for (const warning of warnings) await say(streams, 'yellow', `warning: ${warning}`);
}

function askNext(listing: JobInput, { streams, spending }: FormContext): Promise<Next> {
  const gaps = listGaps(listing).length;
  const findRefusal = (isLive: boolean) =>
    checkGuardrails(listing, isLive, spending).forbidden.length > 0 ? 'see the warning above' : undefined;
  const draft = { name: 'create it as a draft', value: 'draft', closed: findRefusal(false) } as const;
  const publish = {
    name: 'publish it now',
    value: 'publish',
    closed: gaps > 0 ? `fill in ${formatCount(gaps, 'missing field')} first` : findRefusal(true),
  } as const;
  const fill = { name: 'fill in the missing fields', value: 'fill' } as const;
  return askChoice<Next>(streams, {
    question: 'What do you want to do next?',
    flag: FLAG,
    choices: [
      // The first choice never spends money, so that Enter alone is safe.
      ...(gaps === 0 ? [draft, publish] : [fill, publish, draft]),
      { name: 'save it as a file', value: 'file', beside: 'without sending it' },
      { name: 'change an answer', value: 'edit' },
      { name: 'leave', value: 'leave', beside: 'without sending it (your answers are saved)' },
    ],
  });
}

export async function saveListing(listing: JobInput, streams: Streams): Promise<string | undefined> {
  const flag = 'a job file';
  const path = await askLine(streams, {
    question: 'Save as',
    flag,
    current: `${toSlug(listing.title)}.json`,
    passed: 'not saved',
    wrong: wrongPath,
  });
  if (path === '') return undefined;
  const choices = [
    { name: 'keep the existing file', value: false },
    { name: 'replace it', value: true },
  ];
  const question = `${path} already exists.`;
  if (existsSync(path) && !(await askChoice(streams, { question, flag, choices }))) return undefined;
  // Editors suggest fields and values from the package's schema.
  const schema = relative(dirname(resolve(path)), resolve(PACKAGE_ROOT, 'schemas/job-file.json'));
  const text = jsonText({ $schema: schema.replaceAll('\\', '/'), ...listing });
  const hint = 'free up disk space, or choose another name or a writable directory';
  attemptWrite(path, () => replaceFile(path, text, { replacesLink: true }), hint);
  return path;
}

function wrongPath(path: string): string | undefined {
  const isDirectory = (name: string) => statSync(name, { throwIfNoEntry: false })?.isDirectory();
  if (isDirectory(path)) return 'this is a directory. Enter a file name in it';
  const directory = dirname(resolve(path));
  if (!isDirectory(directory)) return `no such directory: ${directory}`;
  return /\.json$/i.test(path) ? undefined : 'the name must end in .json';
}
