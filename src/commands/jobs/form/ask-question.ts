import { askBlock } from '../../../cli/terminal/form/block.ts';
import { askChoice } from '../../../cli/terminal/form/choice.ts';
import { askLine } from '../../../cli/terminal/form/line.ts';
import { word } from '../../../cli/terminal/words.ts';
import { EMPTY_CONTENT } from '../../../contract/job.ts';
import { asShown } from './answer-words.ts';
import { answerTo, understood, wrongWith } from './answers.ts';
import { askCaps, askPlaces, askQualifications, askScreening } from './ask-lists.ts';
import { type Asking, passedWords, whyOf } from './asking.ts';

/**
 * The answer to a question; undefined where it was passed over, or left as it was. Throws INTERRUPTED on Ctrl-C, and
 * INPUT_REQUIRED where nobody can be asked.
 */
export async function askQuestion(asking: Asking): Promise<unknown> {
  const { question } = asking;
  switch (question.asked.as) {
    case 'line':
      return lineAnswer(asking, question.asked.takes);
    case 'block':
      return blockAnswer(asking);
    case 'choice':
      return choiceAnswer(asking, question.asked.values);
    case 'places':
      return askPlaces(asking);
    case 'qualifications':
      return askQualifications(asking, question.asked.kind);
    case 'screening':
      return askScreening(asking);
    case 'caps':
      return askCaps(asking);
  }
}

const EMPTIED = 'emptied: needed to go live';

type Takes = 'text' | 'dollars' | 'cents';

async function lineAnswer(
  { question, content, streams, connection }: Asking,
  takes: Takes,
): Promise<unknown> {
  const standing = answerTo(content, question);
  const current = standing === undefined || standing === '' ? undefined : typed(standing, takes);
  const meant = (line: string) => understood(question, line, content, connection.limits);
  const line = await askLine(streams, {
    question: question.words,
    why: whyOf(question),
    flag: question.flag,
    current,
    passed: current === undefined ? passedWords(question) : question.isNeeded ? EMPTIED : 'emptied',
    wrong(text) {
      const answer = meant(text);
      return 'wrong' in answer ? answer.wrong : undefined;
    },
    shown(text) {
      const answer = meant(text);
      return 'value' in answer ? (asShown(answer.value, question.asked) ?? text) : text;
    },
  });
  if (line === current) return undefined;
  if (line === '') return current === undefined ? undefined : EMPTY_CONTENT[question.field];
  const answer = meant(line);
  return 'value' in answer ? answer.value : undefined;
}

/** A value as it would be typed. */
function typed(value: unknown, takes: Takes): string {
  return takes === 'cents' ? (Number(value) / 100).toFixed(2) : String(value);
}

function blockAnswer({ question, content, streams, connection, editor }: Asking): Promise<unknown> {
  const standing = answerTo(content, question);
  return askBlock(streams, {
    question: question.words,
    why: whyOf(question),
    flag: question.flag,
    skipped: question.isNeeded && 'skip for now: needed to go live',
    current: typeof standing === 'string' && standing !== '' ? standing : undefined,
    wrong: (text) => wrongWith(question, text, content, connection.limits),
    editor,
  });
}

async function choiceAnswer(
  { question, content, streams }: Asking,
  values: readonly string[],
): Promise<unknown> {
  const current = answerTo(content, question) as string | undefined;
  const none = {
    name: `${current === undefined ? 'skip for now' : 'leave it open'}${question.isNeeded ? ': needed to go live' : ''}`,
    value: null,
  };
  const answer = await askChoice<string | null>(streams, {
    question: question.words,
    why: whyOf(question),
    flag: question.flag,
    choices: [none, ...values.map((value) => ({ name: word(value) ?? value, value }))],
    current: current ?? null,
  });
  return answer === (current ?? null) ? undefined : answer;
}
