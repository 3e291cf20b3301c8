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
import { type Position, positionsIn } from '../../contract/json/positions.ts';
import { DEPTH_LIMIT } from '../../contract/json/reader.ts';
import { Malformed, nested, TooMuch, type Wording } from '../../contract/json/words.ts';
import type { Fault } from '../check/finding.ts';
import { faultOf } from './json.ts';
import type { DocumentReading } from './listing.ts';
import { EMPTY_FILE, ofText } from './other-formats.ts';
import bounds from './yaml-bounds.json' with { type: 'json' };
import { type YamlFile, YamlListing } from './yaml-listing.ts';
import words from './yaml-words.json' with { type: 'json' };

/** Repeated names are found here: the library compares each name with each. */
const OPTIONS = {
  version: '1.2',
  schema: 'core',
  resolveKnownTags: false,
  uniqueKeys: false,
  prettyErrors: false,
  logLevel: 'silent',
} as const;

type Bound = (typeof bounds)[keyof typeof bounds];

/** YAML 1.2 of the core schema: a listing, a list of them, or several documents; empty documents are passed over. */
export const readYaml = ofText((text) => listingsOfYaml(text));

/** The same of a text; `positionAt` is for one that is the beginning of a larger one. */
export function* listingsOfYaml(text: string, positionAt = positionsIn(text)): Generator<DocumentReading> {
  const file: YamlFile = { text, positionAt, aliased: 0 };
  let isEmpty = true;
  if (text.trim() === '') return yield { ok: false, fault: EMPTY_FILE };
  try {
    for (const document of new Composer(OPTIONS).compose(tokensOf(text))) {
      if (document.errors.length === 0 && isBlank(document.contents)) continue;
      isEmpty = false;
      yield* readingsOf(document, file);
    }
  } catch (error) {
    yield { ok: false, fault: faultOf(error, 'yaml-syntax', positionAt) };
    return;
  }
  if (isEmpty) yield { ok: false, fault: EMPTY_FILE };
}

/** Bounds what the library reads at once: it takes some 300 bytes for each lexeme, and cuts a text into its lines. */
function* tokensOf(text: string): Generator<CST.Token> {
  const parser = new Parser();
  let [lexemes, ofDocument, documents] = [0, 0, 0];
  const bounded = (count: number, { max, of, hint }: Bound): void => {
    if (count <= max) return;
    throw new TooMuch(parser.offset, [of.replace('MAX', max.toLocaleString('en')), hint]);
  };
  for (const lexeme of new Lexer().lex(text)) {
    bounded(lexeme.length, bounds.characters);
    for (const token of parser.next(lexeme)) {
      if (token.type === 'document') [ofDocument, documents] = [0, documents + 1];
      yield token;
    }
    // The document is the outermost of them.
    if (parser.stack.length > DEPTH_LIMIT + 1) throw new Malformed(parser.offset, nested(DEPTH_LIMIT));
    bounded(documents, bounds.documents);
    bounded(++ofDocument, bounds.ofDocument);
    bounded(++lexemes, bounds.lexemes);
  }
  yield* parser.end();
}

function isBlank(contents: unknown): boolean {
  return contents === null || (isScalar(contents) && contents.value === null && !contents.source);
}

function* readingsOf(document: Document.Parsed, file: YamlFile): Generator<DocumentReading> {
  const { contents } = document;
  const [fault, ...others] = yamlFaults(document, file.text, file.positionAt);
  if (fault !== undefined) return yield { ok: false, fault, others };
  const anchors = new Map<string, Node>();
  for (const root of isSeq<Node>(contents) ? contents.items : [contents]) {
    if (root !== null) yield readingOf(root, anchors, file);
  }
}

function readingOf(root: Node, anchors: Map<string, Node>, file: YamlFile): DocumentReading {
  try {
    return { ok: true, document: new YamlListing(root, anchors, file) };
  } catch (error) {
    return { ok: false, fault: faultOf(error, 'yaml-syntax', file.positionAt) };
  }
}

/** An error is often followed by others that it caused: so many places are shown. */
const SHOWN_MAX = 20;

/** Where a document is no YAML of a job file, and in plain words why: the first error of each line. */
function yamlFaults(
  { errors, warnings, contents }: Document.Parsed,
  text: string,
  positionAt: (offset: number) => Position,
): Fault[] {
  const faults = new Map<number, Fault>();
  const end = contents?.range[2] ?? 0;
  // It only warns of a tag that it does not know.
  for (const error of [...errors, ...warnings].sort((one, other) => one.pos[0] - other.pos[0])) {
    const openedAt = openQuote(error, text);
    const position = positionAt(openedAt ?? error.pos[0]);
    if (!faults.has(position.line)) {
      const [message, hint] = openedAt === undefined ? wordingOf(error, text) : UNCLOSED;
      faults.set(position.line, { rule: 'yaml-syntax', message, hint, ...position });
    }
    // Behind the end of a document nothing fits any more.
    if (faults.size === SHOWN_MAX || error.pos[0] >= end) break;
  }
  return [...faults.values()];
}

const UNCLOSED: Wording = ['a text in quotes has no end', 'end it with the quote that it begins with'];

/** Where a quote begins that has no end: the library names the end of the text in it. */
function openQuote({ message, pos: [at] }: YAMLError, text: string): number | undefined {
  const [, quote] = /^Missing closing (["'])quote/.exec(message) ?? [];
  return quote === undefined ? undefined : text.lastIndexOf(quote, at - 1);
}

/** By the library's code and what is written before and behind the place; the first that fits counts. */
const ROWS = words.map(({ codes = '', before = '', after = '', message, hint }) => ({
  codes: codes.split(' '),
  isBehind: new RegExp(before),
  isBefore: new RegExp(after),
  wording: [message, hint] as const,
}));

function wordingOf({ code, message, pos: [at] }: YAMLError, text: string): Wording {
  const [before, after] = [text.slice(Math.max(0, at - 200), at), text.slice(at, at + 200)];
  const row = ROWS.find(
    ({ codes: [any, ...codes], isBehind, isBefore }) =>
      (any === '' || any === code || codes.includes(code)) && isBehind.test(before) && isBefore.test(after),
  );
  return row?.wording ?? [message.replace(/^./, (letter) => letter.toLowerCase()), 'correct it'];
}
