import { Composer, type CST, type Document, isScalar, isSeq, Lexer, type Node, Parser } from 'yaml';
import { positionsIn } from '../../contract/json/positions.ts';
import { DEPTH_LIMIT } from '../../contract/json/reader.ts';
import { Malformed, nestedTooDeep, TooMuch, type Wording } from '../../contract/json/words.ts';
import { faultOf } from './json.ts';
import type { DocumentReading } from './listing.ts';
import { EMPTY_FILE, ofText } from './other-formats.ts';
import { type YamlFile, YamlListing } from './yaml-listing.ts';
import { yamlFaults } from './yaml-words.ts';

/** Repeated names are found here: the library compares each name with each. */
const OPTIONS = {
  version: '1.2',
  schema: 'core',
  resolveKnownTags: false,
  uniqueKeys: false,
  prettyErrors: false,
  logLevel: 'silent',
} as const;

/** Names, values, signs and spaces of one document: they take some 250 bytes each. */
const LEXEMES_MAX = 2_000_000;

/** YAML 1.2 of the core schema: a listing, a list of them, or several documents; empty documents are passed over. */
export const readYaml = ofText((text) => listingsOfYaml(text));

/** The same of a text; `positionAt` is for one that is the beginning of a larger one. */
export function* listingsOfYaml(text: string, positionAt = positionsIn(text)): Generator<DocumentReading> {
  const file: YamlFile = { text, positionAt, aliased: 0 };
  let isEmpty = true;
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

function* tokensOf(text: string): Generator<CST.Token> {
  const parser = new Parser();
  let lexemes = 0;
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) {
      lexemes = 0;
      yield token;
    }
    // The document is the outermost of them.
    if (parser.stack.length > DEPTH_LIMIT + 1) throw new Malformed(parser.offset, nestedTooDeep(DEPTH_LIMIT));
    if (++lexemes > LEXEMES_MAX) throw new TooMuch(parser.offset, TOO_LONG);
  }
  yield* parser.end();
}

const TOO_LONG: Wording = [
  `one document has more than ${LEXEMES_MAX.toLocaleString('en')} names, values and signs`,
  'make each listing a document of its own, below a line ---, or split the file',
];

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
