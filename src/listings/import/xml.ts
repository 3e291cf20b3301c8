import type { Parser } from 'htmlparser2';
import { PartnerError } from '../../contract/errors.ts';
import { positionsIn } from '../../contract/json/positions.ts';

/**
 * An element: its text, or its elements by name, several of a name as a list. Names are lower case, without prefix,
 * hyphens and underscores: `job-type` and `jobType` are `jobtype`.
 */
export type XmlValue = string | XmlObject;

export interface XmlObject {
  readonly [name: string]: XmlValue | readonly XmlValue[];
  /** As it is written: a description may be HTML that nobody escaped. */
  readonly '#source': string;
}

/** A well-formed document. Only the five entities of XML and numeric ones are read; nothing is fetched. */
export interface XmlDocument {
  /** The name of its first element. */
  readonly root: string;
  /** The elements of a name, each read when it is its turn: a feed may hold a hundred thousand. */
  elements(name: string): Iterable<XmlValue>;
}

const MAX_DEPTH = 100;
const MAX_ELEMENTS = 5_000_000;
const MAX_ELEMENTS_OF_POSTING = 20_000;
const CHUNK_CHARACTERS = 64 * 1024;

interface OpenElement {
  readonly name: string;
  readonly rawName: string;
  readonly start: number;
  readonly innerStart: number;
  readonly inside: Map<string, XmlValue[]>;
  text: string;
}

/** Throws FILE_INVALID with a line for a text that is cut, is no XML, or defines entities. */
export async function readXml(text: string, name: string): Promise<XmlDocument> {
  const { Parser } = await import('htmlparser2');
  const walk = (wanted?: string) => new XmlWalk(Parser, text, name, wanted);
  const first = walk();
  for (const _ of first.elements());
  if (first.root === undefined) throw first.failure(0, 'it holds no XML element');
  return { root: first.root, elements: (wanted) => walk(wanted).elements() };
}

class XmlWalk {
  root: string | undefined;
  readonly #text: string;
  readonly #file: string;
  readonly #wanted: string | undefined;
  readonly #parser: Parser;
  readonly #open: OpenElement[] = [];
  #done: XmlValue[] = [];
  #count = 0;
  #postingDepth = 0;
  #postingCount = 0;

  constructor(ParserClass: typeof Parser, text: string, file: string, wanted: string | undefined) {
    this.#text = text;
    this.#file = file;
    this.#wanted = wanted;
    this.#parser = new ParserClass(
      {
        onopentag: (name) => this.#opened(name),
        ontext: (part) => this.#read(part),
        onclosetag: () => this.#closed(),
        onprocessinginstruction: (name, content) => this.#declared(name, content),
      },
      { xmlMode: true },
    );
  }

  *elements(): Generator<XmlValue> {
    for (let at = 0; at < this.#text.length; at += CHUNK_CHARACTERS) {
      this.#parser.write(this.#text.slice(at, at + CHUNK_CHARACTERS));
      yield* this.#taken();
    }
    this.#parser.end();
    yield* this.#taken();
  }

  failure(offset: number, what: string, hint?: string): PartnerError {
    const { line } = positionsIn(this.#text)(offset);
    return new PartnerError('FILE_INVALID', { message: `${this.#file}:${line}: ${what}`, hint });
  }

  #taken(): XmlValue[] {
    const taken = this.#done;
    this.#done = [];
    return taken;
  }

  #opened(rawName: string): void {
    const { startIndex, endIndex } = this.#parser;
    const name = plainName(rawName);
    this.root ??= name;
    this.#open.push({
      name,
      rawName,
      start: startIndex,
      innerStart: endIndex + 1,
      inside: new Map(),
      text: '',
    });
    if (this.#open.length > MAX_DEPTH) {
      throw this.failure(startIndex, `elements are nested more than ${MAX_DEPTH} deep`);
    }
    if (++this.#count > MAX_ELEMENTS) {
      throw this.failure(startIndex, 'there are more than 5,000,000 elements');
    }
    if (this.#postingDepth === 0 && name === this.#wanted) {
      this.#postingDepth = this.#open.length;
      this.#postingCount = 0;
    }
    if (this.#postingDepth > 0 && ++this.#postingCount > MAX_ELEMENTS_OF_POSTING) {
      throw this.failure(startIndex, `a <${this.#wanted}> has more than 20,000 elements`);
    }
  }

  #read(part: string): void {
    const current = this.#open.at(-1);
    if (this.#postingDepth > 0 && current !== undefined) current.text += part;
  }

  #closed(): void {
    const element = this.#open.pop();
    if (element === undefined) return;
    const { startIndex, endIndex } = this.#parser;
    const isSelfClosed = endIndex + 1 === element.innerStart;
    const closingName = this.#text.slice(startIndex + 2, endIndex).trim();
    if (!isSelfClosed && closingName !== element.rawName) {
      throw this.failure(
        element.start,
        `<${element.rawName.slice(0, 60)}> is not closed: the XML is cut or malformed`,
        'download the feed again, or export it again',
      );
    }
    if (this.#postingDepth === 0) return;
    const source = this.#text.slice(element.innerStart, startIndex);
    const value = element.inside.size === 0 ? element.text : asObject(element.inside, source);
    if (this.#open.length < this.#postingDepth) {
      this.#done.push(value);
      this.#postingDepth = 0;
      return;
    }
    const siblings = this.#open.at(-1)?.inside;
    const sameName = siblings?.get(element.name);
    if (sameName === undefined) siblings?.set(element.name, [value]);
    else sameName.push(value);
  }

  #declared(name: string, content: string): void {
    const isOfDocumentType = /^!(?:doctype|entity|element|attlist|notation)$/i.test(name);
    if (isOfDocumentType && (content.includes('[') || !/^!doctype$/i.test(name))) {
      throw this.failure(
        this.#parser.startIndex,
        'the document defines entities of its own, which are never expanded',
        'export the feed without a DOCTYPE',
      );
    }
  }
}

/** Without a prototype: an element may be called `__proto__`. */
function asObject(inside: ReadonlyMap<string, XmlValue[]>, source: string): XmlObject {
  const object: Record<string, XmlValue | readonly XmlValue[]> = Object.create(null);
  for (const [name, values] of inside) object[name] = values.length === 1 ? (values[0] ?? '') : values;
  return Object.assign(object, { '#source': source });
}

function plainName(name: string): string {
  return name
    .slice(name.indexOf(':') + 1)
    .toLowerCase()
    .replace(/[-_]/g, '');
}
