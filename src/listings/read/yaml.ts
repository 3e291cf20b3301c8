import {
  Composer,
  type CST,
  type Document,
  isScalar,
  isSeq,
  Lexer,
  type Node,
  Parser,
  type YAMLError,
} from 'yaml';
import { isObject } from '../../contract/values.ts';
import { createPositionFinder } from '../../json/positions.ts';
import { DEPTH_LIMIT } from '../../json/reader.ts';
import { describeNesting, Malformed, TooMuch, type Wording } from '../../json/words.ts';
import { contentFault, type Fault } from '../check/finding.ts';
import { translateReadError } from './json.ts';
import type { DocumentReading, ListingDocument } from './listing.ts';
import { EMPTY_FILE, ofText } from './other-formats.ts';
import bounds from './yaml-bounds.json' with { type: 'json' };
import { type YamlFile, YamlListing } from './yaml-listing.ts';
import words from './yaml-words.json' with { type: 'json' };

/** `uniqueKeys` is off, because the library would compare all pairs of names. The CLI detects duplicates itself. */
const OPTIONS = {
  version: '1.2',
  schema: 'core',
  resolveKnownTags: false,
  uniqueKeys: false,
  prettyErrors: false,
  logLevel: 'silent',
} as const;

/** Reads YAML 1.2 (core schema): a listing, a list of them or several documents. Skips empty documents. */
export const readYaml = ofText((text) => listingsOfYaml(text));

export function* listingsOfYaml(
  text: string,
  positionAt = createPositionFinder(text),
): Generator<DocumentReading> {
  const file: YamlFile = { text, positionAt, aliased: 0 };
  const hasSeveral = hasSeveralDocuments(text);
  let documents = 0;
  if (text.trim() === '') return yield { ok: false, fault: EMPTY_FILE };
  try {
    for (const document of new Composer(OPTIONS).compose(parseTokens(text))) {
      if (document.errors.length === 0 && isBlank(document.contents)) continue;
      documents++;
      yield* readListings(document, file, hasSeveral ? `document ${documents}` : undefined);
    }
  } catch (error) {
    yield { ok: false, fault: translateReadError(error, 'yaml-syntax', positionAt) };
    return;
  }
  if (documents === 0) yield { ok: false, fault: EMPTY_FILE };
}

/** Stops at the second document, because a large file may contain millions of them. */
function hasSeveralDocuments(text: string): boolean {
  let [from, documents] = [0, 0];
  for (const { index } of text.matchAll(/^---(?=\s)/gm)) {
    if (text.slice(from, index).trim() !== '' && ++documents > 1) return true;
    from = index + 3;
  }
  return documents === 1 && text.slice(from).trim() !== '';
}

/** Limits what the library reads at once, because it needs about 300 bytes per lexeme. */
function* parseTokens(text: string): Generator<CST.Token> {
  const parser = new Parser();
  let [lexemes, ofDocument, documents] = [0, 0, 0];
  const assertLimit = (count: number, { max, of, hint }: (typeof bounds)[keyof typeof bounds]): void => {
    if (count <= max) return;
    throw new TooMuch(parser.offset, [of.replace('MAX', max.toLocaleString('en')), hint]);
  };
  for (const lexeme of new Lexer().lex(text)) {
    assertLimit(lexeme.length, bounds.characters);
    for (const token of parser.next(lexeme)) {
      if (token.type === 'document') [ofDocument, documents] = [0, documents + 1];
      yield token;
    }
    if (parser.stack.length > DEPTH_LIMIT + 1)
      throw new Malformed(parser.offset, describeNesting(DEPTH_LIMIT));
    assertLimit(documents, bounds.documents);
    assertLimit(++ofDocument, bounds.ofDocument);
    assertLimit(++lexemes, bounds.lexemes);
  }
  yield* parser.end();
}

function isBlank(contents: unknown): boolean {
  return contents === null || (isScalar(contents) && contents.value === null && !contents.source);
}

function* readListings(
  document: Document.Parsed,
  file: YamlFile,
  part: string | undefined,
): Generator<DocumentReading> {
  const { contents } = document;
  const [fault, ...others] = yamlFaults(document, file);
  if (fault !== undefined) return yield { ok: false, fault, others };
  const anchors = new Map<string, Node>();
  const isList = isSeq<Node>(contents);
  for (const [at, root] of (isList ? contents.items : [contents]).entries()) {
    if (root === null) continue;
    const name = isList ? [part, `item ${at + 1}`].filter(Boolean).join(' ') : part;
    try {
      yield { ok: true, document: new YamlListing(root, anchors, file, name) };
    } catch (error) {
      yield { ok: false, fault: translateReadError(error, 'yaml-syntax', file.positionAt) };
    }
  }
}

const SHOWN_MAX = 20;

function yamlFaults({ errors, warnings, contents }: Document.Parsed, { text, positionAt }: YamlFile) {
  const faults = new Map<number, Fault>();
  const end = contents?.range[2] ?? 0;
  // Reports warnings as errors too, because the library only warns about unknown tags.
  for (const error of [...errors, ...warnings].sort((one, other) => one.pos[0] - other.pos[0])) {
    const openedAt = openQuote(error, text);
    const position = positionAt(openedAt ?? error.pos[0]);
    if (!faults.has(position.line)) {
      const [message, hint] = openedAt === undefined ? chooseYamlWording(error, text) : UNCLOSED;
      faults.set(position.line, { rule: 'yaml-syntax', message, hint, ...position });
    }
    if (faults.size === SHOWN_MAX || error.pos[0] >= end) break;
  }
  return [...faults.values()];
}

const UNCLOSED: Wording = ['unclosed quote', 'close it with the same quote'];

/** Returns where an unclosed quote begins. The library reports the end of the text instead. */
function openQuote({ message, pos: [at] }: YAMLError, text: string): number | undefined {
  const [, quote] = /^Missing closing (["'])quote/.exec(message) ?? [];
  return quote === undefined ? undefined : text.lastIndexOf(quote, at - 1);
}

const ROWS = words.map(({ codes = '', before = '', after = '', message, hint }) => ({
  codes: codes.split(' '),
  isBehind: new RegExp(before),
  isBefore: new RegExp(after),
  wording: [message, hint] as const,
}));

function chooseYamlWording({ code, message, pos: [at] }: YAMLError, text: string): Wording {
  const [before, after] = [text.slice(Math.max(0, at - 200), at), text.slice(at, at + 200)];
  const row = ROWS.find(
    ({ codes: [any, ...codes], isBehind, isBefore }) =>
      (any === '' || any === code || codes.includes(code)) && isBehind.test(before) && isBefore.test(after),
  );
  return (
    row?.wording ?? [message.replace(/^./, (letter) => letter.toLowerCase()), 'fix the YAML syntax here']
  );
}

export const readMarkdown = ofText((text) => [listingOfMarkdown(text)]);

function listingOfMarkdown(text: string): DocumentReading {
  if (text.trim() === '') return { ok: false, fault: EMPTY_FILE };
  const [front] = /^---[ \t]*\r?\n[\s\S]*?\n---[ \t]*(?:\r?\n|$)/.exec(text) ?? [];
  if (front === undefined) return { ok: false, fault: NO_FRONT_MATTER };
  const fields = front.replace(/---\s*$/, '');
  const [reading, ...others] = listingsOfYaml(fields, createPositionFinder(text));
  if (reading?.ok === false && reading.fault !== EMPTY_FILE) return reading;
  if (!reading?.ok || others.length > 0 || !isObject(reading.document.value))
    return { ok: false, fault: NO_FRONT_MATTER };
  return { ok: true, document: withBody(reading.document, text, front.length) };
}

function withBody(fields: ListingDocument, text: string, from: number): ListingDocument {
  const body = text.slice(from).trim().replaceAll('\r\n', '\n');
  if (body === '') return fields;
  const start = createPositionFinder(text)(from + text.slice(from).search(/\S/));
  const given = fields.value as Record<string, unknown>;
  const twice: Fault = {
    rule: 'json-repeated-field',
    path: ['description'],
    message: `appears twice, first on line ${fields.locate(['description'], 'name').line} and again as the text here`,
    hint: 'remove one of them: the text below the front matter is the description',
    ...start,
  };
  return {
    value: { ...given, description: body },
    flaws: 'description' in given ? [...fields.flaws, twice] : fields.flaws,
    flawsOmitted: fields.flawsOmitted,
    locate: (path, part) => (path[0] === 'description' ? start : fields.locate(path, part)),
  };
}

const NO_FRONT_MATTER = contentFault(
  'it has no front matter (fields between two --- lines)',
  'a Markdown job file starts with ---, then one field per line, then --- and the text',
);
