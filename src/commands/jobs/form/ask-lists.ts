import type { Connection } from '../../../cli/connection/connect.ts';
import { pickPlaces } from '../../../cli/places/place-picker.ts';
import { askChoice, askLine, BACK, orBack } from '../../../cli/terminal/ask.ts';
import type { Streams } from '../../../cli/terminal/streams.ts';
import { word } from '../../../cli/terminal/words.ts';
import type { BudgetInput, LocationInput, QualificationInput, QuestionInput } from '../../../contract/job.ts';
import { ANSWER_FORMATS, type BudgetWindow, takesOptions } from '../../../contract/values.ts';
import { parseDollars } from '../../../contract/words.ts';
import { describePassed, type Question, qualificationKind } from './answers.ts';

export interface Asking {
  readonly question: Question;
  /** Undefined if the question has no answer yet. */
  readonly answer: unknown;
  readonly findProblem: (value: unknown) => string | undefined;
  readonly streams: Streams;
  readonly searchPlaces: Connection['searchPlaces'];
  readonly editor: string | undefined;
  /** Called after each entry, so that an interrupted list isn't lost. */
  readonly onPart: (value: unknown) => Promise<void>;
  /** True if entries are being added. Otherwise the user chooses between keeping and changing the list. */
  readonly isBegun: boolean;
}

export async function askPlaces({ question, answer, streams, searchPlaces, onPart }: Asking) {
  const standing = (answer ?? []) as LocationInput[];
  const places = await pickPlaces(streams, {
    ...question,
    search: searchPlaces,
    many: true,
    picked: standing,
    onPicked: onPart,
  });
  return places.length === 0 && standing.length === 0 ? undefined : places;
}

export function askQualifications(asking: Asking) {
  const kind = qualificationKind(asking.question) ?? 'REQUIRED';
  return askEntries<QualificationInput>(asking, {
    textOf: ({ text }) => text,
    noun: `${kind === 'REQUIRED' ? 'Required' : 'Desired'} qualification`,
    draft: (text, order) => ({ text, kind, order }),
  });
}

export function askScreening(asking: Asking): Promise<QuestionInput[] | undefined> {
  return askEntries<QuestionInput>(asking, {
    textOf: ({ prompt }) => prompt,
    noun: 'Screening question',
    draft: (prompt, order) => ({ prompt, answerFormat: 'TEXT', order }),
    complete: (entry, before, others) => askFormat(asking, entry, before, others),
  });
}

interface EntryKind<T> {
  readonly textOf: (entry: T) => string;
  readonly noun: string;
  readonly fault?: (text: string) => string | undefined;
  /** Creates an entry with only its text, so that the text is checked before the next prompt. */
  readonly draft: (text: string, order: number, before: T | undefined) => T;
  /** Prompts for the rest of an entry that replaces `before` and follows `others`. */
  readonly complete?: (entry: T, before: T | undefined, others: readonly T[]) => Promise<T>;
}

async function askEntries<T>(asking: Asking, kind: EntryKind<T>): Promise<T[] | undefined> {
  const standing = (asking.answer ?? []) as T[];
  const way = await askWay(asking, standing.map(kind.textOf));
  if (way === 'keep') return undefined;
  if (way === 'remove') return [];
  const entries: T[] = way === 'add' ? [...standing] : [];
  for (const before of way === 'add' ? [] : standing) {
    const entry = await askEntry(asking, kind, entries, before);
    if (entry !== undefined) entries.push(entry);
  }
  for (;;) {
    const entry = await askEntry(asking, kind, entries, undefined);
    if (entry === undefined) return entries.length === 0 && standing.length === 0 ? undefined : entries;
    entries.push(entry);
    await asking.onPart([...entries]);
  }
}

const NO_MORE = 'done';

async function askEntry<T>(asking: Asking, kind: EntryKind<T>, others: readonly T[], before: T | undefined) {
  const { question } = asking;
  const order = others.length + 1;
  const draft = (text: string): T => kind.draft(text, order, before);
  let [why, passed] = before ? [undefined, 'removed'] : [`press Enter when ${NO_MORE}`, NO_MORE];
  if (order === 1 && !before) [why, passed] = [question.why, describePassed(question)];
  let current = before && kind.textOf(before);
  for (;;) {
    const text = await askLine(asking.streams, {
      question: `${kind.noun} ${order}`,
      why,
      flag: question.flag,
      current,
      passed,
      wrong: (line) => kind.fault?.(line) ?? asking.findProblem([...others, draft(line)]),
    });
    if (text === '') return undefined;
    const entry = kind.complete ? await orBack(kind.complete(draft(text), before, others)) : draft(text);
    if (entry !== BACK) return entry;
    current = text;
  }
}

async function askFormat(
  { streams, question: { flag }, findProblem }: Asking,
  { prompt, order }: QuestionInput,
  before: QuestionInput | undefined,
  others: readonly QuestionInput[],
): Promise<QuestionInput> {
  const answerFormat = await askChoice(streams, {
    question: 'What is the answer format?',
    flag,
    choices: ANSWER_FORMATS.map((value) => ({ name: word(value) ?? value, value })),
    current: before?.answerFormat,
  });
  const entry = { prompt, answerFormat, order };
  if (!takesOptions(answerFormat)) return entry;
  const options: string[] = [];
  for (;;) {
    const isFirst = options.length === 0;
    const current = before?.options?.[options.length];
    const more = current ? undefined : `press Enter when ${NO_MORE}`;
    const option = await askLine(streams, {
      question: `Option ${options.length + 1}`,
      why: isFirst ? 'one option at a time' : more,
      flag,
      current,
      passed: NO_MORE,
      missing: isFirst ? `${answerFormat} requires at least one option` : undefined,
      wrong: (line) => findProblem([...others, { ...entry, options: [...options, line] }]),
    });
    if (option === '') return { ...entry, options };
    options.push(option);
  }
}

export function askCaps(asking: Asking): Promise<BudgetInput[] | undefined> {
  return askEntries<BudgetInput>(asking, {
    textOf: ({ window, budgetCents }) => `${word(window)} ${(budgetCents / 100).toFixed(2)}`,
    noun: 'Cap',
    fault(text) {
      const { amount } = parseCap(text);
      return 'value' in amount ? undefined : `${amount.problem}, as in: weekly 200, or 90 a day`;
    },
    draft(text, _order, before) {
      const { window, amount } = parseCap(text);
      return { ...before, window, budgetCents: 'value' in amount ? amount.value : 0 };
    },
  });
}

const PERIOD = /(?:\/|\b(?:a|per) +)?\b(?:(da)(?:y|ily)|(week)(?:ly)?|(month)(?:ly)?|(?:lifetime|total))\b/i;

/** Parses `90 a day`, `$90/day` and `daily 90`. */
function parseCap(text: string) {
  const [period, day, week, month] = PERIOD.exec(text) ?? [];
  const [first = '', ...rest] = text.split(/\s+/);
  if (period === undefined) {
    const window = first.toUpperCase() as BudgetWindow;
    return { window, amount: parseDollars(rest.join(' '), 'cents') };
  }
  const window: BudgetWindow = day ? 'DAILY' : week ? 'WEEKLY' : month ? 'MONTHLY' : 'LIFETIME';
  return { window, amount: parseDollars(text.replace(period, ''), 'cents') };
}

async function askWay({ question, streams, isBegun }: Asking, names: readonly string[]) {
  if (names.length === 0 || isBegun) return 'add';
  return askChoice(streams, {
    ...question,
    why: names.join(', '),
    choices: [
      { name: 'keep it', value: 'keep' },
      { name: 'add more', value: 'add' },
      { name: 'edit each one', value: 'through' },
      { name: 'remove all', value: 'remove' },
    ],
  });
}
