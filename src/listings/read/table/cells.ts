import { meantValue } from '../../../contract/how-to-write.ts';
import type { QuestionInput } from '../../../contract/job.ts';
import type { FieldPath } from '../../../contract/problems.ts';
import { tried } from '../../../contract/tried.ts';
import { ANSWER_FORMATS } from '../../../contract/values.ts';
import { valueWord } from '../../../contract/words.ts';

/** What a cell says, or what is wrong with it and what to write instead. */
export type Reading<T> = { readonly value: T } | { readonly problem: string; readonly hint: string };

/** A value of the contract as a cell names it: `full-time`, `year`. */
export function cellWord(value: string): string {
  return valueWord(value).replace(/^an? /, '');
}

const plain = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '');

function choiceMeant<T extends string>(path: FieldPath, values: readonly T[], text: string): T | undefined {
  const named = values.find((value) => [value, cellWord(value)].some((word) => plain(word) === plain(text)));
  const meant = named === undefined ? meantValue(path, text) : undefined;
  return named ?? (meant === undefined ? undefined : (JSON.parse(meant) as T));
}

/** One of the values of `field` in people's words. */
export function choiceIn<T extends string>(field: string, values: readonly T[], text: string): Reading<T> {
  const value = choiceMeant([field], values, text);
  if (value !== undefined) return { value };
  const words = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(values.map(cellWord));
  return {
    problem: `cannot be "${text.trim().slice(0, 60)}"`,
    hint: `write ${words}`,
  };
}

export function yesOrNo(text: string): Reading<boolean> {
  const meant = meantValue(['publish'], text);
  if (meant !== undefined) return { value: meant === 'true' };
  return { problem: `is neither yes nor no: "${text.trim().slice(0, 60)}"`, hint: 'write yes or no' };
}

/** The values of a cell: one on each line; on one line they are separated by `;`. */
export function partsIn(text: string): string[] {
  return linesIn(/\n|\r/.test(text) ? text : text.replaceAll(';', '\n'));
}

function linesIn(text: string): string[] {
  const lines = text.split(/\r\n|\n|\r/).map((line) => line.trim().replace(/^[-–•*]\s+/, ''));
  return lines.filter((line) => line !== '');
}

/** The entries of a list that a cell holds as JSON, as an export writes what plain text cannot say. */
export function jsonList(text: string): Reading<readonly unknown[]> | undefined {
  if (!/^\s*\[\s*[{"\]]/.test(text)) return undefined;
  const value: unknown = tried(() => JSON.parse(text));
  if (Array.isArray(value)) return { value };
  return {
    problem: 'begins like JSON and is none',
    hint: 'write one entry on each line, or export the job again',
  };
}

/** One on each line: `Prompt (date)`, `Prompt (pick one: A | B)`; without a format the answer is a line of text. */
export function questionsIn(text: string): Reading<readonly unknown[]> {
  return jsonList(text) ?? { value: linesIn(text).map((line, at) => questionIn(line, at + 1)) };
}

function questionIn(line: string, order: number): object {
  const marked = line.endsWith(')')
    ? (/^(.*\S)\s*\(([^():]+)\)$/.exec(line) ?? /^(.*?\S)\s*\(([^():]+):(.*)\)$/.exec(line))
    : undefined;
  const [, prompt = '', word = '', listed] = marked ?? [];
  const known = choiceMeant(['questions', 0, 'answerFormat'], ANSWER_FORMATS, word);
  // Options of an unknown format are found by the check of its value.
  const answerFormat = known ?? (listed?.includes(' | ') ? word : undefined);
  if (answerFormat === undefined) return { prompt: line, answerFormat: 'TEXT', order };
  const options = listed?.split('|').map((option) => option.trim());
  return { prompt, answerFormat, ...(options && { options: options.filter(Boolean) }), order };
}

export function questionLine({ prompt, answerFormat, options }: QuestionInput): string {
  if (answerFormat === 'TEXT') return prompt;
  const format = cellWord(answerFormat);
  return `${prompt} (${options === undefined ? format : `${format}: ${options.join(' | ')}`})`;
}

/** `$3,600 (agreed with finance)`: an amount and a note. */
export function notedAmount(text: string): { readonly amount: string; readonly notes?: string } {
  const [open, close] = [text.indexOf('('), text.trimEnd().length - 1];
  if (open < 1 || text[close] !== ')') return { amount: text };
  return { amount: text.slice(0, open).trimEnd(), notes: text.slice(open + 1, close) };
}

/** What is wrong with a cell that a spreadsheet has no value for; a formula without one as `workbook.ts` marks it. */
export function sheetError(text: string): Extract<Reading<never>, { problem: string }> | undefined {
  const [error] =
    /^#(?:NULL!|DIV\/0!|VALUE!|REF!|NAME\?|NUM!|N\/A|SPILL!|CALC!|NO RESULT)$/.exec(text.trim()) ?? [];
  if (error === undefined) return undefined;
  const what =
    error === '#NO RESULT' ? 'a formula without a result' : `${error}, an error of the spreadsheet`;
  return { problem: `holds ${what}`, hint: 'correct the formula and save it again, or write the value' };
}
