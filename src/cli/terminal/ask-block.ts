import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PartnerError } from '../../contract/errors.ts';
import { counted } from '../../contract/words.ts';
import { askChoice, type FormChoice, type Question, say } from './ask.ts';
import type { Streams } from './streams.ts';

export interface BlockQuestion extends Question {
  readonly skipped?: string | undefined;
  readonly current?: string | undefined;
  readonly wrong: (text: string) => string | undefined;
  readonly editor: string | undefined;
}

type Way = 'pass' | 'take' | 'edit' | 'type' | 'empty';

/**
 * A text, written in an editor or typed line by line; undefined where the question was skipped or the current answer
 * kept, empty where that was removed. A wrong text can be edited further, and so can what a failing editor has saved.
 * Throws what `ask` throws.
 */
export async function askBlock(streams: Streams, asked: BlockQuestion): Promise<string | undefined> {
  let draft: string | undefined;
  for (;;) {
    const way = await askWay(streams, asked, draft);
    if (way === 'pass') return undefined;
    if (way === 'empty') return '';
    const { text, failed } = await written(streams, asked, way, draft);
    const fault = text === '' ? undefined : asked.wrong(text);
    if (failed === undefined && fault === undefined) return text === '' ? undefined : text;
    await say(streams, 'red', `> ${fault ?? failed}`);
    if (text !== '' && text !== asked.current) draft = text;
  }
}

async function written(
  streams: Streams,
  { editor = '', current = '' }: BlockQuestion,
  way: Way,
  draft: string | undefined,
) {
  if (way === 'take') return { text: draft ?? '' };
  if (way === 'type') return { text: await typedBlock(streams) };
  const { text, failed } = await edited(editor, draft ?? current);
  return { text, failed: failed && `${editor} cannot be used: ${failed}` };
}

function askWay(streams: Streams, asked: BlockQuestion, draft: string | undefined): Promise<Way> {
  const { question, why, flag, editor, current } = asked;
  const size = (text: string): string => counted(text.split('\n').length, 'line');
  const closed = editor === undefined ? 'none is set in VISUAL or EDITOR' : undefined;
  const inEditor: FormChoice<Way> = { name: `write it in ${editor ?? 'an editor'}`, value: 'edit', closed };
  const here: FormChoice<Way> = { name: 'type or paste it here', value: 'type' };
  const pass = current ? `leave it as it is (${size(current)})` : (asked.skipped ?? 'skip for now');
  const choices: FormChoice<Way>[] = [
    { name: pass, value: 'pass' },
    ...(editor === undefined ? [here, inEditor] : [inEditor, here]),
  ];
  if (draft !== undefined) choices.unshift({ name: `take what was written (${size(draft)})`, value: 'take' });
  if (current) choices.push({ name: 'empty it', value: 'empty' });
  return askChoice(streams, { question, why, flag, choices });
}

/** Lines until one that is a dot alone, or Ctrl-D. By readline, as inquirer drops what is pasted behind the first line. */
async function typedBlock(streams: Streams): Promise<string> {
  const { createInterface } = await import('node:readline');
  await say(streams, 'dim', 'A line with a dot alone ends it.');
  const { stdin: input, stderr: output } = streams;
  const typing = createInterface({ input, output, terminal: true, prompt: '> ', historySize: 0 });
  const lines: string[] = [];
  return new Promise((resolve, reject) => {
    typing.on('line', (line) => {
      if (line.trim() === '.') return typing.close();
      lines.push(line);
      typing.prompt();
    });
    typing.once('SIGINT', () => {
      reject(new PartnerError('INTERRUPTED'));
      typing.close();
    });
    typing.once('close', () => resolve(lines.join('\n').trim()));
    typing.prompt();
  });
}

/** The editor that the environment names, as git and others read it; undefined where it names none. */
export function editorIn(env: Readonly<Record<string, string | undefined>>): string | undefined {
  return env.VISUAL?.trim() || env.EDITOR?.trim() || undefined;
}

/** What an editor has saved of a text, in a file that nobody else can read; with why, where the editor failed. */
async function edited(command: string, text: string) {
  let directory: string | undefined;
  try {
    directory = mkdtempSync(join(tmpdir(), 'partner-'));
    // Editors colour by the ending.
    const path = join(directory, 'description.md');
    writeFileSync(path, text, { mode: 0o600 });
    const failed = await runEditor(command, path);
    return { text: readFileSync(path, 'utf8').trimEnd(), failed };
  } catch (error) {
    return { text, failed: error instanceof Error ? error.message : String(error) };
  } finally {
    if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
  }
}

/** Gives why it failed. Its screen is on stderr, as the questions are: stdout may be a file. */
async function runEditor(command: string, path: string): Promise<string | undefined> {
  const { spawn } = await import('node:child_process');
  const stdio = [0, 2, 2];
  const editor =
    process.platform === 'win32'
      ? spawn(`${command} "${path}"`, { stdio, shell: true })
      : spawn('sh', ['-c', `${command} "$1"`, 'sh', path], { stdio });
  return new Promise((resolve) => {
    editor.once('error', ({ message }) => resolve(message));
    editor.once('exit', (code, signal) => {
      const end = signal === null ? `it ended with ${code}` : `it was ended by ${signal}`;
      resolve(code === 0 ? undefined : end);
    });
  });
}
