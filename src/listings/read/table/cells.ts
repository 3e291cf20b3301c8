import { meantValue } from '../../../contract/how-to-write.ts';
import type { QualificationInput, QuestionInput } from '../../../contract/job.ts';
import { ANSWER_FORMATS, QUALIFICATION_KINDS, takesOptions } from '../../../contract/values.ts';
import { valueWord } from '../../../contract/words.ts';

/** What a cell says, or what is wrong with it and what to write instead. */
export type Reading<T> = { readonly value: T } | { readonly problem: string; readonly hint: string };

/** A value of the contract as a cell names it: `full-time`, `year`. */
export function cellWord(value: string): string {
  return valueWord(value).replace(/^an? /, '');
}

const plain = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '');

function choiceMeant<T extends string>(field: string, values: readonly T[], text: string): T | undefined {
  const named = values.find((value) => [value, cellWord(value)].some((word) => plain(word) === plain(text)));
  const path = field.includes('.') ? [field.split('.')[0] ?? '', 0, field.split('.')[1] ?? ''] : [field];
  const meant = named === undefined ? meantValue(path, text) : undefined;
  return named ?? (meant === undefined ? undefined : (JSON.parse(meant) as T));
}

/** One of the values of `field` in people's words. */
export function choiceIn<T extends string>(field: string, values: readonly T[], text: string): Reading<T> {
  const value = choiceMeant(field, values, text);
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
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value)) return { value };
  } catch {
    // What follows says the same of both.
  }
  return {
    problem: 'begins like JSON and is none',
    hint: 'write one entry on each line, or export the job again',
  };
}

/** An entry for each line of a cell, in their order; what is wrong with the first that cannot be read. */
export function entriesIn<T>(
  text: string,
  read: (line: string, order: number) => Reading<T>,
): Reading<readonly T[]> {
  const entries: T[] = [];
  for (const line of linesIn(text)) {
    const entry = read(line, entries.length + 1);
    if ('problem' in entry) return entry;
    entries.push(entry.value);
  }
  return { value: entries };
}

/** `Prompt (date)`, `Prompt (pick one: A | B)`; without a format the answer is a line of text. */
export function questionIn(line: string, order: number): Reading<QuestionInput> {
  const formatOf = (word: string) => choiceMeant('questions.answerFormat', ANSWER_FORMATS, word);
  const isMarked = line.endsWith(')');
  const [, asked = '', which = '', options = ''] =
    (isMarked && /^(.*?\S)\s*\(([^():]+):(.*)\)$/.exec(line)) || [];
  const select = formatOf(which);
  if (select !== undefined && takesOptions(select)) {
    const parts = options.split('|').map((option) => option.trim());
    return { value: { prompt: asked, answerFormat: select, options: parts.filter(Boolean), order } };
  }
  const [, prompt = '', word = ''] = (isMarked && /^(.*\S)\s*\(([^()]+)\)$/.exec(line)) || [];
  if (isMarked && / \| /.test(line)) {
    const hint = 'end the line with (pick one: A | B) or (pick one or more: A | B)';
    return { problem: `does not say how many options may be picked: "${line.slice(0, 60)}"`, hint };
  }
  const answerFormat = formatOf(word);
  return {
    value: answerFormat ? { prompt, answerFormat, order } : { prompt: line, answerFormat: 'TEXT', order },
  };
}

export function questionLine({ prompt, answerFormat, options }: QuestionInput): string {
  if (answerFormat === 'TEXT') return prompt;
  const format = cellWord(answerFormat);
  return `${prompt} (${options === undefined ? format : `${format}: ${options.join(' | ')}`})`;
}

/** `Text (required)`: in a column that does not say it for all. */
export function qualificationIn(line: string, order: number): Reading<QualificationInput> {
  const [, text, word = ''] = (line.endsWith(')') && /^(.*\S)\s*\(([^()]+)\)$/.exec(line)) || [];
  const kind = choiceMeant('qualifications.kind', QUALIFICATION_KINDS, word);
  if (text !== undefined && kind !== undefined) return { value: { text, kind, order } };
  return {
    problem: `does not say whether an applicant must have it: "${line.slice(0, 60)}"`,
    hint: 'name the column "Required" or "Nice to have", or end each line with (required) or (desired)',
  };
}

/** `$3,600 (agreed with finance)`: an amount and a note. */
export function notedAmount(text: string): { readonly amount: string; readonly notes?: string } {
  const [open, close] = [text.indexOf('('), text.trimEnd().length - 1];
  if (open < 1 || text[close] !== ')') return { amount: text };
  return { amount: text.slice(0, open).trimEnd(), notes: text.slice(open + 1, close) };
}

/** What is wrong with a cell that a spreadsheet has no value for; a formula and a merged cell as `workbook.ts` marks them. */
export function sheetError(text: string): Extract<Reading<never>, { problem: string }> | undefined {
  const [error] =
    /^#(?:NULL!|DIV\/0!|VALUE!|REF!|NAME\?|NUM!|N\/A|SPILL!|CALC!|NO RESULT|MERGED)$/.exec(text.trim()) ?? [];
  if (error === undefined) return undefined;
  if (error === '#MERGED')
    return { problem: 'is part of a merged cell here', hint: 'give each row a cell of its own' };
  const problem =
    error === '#NO RESULT'
      ? 'holds a formula without a result'
      : `holds ${error}, an error of the spreadsheet`;
  return { problem, hint: 'correct the formula and save it again, or write the value' };
}
