import { REMOTE_OPTIONS, type RemoteOption } from '../../contract/values.ts';
import { VALUES, LABELS as WORDS } from '../../listings/vocabulary/vocabulary.ts';
import { hasPhrase, words } from '../../text/words.ts';
import type { SourceFields, SourcePosting, SourceValue } from '../source-posting.ts';
import { quoteText } from './fact.ts';
import { findPays } from './salary.ts';
import { typesSaid } from './type-and-level.ts';

/** Marks the end of bold text, a table cell or a term in HTML, because it may be a label. */
export const LABEL_END = '\ue001';

const { answers: ANSWERS, vague: VAGUE, ...NAMES } = WORDS;
type Label = keyof typeof NAMES;

const LABELS = new Map(
  Object.entries(NAMES).flatMap(([label, names]) => names.map((name) => [name, label as Label])),
);

const STARTS = new Set(Array.from(LABELS.keys(), (name) => name.slice(0, 3)));

const LIMITS = { lines: 400, lineCharacters: 300, labelCharacters: 50, valueCharacters: 150 };
const PROSE_WORDS_MIN = 8;

interface Labelled {
  readonly label: Label;
  readonly name: string;
  readonly value: string;
}

export function readLabels(text: string): SourcePosting['fields'] {
  const lines = text.split('\n', LIMITS.lines).filter((line) => /[\p{L}\p{N}]/u.test(line));
  const found: Labelled[] = [];
  let [block, isStart]: [Labelled[], boolean] = [[], true];
  const inLines = lines.map(findLabelled);
  for (let at = 0; at <= lines.length; at++) {
    const [line = '', next = ''] = lines.slice(at, at + 2);
    const [own = [], below = []] = inLines.slice(at, at + 2);
    const isAlone = own.length + below.length === 0 && line.length < LIMITS.labelCharacters;
    const labelled = isAlone ? findLabelled(`${line}${LABEL_END}${next}`) : own;
    block.push(...labelled);
    if (isAlone && labelled.length > 0) at++;
    if (labelled.length > 0) continue;
    if (isStart || new Set(block.map(({ label }) => label)).size > 1) found.push(...block);
    [block, isStart] = [[], isStart && !isProse(line)];
  }
  return toSourceFields(found);
}

function isProse(line: string): boolean {
  return line.split(' ').length >= PROSE_WORDS_MIN && /[.!?…]$/.test(line.trim());
}

const SEPARATOR = /[:：\ue001]| [-–—] /;
const LABELLED = /^(.{2,50}?)(?:[:：\ue001]| [-–—] )(.*)$/u;

/** Checks the first letters before calling `words`, which is slow. Most lines don't have a label. */
function labelNamed(name: string): Label | undefined {
  const start = name.slice(0, 3).toLowerCase();
  return /^[a-z]{3}$/.test(start) && !STARTS.has(start) ? undefined : LABELS.get(words(name));
}

/** Applies a label to the parts that follow it (`Location: Austin, TX · Hybrid`). */
function findLabelled(line: string): Labelled[] {
  const found: Labelled[] = [];
  if (!SEPARATOR.test(line)) return found;
  const parts = line.slice(0, LIMITS.lineCharacters).split(/[|·•●▪]/);
  for (const part of parts) {
    const [, name = '', rest = ''] = LABELLED.exec(part.replace(/^[^\p{L}\p{N}]+/u, '')) ?? [];
    const label = labelNamed(name);
    if (label === undefined && found.length === 0) continue;
    const value = (label ? rest : part).replace(/[:：\ue001*_`]/g, ' ').trim();
    if (value === '' || value.length > LIMITS.valueCharacters || isProse(value)) continue;
    if (label) found.push({ label, name: name.trim(), value });
    else if (name === '') found.push(...found.slice(-1).map((before) => ({ ...before, value })));
  }
  return found;
}

/** Precedence of labels. A label for the work mode is more reliable than a word next to a place. */
const ORDER: readonly Label[] = ['workplace', 'remote', 'jobType', 'places', 'salaries', 'jobLevel'];

function toSourceFields(found: readonly Labelled[]): SourcePosting['fields'] {
  const fields: { -readonly [F in keyof SourceFields]?: SourceValue<SourceFields[F]> } = {};
  const sorted = found.toSorted((a, b) => ORDER.indexOf(a.label) - ORDER.indexOf(b.label));
  for (const { label, name, value } of sorted) {
    const text = `${name}: ${value}`;
    const [option, isType] = [parseOption(label, value), typesSaid([value]).length > 0];
    const toSourceValue = <T>(of: T, from = name): SourceValue<T> => {
      return { value: of, from: `the description, ${quoteText(from)}`, isOwnField: false };
    };
    const { jobType, places, salaries } = fields;
    if (option) fields.workplace ??= toSourceValue(VALUES.remoteOption[option][0] ?? '', text);
    else if (label === 'remote' || (label === 'workplace' && !isType))
      fields.workplace ??= toSourceValue(value);
    if (label === 'jobLevel') fields.jobLevel ??= toSourceValue(value);
    else if (label === 'salaries') {
      if (findPays(text)[0]?.currency)
        fields.salaries = toSourceValue([...(salaries?.value ?? []), { text }]);
    } else if (isType) fields.jobType = toSourceValue([...(jobType?.value ?? []), value]);
    else if (label === 'places' && exactOption(value) === undefined)
      fields.places = toSourceValue([...(places?.value ?? []), { text: value }], text);
  }
  return fields;
}

function exactOption(text: string): RemoteOption | undefined {
  return REMOTE_OPTIONS.find((option) => VALUES.remoteOption[option].includes(words(text)));
}

function parseOption(label: Label, value: string): RemoteOption | undefined {
  const text = words(value);
  const answers = (option: RemoteOption) => ANSWERS[option].some((one) => `${text} `.startsWith(`${one} `));
  const answer = REMOTE_OPTIONS.find(answers) ?? (/(?:^| )\d\d?(?: |$)/.test(text) ? 'HYBRID' : undefined);
  if (label === 'remote' && answer) return answer;
  const parts = value.split(/[,;/()]| [-–—] /).filter((part) => !VAGUE.includes(words(part)));
  const isWhole = label === 'workplace' || label === 'remote';
  const isSaid = (option: RemoteOption) =>
    isWhole
      ? hasPhrase(text, VALUES.remoteOption[option])
      : parts.some((part) => exactOption(part) === option);
  const named = REMOTE_OPTIONS.filter(isSaid);
  return named.includes('HYBRID') ? 'HYBRID' : named.length === 1 ? named[0] : undefined;
}
