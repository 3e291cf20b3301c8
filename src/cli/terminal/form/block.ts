import { PartnerError } from '../../../contract/errors.ts';
import type { Streams } from '../streams.ts';
import { counted } from '../words.ts';
import { askChoice, type FormChoice } from './choice.ts';
import { edited } from './editor.ts';
import { say } from './message.ts';

/** A question that a text of several lines answers. */
export interface BlockQuestion {
  readonly question: string;
  readonly why?: string | undefined;
  /** What answers it where nobody can be asked. */
  readonly flag: string;
  /** The choice that passes it over. */
  readonly skipped?: string | undefined;
  /** The answer that stands. */
  readonly current?: string | undefined;
  readonly wrong: (text: string) => string | undefined;
  /** The command of an editor; undefined where none is set. */
  readonly editor: string | undefined;
}

type Way = 'pass' | 'take' | 'edit' | 'type' | 'empty';

/**
 * A text, written in an editor or typed line by line; undefined where the question was passed over or the standing
 * answer kept, empty where that was taken away. What is wrong with a text is said, and it can be gone on with; so can
 * what a failing editor has saved. Throws what `ask` throws.
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
): Promise<{ readonly text: string; readonly failed?: string }> {
  if (way === 'take') return { text: draft ?? '' };
  if (way === 'type') return { text: await typedBlock(streams) };
  const { text, failed } = await edited(editor, draft ?? current, 'description.md');
  return failed === undefined ? { text } : { text, failed: `${editor} cannot be used: ${failed}` };
}

function askWay(streams: Streams, asked: BlockQuestion, draft: string | undefined): Promise<Way> {
  const { question, why, flag, editor, current } = asked;
  const size = (text: string): string => counted(text.split('\n').length, 'line');
  const inEditor: FormChoice<Way> = {
    name: `write it in ${editor ?? 'an editor'}`,
    value: 'edit',
    closed: editor === undefined ? 'none is set in VISUAL or EDITOR' : undefined,
  };
  const here: FormChoice<Way> = { name: 'type or paste it here', value: 'type' };
  const choices: FormChoice<Way>[] = [
    ...(draft === undefined
      ? []
      : [{ name: `take what was written (${size(draft)})`, value: 'take' as const }]),
    {
      name: current ? `leave it as it is (${size(current)})` : (asked.skipped ?? 'skip for now'),
      value: 'pass',
    },
    ...(editor === undefined ? [here, inEditor] : [inEditor, here]),
    ...(current ? [{ name: 'empty it', value: 'empty' as const }] : []),
  ];
  return askChoice(streams, { question, why, flag, choices });
}

/**
 * Lines as they are typed or pasted, until one that is a dot alone, or Ctrl-D. By readline itself: a question of one
 * line would drop all behind the first end of a line in what is pasted.
 */
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
