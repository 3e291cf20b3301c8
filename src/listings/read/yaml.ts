import {
  type Alias,
  Composer,
  type CST,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  type Node,
  Parser,
  type Scalar,
  type YAMLMap,
} from 'yaml';
import { flawWording, malformedFault } from '../../contract/json/fault.ts';
import { type Position, positionsIn } from '../../contract/json/positions.ts';
import { DEPTH_LIMIT, setOwn, VALUES_MAX } from '../../contract/json/reader.ts';
import { Malformed, TooMuch, tooManyValues, type Wording } from '../../contract/json/words.ts';
import { clipped, type FieldPath, PROBLEMS_MAX } from '../../contract/problems.ts';
import { contentFault, type Fault } from '../check/finding.ts';
import type { DocumentReading, ListingDocument } from './listing.ts';
import { decodeText, EMPTY_FILE } from './other-formats.ts';
import { yamlFaults } from './yaml-words.ts';

/** Repeated names are found here: the library compares each name with each. */
const OPTIONS = {
  version: '1.2',
  schema: 'core',
  uniqueKeys: false,
  prettyErrors: false,
  logLevel: 'silent',
} as const;

/** Names, values, signs and spaces of one document: they take some 250 bytes each. */
const LEXEMES_MAX = 2_000_000;

/** Values and characters that the aliases of a file repeat. */
const ALIASED_MAX = 4_000_000;

/** YAML 1.2 of the core schema: a listing, a list of them, or several documents; empty documents are passed over. */
export function* readYaml(bytes: Uint8Array): Generator<DocumentReading> {
  const decoded = decodeText(bytes);
  if ('fault' in decoded) yield { ok: false, fault: decoded.fault };
  else yield* listingsOfYaml(decoded.text);
}

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
    yield { ok: false, fault: faultOf(error, positionAt) };
    return;
  }
  if (isEmpty) yield { ok: false, fault: EMPTY_FILE };
}

interface YamlFile {
  readonly text: string;
  readonly positionAt: (offset: number) => Position;
  aliased: number;
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
    if (parser.stack.length > DEPTH_LIMIT + 1) throw new Malformed(parser.offset, TOO_DEEP);
    if (++lexemes > LEXEMES_MAX) throw new TooMuch(parser.offset, TOO_LONG);
  }
  yield* parser.end();
}

const TOO_DEEP: Wording = [`this is nested more than ${DEPTH_LIMIT} levels deep`, 'no listing is'];
const TOO_LONG: Wording = [
  `one document has more than ${LEXEMES_MAX.toLocaleString('en')} names, values and signs`,
  'make each listing a document of its own, below a line ---, or split the file',
];

function isBlank(contents: unknown): boolean {
  return contents === null || (isScalar(contents) && contents.value === null && !contents.source);
}

function faultOf(error: unknown, positionAt: (offset: number) => Position): Fault {
  if (!(error instanceof Malformed)) throw error;
  const rule = error instanceof TooMuch ? 'file-content' : 'yaml-syntax';
  return { rule, ...malformedFault(error, positionAt) };
}

function* readingsOf(document: Document.Parsed, file: YamlFile): Generator<DocumentReading> {
  const { contents, directives } = document;
  const [fault, ...others] = yamlFaults(document, file.text, file.positionAt);
  if (fault !== undefined) return yield { ok: false, fault, others };
  if (directives.yaml.version !== '1.2') return yield { ok: false, fault: OLD_YAML };
  const anchors = new Map<string, Node>();
  for (const root of isSeq<Node>(contents) ? contents.items : [contents]) {
    if (root !== null) yield readingOf(root, anchors, file);
  }
}

const OLD_YAML = contentFault(
  'this says that it is YAML 1.1',
  'take the line %YAML out: it is read as YAML 1.2',
);

function readingOf(root: Node, anchors: Map<string, Node>, file: YamlFile): DocumentReading {
  if (isScalar(root) && typeof root.value === 'string') {
    const hint = 'a listing has a field on each line, with a space behind the colon: `title: Welder`';
    const fault = contentFault('this is a text, not a listing', hint);
    return { ok: false, fault: { ...fault, ...file.positionAt(startOf(root)) } };
  }
  try {
    return { ok: true, document: new YamlListing(root, anchors, file) };
  } catch (error) {
    return { ok: false, fault: faultOf(error, file.positionAt) };
  }
}

function startOf(node: Node): number {
  return node.range?.[0] ?? 0;
}

const CORE_TAG = /^(?:!|tag:yaml\.org,2002:(?:str|int|float|bool|null|map|seq))$/;

/** Throws Malformed for more values than a listing has. */
class YamlListing implements ListingDocument {
  readonly value: unknown;
  readonly flaws: Fault[] = [];
  flawsOmitted = 0;
  private values = 0;
  private readonly path: (string | number)[] = [];
  private readonly targets = new Map<Alias, Node>();
  /** Undefined outside of what an alias repeats. */
  private aliasStart: number | undefined;

  readonly locate = (path: FieldPath, part: 'value' | 'name' = 'value'): Position => {
    let [node, nameStart]: [Node, number] = [this.root, startOf(this.root)];
    for (const step of path) {
      const within = isAlias(node) ? this.targets.get(node) : node;
      if (isSeq<Node>(within)) {
        const item = within.items[Number(step)];
        if (item === undefined) break;
        [node, nameStart] = [item, startOf(item)];
      } else {
        const pair = isMap<Node, Node>(within) && within.items.findLast(({ key }) => nameOf(key) === step);
        if (!pair) break;
        [node, nameStart] = [pair.value ?? pair.key, startOf(pair.key)];
      }
    }
    return this.file.positionAt(part === 'name' ? nameStart : startOf(node));
  };

  constructor(
    private readonly root: Node,
    private readonly anchors: Map<string, Node>,
    private readonly file: YamlFile,
  ) {
    this.value = this.valueOf(root);
  }

  private valueOf(node: Node | null): unknown {
    if (node === null) return null;
    if (++this.values > VALUES_MAX) throw new TooMuch(startOf(node), tooManyValues(VALUES_MAX));
    if (isAlias(node)) return this.aliased(node);
    const value = this.ownValue(node);
    if (node.tag !== undefined && !CORE_TAG.test(node.tag)) this.noteTag(node, node.tag);
    // Behind its value, so that nothing can hold itself.
    if (node.anchor !== undefined) this.anchors.set(node.anchor, node);
    return value;
  }

  private ownValue(node: Exclude<Node, Alias>): unknown {
    if (isMap<Node, Node | null>(node)) return this.map(node);
    if (isSeq<Node>(node)) return node.items.map((item, index) => this.part(index, item));
    this.countAliased(isScalar(node) ? String(node.value).length : 0);
    return isScalar(node) ? this.scalar(node) : null;
  }

  private part(name: string | number, node: Node | null): unknown {
    this.path.push(name);
    if (this.path.length > DEPTH_LIMIT) throw new Malformed(this.aliasStart ?? 0, TOO_DEEP);
    this.countAliased(1);
    const value = this.valueOf(node);
    this.path.pop();
    return value;
  }

  private map({ items }: YAMLMap<Node, Node | null>): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    const starts = new Map<string, number>();
    for (const { key, value } of items) {
      const name = nameOf(key);
      const start = startOf(key);
      if (name === undefined) {
        this.note(start, NO_NAME);
        continue;
      }
      const firstStart = starts.get(name);
      this.path.push(name);
      if (isScalar(key) && key.source === '<<' && key.type === 'PLAIN') this.note(start, MERGE);
      else if (firstStart !== undefined) this.noteRepeat(start, firstStart);
      this.path.pop();
      starts.set(name, firstStart ?? start);
      setOwn(object, name, this.part(name, value));
    }
    return object;
  }

  private scalar(node: Scalar): unknown {
    const { value, source = '' } = node;
    if (typeof value === 'number' && source !== String(value)) {
      const shown = clipped(source, 40);
      this.note(
        startOf(node),
        [
          `${shown} is read as the number ${value}`,
          `write ${Number.isFinite(value) ? `${value}, or ` : ''}${JSON.stringify(shown)} where it is text`,
        ],
        'json-lost-digits',
      );
    } else if (typeof value === 'string' && /\p{Surrogate}/u.test(value)) {
      const { message, hint } = flawWording(
        { kind: 'half-character', path: [], start: 0 },
        this.file.positionAt,
      );
      this.note(startOf(node), [message, hint], 'json-half-character');
    }
    return value;
  }

  private aliased(alias: Alias): unknown {
    const target = this.anchors.get(alias.source);
    if (target === undefined) {
      const hint = `put a text that begins with * in quotes; an alias stands below its anchor, &${alias.source}`;
      this.note(startOf(alias), [`*${clipped(alias.source, 40)} is an alias of nothing`, hint]);
      return null;
    }
    this.targets.set(alias, target);
    const outer = this.aliasStart;
    this.aliasStart ??= startOf(alias);
    const value = this.valueOf(target);
    this.aliasStart = outer;
    return value;
  }

  private countAliased(size: number): void {
    if (this.aliasStart === undefined) return;
    this.file.aliased += size;
    if (this.file.aliased > ALIASED_MAX) throw new TooMuch(this.aliasStart, TOO_MANY_ALIASED);
  }

  private noteTag(node: Node, tag: string): void {
    const start = startOf(node);
    const before = this.file.text.slice(Math.max(0, start - 200), start);
    const written = /(!\S*)(?:\s+&\S+)?\s*$/.exec(before);
    const at = written === null ? start : start - before.length + written.index;
    const shown = clipped(written?.[1] ?? tag, 40);
    this.note(at, [
      `${shown} is a tag, which a job file does not have`,
      `take it out; a text that begins with ! stands in quotes`,
    ]);
  }

  private noteRepeat(start: number, firstStart: number): void {
    const flaw = { kind: 'repeated-name', firstStart, path: [], start } as const;
    const { message, hint } = flawWording(flaw, this.file.positionAt);
    this.note(start, [message, hint], 'json-repeated-field');
  }

  private note(start: number, [message, hint]: Wording, rule: Fault['rule'] = 'yaml-syntax'): void {
    if (this.flaws.length >= PROBLEMS_MAX) this.flawsOmitted++;
    else this.flaws.push({ rule, path: [...this.path], message, hint, ...this.file.positionAt(start) });
  }
}

const NO_NAME: Wording = [
  'the name of a field is no text',
  'put a value with braces, such as {{ title }}, in quotes',
];
const MERGE: Wording = [
  '<< does not merge in YAML 1.2',
  'write the fields out, or put what listings share into _defaults.yaml',
];
const TOO_MANY_ALIASED: Wording = ['its aliases repeat too much', 'write the values out'];

/** Undefined for a name that is a list, a map or an alias. */
function nameOf(key: unknown): string | undefined {
  if (!isScalar(key)) return undefined;
  return typeof key.value === 'string' ? key.value : (key.source ?? '');
}
