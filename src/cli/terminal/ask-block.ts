import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PartnerError } from '../../contract/errors.ts';
import { formatCount } from '../../contract/words.ts';
import type { Environment } from '../settings/directories.ts';
import { askChoice, type FormChoice, type Question } from './ask.ts';
import type { Streams } from './streams.ts';
import { say } from './view.ts';

export interface BlockQuestion extends Question {
  readonly skipped?: string | undefined;
  readonly current?: string | undefined;
  readonly wrong: (text: string) => string | undefined;
  readonly editor: string | undefined;
}

type Way = 'pass' | 'take' | 'edit' | 'type' | 'empty';

/** Returns undefined if the user skips the question, and '' to remove the text. Throws the errors of `ask`. */
export async function askBlock(streams: Streams, asked: BlockQuestion): Promise<string | undefined> {
  let draft: string | undefined;
  for (;;) {
    const way = await askWay(streams, asked, draft);
    if (way === 'pass') return undefined;
    if (way === 'empty') return '';
    const { text, failed } = await writeBlock(streams, asked, way, draft);
    const fault = text === '' ? undefined : asked.wrong(text);
    if (failed === undefined && fault === undefined) return text === '' ? undefined : text;
    await say(streams, 'red', `> ${fault ?? failed}`);
    if (text !== '' && text !== asked.current) draft = text;
  }
}

async function writeBlock(
  streams: Streams,
  { editor = '', current = '' }: BlockQuestion,
  way: Way,
  draft: string | undefined,
) {
  if (way === 'take') return { text: draft ?? '' };
  if (way === 'type') return { text: await readTypedBlock(streams) };
  const { text, failed } = await editText(editor, draft ?? current);
  return { text, failed: failed && `can't use ${editor}: ${failed}` };
}

function askWay(streams: Streams, asked: BlockQuestion, draft: string | undefined): Promise<Way> {
  const { question, why, flag, editor, current } = asked;
  const size = (text: string): string => formatCount(text.split('\n').length, 'line');
  const closed = editor === undefined ? 'set VISUAL or EDITOR first' : undefined;
  const inEditor: FormChoice<Way> = { name: `write in ${editor ?? 'an editor'}`, value: 'edit', closed };
  const here: FormChoice<Way> = { name: 'type or paste here', value: 'type' };
  const name = current ? `keep it (${size(current)})` : (asked.skipped ?? 'skip for now');
  const pass: FormChoice<Way> = { name, value: 'pass' };
  const ways = editor === undefined ? [here, inEditor] : [inEditor, here];
  // If there's no text yet, Enter starts a new one instead of skipping the question.
  const choices = current ? [pass, ...ways] : [...ways, pass];
  if (draft !== undefined) choices.unshift({ name: `use the draft (${size(draft)})`, value: 'take' });
  if (current) choices.push({ name: 'clear it', value: 'empty' });
  return askChoice(streams, { question, why, flag, choices });
}

/** Reads lines until a single dot or Ctrl-D. Uses readline, because inquirer drops pasted lines after the first. */
async function readTypedBlock(streams: Streams): Promise<string> {
  const { createInterface } = await import('node:readline');
  await say(streams, 'dim', 'End with a line that contains only a dot.');
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

export function findEditor(env: Environment): string | undefined {
  return env.VISUAL?.trim() || env.EDITOR?.trim() || undefined;
}

async function editText(command: string, text: string) {
  let directory: string | undefined;
  try {
    directory = mkdtempSync(join(tmpdir(), 'partner-'));
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

/** Returns the error, if any. The editor uses stderr like prompts, because stdout may be a file. */
export async function runEditor(command: string, path: string): Promise<string | undefined> {
  const { spawn } = await import('node:child_process');
  const stdio = [0, 2, 2];
  const editor =
    process.platform === 'win32'
      ? spawn(`${command} "${path}"`, { stdio, shell: true })
      : spawn('sh', ['-c', `${command} "$1"`, 'sh', path], { stdio });
  return new Promise((resolve) => {
    editor.once('error', ({ message }) => resolve(message));
    editor.once('exit', (code, signal) => {
      const end = signal === null ? `it exited with code ${code}` : `it was terminated by ${signal}`;
      resolve(code === 0 ? undefined : end);
    });
  });
}
