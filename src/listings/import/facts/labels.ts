import { REMOTE_OPTIONS, type RemoteOption } from '../../../contract/values.ts';
import type { SourceFields, SourcePosting } from '../source-posting.ts';
import { shown } from './fact.ts';
import data from './labels.json' with { type: 'json' };
import { paysIn } from './pay-in-text.ts';
import { hasPhrase, PHRASES, split, words } from './text.ts';
import { typesSaid } from './type-and-level.ts';

/** Marks where bold type, a table cell or a term of the HTML ended: a label may precede it. */
export const LABEL_END = '\ue001';

const { answers: ANSWERS, vague: VAGUE, ...NAMES } = split(data);
type Label = keyof typeof NAMES;

const LABELS = new Map(
  Object.entries(NAMES).flatMap(([label, names]) => names.map((name) => [name, label as Label])),
);

const LIMITS = { lines: 400, lineCharacters: 300, valueCharacters: 150 };
const PROSE_WORDS_MIN = 8;

interface Labelled {
  readonly label: Label;
  readonly name: string;
  readonly value: string;
}

/** What the labelled lines above the first prose say, and later ones if two labels stand together. */
export function labelledFields(text: string): SourcePosting['fields'] {
  const lines = text.split('\n', LIMITS.lines).filter((line) => /[\p{L}\p{N}]/u.test(line));
  const found: Labelled[] = [];
  let [block, isStart]: [Labelled[], boolean] = [[], true];
  for (let at = 0; at <= lines.length; at++) {
    const [line = '', next = ''] = lines.slice(at, at + 2);
    const isAlone = labelledIn(line).length === 0 && labelledIn(next).length === 0 && next !== '';
    const labelled = labelledIn(isAlone ? `${line}${LABEL_END}${next}` : line);
    block.push(...labelled);
    if (labelled.length > 0) {
      if (isAlone) at++;
      continue;
    }
    if (isStart || new Set(block.map(({ label }) => label)).size > 1) found.push(...block);
    [block, isStart] = [[], isStart && !isProse(line)];
  }
  return fieldsOf(found);
}

function isProse(line: string): boolean {
  return line.split(' ').length >= PROSE_WORDS_MIN && /[.!?…]$/.test(line.trim());
}

const LABELLED = /^(.{2,50}?)(?:[:：\ue001]| [-–—] )(.*)$/u;

/** `Location: Austin, TX · Hybrid`: a part without a label belongs to the label before it. */
function labelledIn(line: string): Labelled[] {
  const found: Labelled[] = [];
  for (const part of line
    .slice(0, LIMITS.lineCharacters)
    .replace(/[*_`]/g, '')
    .split(/[|·•●▪]/)) {
    const [, name = '', rest = ''] = LABELLED.exec(part.replace(/^[^\p{L}\p{N}]+/u, '')) ?? [];
    const label = LABELS.get(words(name));
    const value = (label ? rest : part).replace(/[:：\ue001]/g, ' ').trim();
    if (value === '' || value.length > LIMITS.valueCharacters || isProse(value)) continue;
    if (label) found.push({ label, name: name.trim(), value });
    else found.push(...found.slice(-1).map((before) => ({ ...before, value })));
  }
  return found;
}

function fieldsOf(found: readonly Labelled[]): SourcePosting['fields'] {
  const fields: Record<string, unknown> = {};
  const put = <F extends keyof SourceFields>(field: F, from: string, value: SourceFields[F]) => {
    const before = fields[field] as { value: unknown } | undefined;
    const all = Array.isArray(before?.value) && Array.isArray(value) ? [...before.value, ...value] : value;
    if (before === undefined || Array.isArray(value))
      fields[field] = { from: `the description, ${from}`, isOwnField: false, ...before, value: all };
  };
  // A label of the way of working says it better than a word beside a place.
  const order = ['workplace', 'remote', 'jobType', 'places', 'salaries', 'jobLevel'];
  for (const one of found.toSorted((a, b) => order.indexOf(a.label) - order.indexOf(b.label))) {
    const { label, name, value } = one;
    const [option, isType] = [optionIn(one), typesSaid([value]).length > 0];
    if (option) put('workplace', shown(`${name}: ${value}`), PHRASES.workplace[option][0] ?? '');
    else if (label === 'remote' || (label === 'workplace' && !isType)) put('workplace', shown(name), value);
    if (isType && label !== 'salaries' && label !== 'jobLevel') put('jobType', shown(name), [value]);
    else if (label === 'places' && exactOption(value) === undefined)
      put('places', shown(`${name}: ${value}`), [{ text: value }]);
    const text = `${name}: ${value}`;
    if (label === 'salaries' && paysIn(text)[0]?.currency) put('salaries', shown(name), [{ text }]);
    if (label === 'jobLevel') put('jobLevel', shown(name), value);
  }
  return fields;
}

function exactOption(text: string): RemoteOption | undefined {
  return REMOTE_OPTIONS.find((option) => PHRASES.workplace[option].includes(words(text)));
}

/** The way of working that a value states; several are none, but hybrid has days of each. */
function optionIn({ label, value }: Labelled): RemoteOption | undefined {
  const text = words(value);
  const answers = (option: RemoteOption) => ANSWERS[option].some((one) => `${text} `.startsWith(`${one} `));
  const answer = label === 'remote' ? REMOTE_OPTIONS.find(answers) : undefined;
  if (answer || (label === 'remote' && /(?:^| )\d\d?(?: |$)/.test(text))) return answer ?? 'HYBRID';
  const parts = value.split(/[,;/()]| [-–—] /).filter((part) => !VAGUE.includes(words(part)));
  const named =
    label === 'workplace' || label === 'remote'
      ? REMOTE_OPTIONS.filter((option) => hasPhrase(text, PHRASES.workplace[option]))
      : [...new Set(parts.flatMap((part) => exactOption(part) ?? []))];
  return named.includes('HYBRID') ? 'HYBRID' : named.length === 1 ? named[0] : undefined;
}
