import { CONTENT_FIELDS, type JobContent } from '../../contract/job.ts';
import { escapedJson } from '../../contract/outside-text.ts';
import { fieldName } from '../../contract/problems.ts';
import { isObject } from '../../contract/values.ts';
import { type Fault, sentence } from '../check/finding.ts';
import { readJson } from '../read/json.ts';
import { listingsOfYaml } from '../read/yaml.ts';
import { markdownParts } from '../write/markdown.ts';
import { isCommentOf } from './write-listing.ts';

/** A field as a file is to say it: no lines where it is to go, or where the format has no lines of its own. */
interface FieldChange {
  readonly field: keyof JobContent;
  readonly value: unknown;
  readonly lines: readonly string[];
}

export interface EditableListing {
  readonly values: Readonly<Record<string, unknown>>;
  /** The file's text with these changes: every other line stays as it is, as do the comments. */
  changed(changes: readonly FieldChange[]): string;
}

export type Yaml = Pick<
  typeof import('yaml'),
  'Document' | 'isMap' | 'isScalar' | 'parseAllDocuments' | 'visit'
>;

/** The listing in a text; otherwise why it cannot be changed, as a sentence without a full stop. */
export function editableListing(name: string, text: string, yaml: Yaml): EditableListing | string {
  if (/\.json$/i.test(name)) return jsonListing(text);
  if (/\.ya?ml$/i.test(name)) return yamlListing(text, yaml);
  if (/\.md$/i.test(name)) return markdownListing(text, yaml);
  return 'only a file that ends in .yaml, .json or .md can be changed';
}

const FRONT_MATTER = /^(\ufeff?---[^\S\n]*\n)([\s\S]*?\n)(---[^\S\n]*(?:\n|$))/;

function markdownListing(text: string, yaml: Yaml): EditableListing | string {
  const [whole, open = '', head = '', close = ''] = FRONT_MATTER.exec(text) ?? [];
  if (whole === undefined) return 'it has no front matter between two lines of ---';
  const listing = yamlListing(head, yaml);
  if (typeof listing === 'string') return listing;
  const body = text.slice(whole.length);
  const isInHead = 'description' in listing.values;
  return {
    values: isInHead ? listing.values : { ...listing.values, description: body },
    changed(changes) {
      const change = isInHead ? undefined : changes.find(({ field }) => field === 'description');
      const description = String(change?.value ?? '');
      const changedBody = markdownParts(yaml, { description }).body;
      // A text that a body cannot hold stands in the head.
      const inHead = changes.filter((one) => one !== change || (description !== '' && changedBody === ''));
      const below = change === undefined ? body : changedBody && `\n${changedBody}\n`;
      return `${open}${listing.changed(inHead)}${close}${below}`;
    },
  };
}

function jsonListing(text: string): EditableListing | string {
  const reading = readJson(text);
  if (!reading.ok) return reasonOf(reading.fault);
  const { value, flaws } = reading.document;
  const [flaw] = flaws;
  if (flaw !== undefined) return reasonOf(flaw);
  if (!isObject(value)) return NOT_ONE;
  return {
    values: value,
    changed(changes) {
      const wanted = Object.fromEntries(changes.map(({ field, value: given }) => [field, given]));
      return `${escapedJson({ ...value, ...wanted })}\n`;
    },
  };
}

const NOT_ONE = 'it does not hold one listing';

function yamlListing(text: string, yaml: Yaml): EditableListing | string {
  try {
    return blockListing(text, yaml);
  } catch {
    // The parser throws where it runs out of stack, and for aliases, as none are allowed.
    return 'it is nested too deeply, or has aliases';
  }
}

function blockListing(text: string, yaml: Yaml): EditableListing | string {
  const [document, another] = yaml.parseAllDocuments(text, { version: '1.2', uniqueKeys: true });
  if (document === undefined || 'empty' in document || another !== undefined) return NOT_ONE;
  if (document.errors.length > 0) return brokenYaml(text);
  const map = document.contents;
  if (!yaml.isMap(map)) return NOT_ONE;
  const lines = text.split('\n');
  const fields = new Map<string, number>();
  for (const { key } of map.items) {
    const start = yaml.isScalar(key) ? key.range?.[0] : undefined;
    if (start === undefined || (start > 0 && text[start - 1] !== '\n'))
      return 'its fields do not begin their lines';
    fields.set(String((key as { value: unknown }).value), text.slice(0, start).split('\n').length - 1);
  }
  return {
    values: document.toJS({ maxAliasCount: 0 }),
    changed: (changes) => changedLines(lines, fields, changes).join('\n'),
  };
}

/** In the words of `jobs validate`. */
function brokenYaml(text: string): string {
  const [reading] = listingsOfYaml(text);
  const fault = reading?.ok === false ? reading.fault : reading?.document.flaws[0];
  return fault === undefined ? NOT_ONE : reasonOf(fault);
}

function reasonOf({ line, path, message }: Fault): string {
  return `line ${line}: ${sentence({ field: path ? fieldName(path) : '', message })}`;
}

/** The lines of a block map with some fields changed, added in the contract's order, or taken out. */
function changedLines(
  lines: readonly string[],
  fields: ReadonlyMap<string, number>,
  changes: readonly FieldChange[],
): string[] {
  const starts = [...fields.values(), lines.length];
  // What follows a field at the margin, comments and empty lines, belongs to what comes next.
  const endOf = (start: number): number => {
    let end = starts.find((other) => other > start) ?? lines.length;
    while (end > start + 1 && /^(?:#.*|\s*|---|\.\.\.)$/.test(lines[end - 1]?.trimEnd() ?? '')) end--;
    return end;
  };
  const placeOf = (field: keyof JobContent): number => {
    const before = CONTENT_FIELDS.slice(0, CONTENT_FIELDS.indexOf(field));
    const last = Math.max(-1, ...before.map((name) => fields.get(name) ?? -1));
    return last === -1 ? (starts[0] ?? 0) : endOf(last);
  };
  const eol = lines[0]?.endsWith('\r') ? '\r' : '';
  const removed = new Set<number>();
  const added = new Map<number, string[]>();
  for (const { field, lines: wanted } of changes) {
    const start = fields.get(field);
    const comments = lines.flatMap((line, at) => (isCommentOf(field, line) ? [at] : []));
    const at = start ?? comments[0] ?? placeOf(field);
    for (const line of comments) removed.add(line);
    for (let line = start ?? at; start !== undefined && line < endOf(start); line++) removed.add(line);
    added.set(at, [...(added.get(at) ?? []), ...wanted.map((line) => line + eol)]);
  }
  return [...lines, undefined].flatMap((line, at) => [
    ...(added.get(at) ?? []),
    ...(line === undefined || removed.has(at) ? [] : [line]),
  ]);
}
