import { foldWord, suggestValue } from '../../../contract/how-to-write.ts';
import type { QuestionInput } from '../../../contract/job.ts';
import { type FieldName, getChoices } from '../../../contract/job-fields.ts';
import { clipText, type FieldPath } from '../../../contract/problems.ts';
import { attempt } from '../../../contract/system-errors.ts';
import { type Parsed, valueWord } from '../../../contract/words.ts';
import { words } from '../../../text/words.ts';
import { findChoice as findInWords } from '../../vocabulary/vocabulary.ts';

export function cellWord(value: string): string {
  return valueWord(value).replace(/^an? /, '');
}

function findChoice(path: FieldPath, text: string): string | undefined {
  const named = getChoices(String(path.at(-1))).find((value) => foldWord(cellWord(value)) === foldWord(text));
  const meant = named === undefined ? suggestValue(path, text) : undefined;
  return named ?? (meant === undefined ? undefined : String(JSON.parse(meant)));
}

export function parseChoiceCell(field: FieldName, text: string, header = ''): Parsed<string> {
  const value = findChoice([field], text);
  if (value !== undefined) return { value };
  const meant = findInWords(field, text);
  const shown = `"${clipText(text.trim(), 60)}"`;
  const guess = meant?.isGuess ? `has ${shown}, which is read as ${cellWord(meant.value)}` : undefined;
  const parts = text.split(/[,;|/\n[\]'"]|\s(?:and|or|und|oder|et|ou)\s/).map((part) => part.trim());
  const known = parts.filter((part) => findInWords(field, part) !== undefined);
  const isSeveral = new Set(known.map((part) => findInWords(field, part)?.value)).size > 1;
  // In a column `Home office`, the value `Home office` usually means yes.
  const isName = words(header).replaceAll(' ', '').startsWith(words(text).replaceAll(' ', ''));
  if (meant && !isName && !isSeveral) return { value: meant.value, guess };
  const use = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(getChoices(field).map(cellWord));
  if (isSeveral)
    return { problem: `has several values, "${known.join('" and "')}"`, hint: `keep one: ${use}` };
  const problem = meant ? `repeats its name, ${shown}, which doesn't mean remote` : `can't be ${shown}`;
  return { problem, hint: `use ${use}` };
}

export function parseYesOrNo(text: string): Parsed<boolean> {
  const meant = suggestValue(['publish'], text);
  if (meant !== undefined) return { value: meant === 'true' };
  return { problem: `must be yes or no, not "${text.trim().slice(0, 60)}"`, hint: 'use yes or no' };
}

/** Splits a text at line breaks and semicolons, except in parentheses and alternatives such as `A; or B`. */
export function parseParts(text: string): string[] {
  if (/\n|\r/.test(text)) return parseLines(text);
  return parseLines(text.replace(/\([^()]*\)|;(?!\s*or\b)/gi, (part) => (part === ';' ? '\n' : part)));
}

function parseLines(text: string): string[] {
  const lines = text.split(/\r\n|\n|\r/).map((line) => line.trim().replace(/^[-–•*](?:\s+|$)/, ''));
  return lines.filter((line) => line !== '');
}

const PYTHON_LIST = /^\s*\[\s*(?:(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")\s*(?:,\s*|(?=\])))*\]\s*$/s;
const PYTHON_TEXT = /\s*[[,]\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")/gsy;

/** Returns the texts of a list as Python prints it (`['A', "B's"]`), one per line. Other texts are unchanged. */
export function joinPythonList(text: string): string {
  if (!PYTHON_LIST.test(text)) return text;
  const texts = Array.from(text.matchAll(PYTHON_TEXT), ([, one, other]) => one ?? other ?? '');
  return texts.map((one) => one.replace(/\\(.)/gs, (_, sign) => (sign === 'n' ? '\n' : sign))).join('\n');
}

/** Parses a list that an export wrote as JSON because plain text can't express it. */
export function parseJsonList(text: string): Parsed<readonly unknown[]> | undefined {
  if (!/^\s*\[\s*[{"\]]/.test(text)) return undefined;
  const value: unknown = attempt(() => JSON.parse(text));
  if (Array.isArray(value)) return { value };
  const hint = 'put one entry per line, or export the job again';
  return { problem: "looks like JSON but isn't valid", hint };
}

/** Parses one question per line: `Prompt (date)`, `Prompt (pick one: A | B)`. The default format is text. */
export function parseQuestions(text: string): Parsed<readonly unknown[]> {
  return parseJsonList(text) ?? { value: parseLines(text).map((line, at) => parseQuestion(line, at + 1)) };
}

function parseQuestion(line: string, order: number): object {
  const marked = line.endsWith(')')
    ? (/^(.*\S)\s*\(([^():]+)\)$/.exec(line) ?? /^(.*?\S)\s*\(([^():]+):(.*)\)$/.exec(line))
    : undefined;
  const [, prompt = '', word = '', listed] = marked ?? [];
  const known = findChoice(['questions', 0, 'answerFormat'], word);
  const answerFormat = known ?? (listed?.includes(' | ') ? word : undefined);
  if (answerFormat === undefined) return { prompt: line, answerFormat: 'TEXT', order };
  const options = listed?.split('|').map((option) => option.trim());
  return { prompt, answerFormat, ...(options && { options: options.filter(Boolean) }), order };
}

export function formatQuestion({ prompt, answerFormat, options }: QuestionInput): string {
  if (answerFormat === 'TEXT') return prompt;
  const format = cellWord(answerFormat);
  return `${prompt} (${options === undefined ? format : `${format}: ${options.join(' | ')}`})`;
}

/** Splits `$3,600 (agreed with finance)` into amount and note. */
export function parseNotedAmount(text: string): { readonly amount: string; readonly notes?: string } {
  const [open, close] = [text.indexOf('('), text.trimEnd().length - 1];
  if (open < 1 || text[close] !== ')') return { amount: text };
  return { amount: text.slice(0, open).trimEnd(), notes: text.slice(open + 1, close) };
}

export function findSheetError(text: string): Extract<Parsed<never>, { problem: string }> | undefined {
  const [error] =
    /^#(?:NULL!|DIV\/0!|VALUE!|REF!|NAME\?|NUM!|N\/A|SPILL!|CALC!|NO RESULT)$/.exec(text.trim()) ?? [];
  if (error === undefined) return undefined;
  const what = error === '#NO RESULT' ? 'a formula without a result' : `the spreadsheet error ${error}`;
  return { problem: `contains ${what}`, hint: 'fix the formula and save the file again, or enter the value' };
}
