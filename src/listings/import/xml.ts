import type { Parser } from 'htmlparser2';
import { PartnerError } from '../../contract/errors.ts';
import { positionsIn } from '../../contract/json/positions.ts';

/**
 * An element: its text, or its elements by name, several of a name as a list. Names are lower case, without prefix,
 * hyphens and underscores: `job-type` and `jobType` are `jobtype`.
 */
type XmlValue = string | XmlObject;

interface XmlObject {
  readonly [name: string]: XmlValue | readonly XmlValue[];
  /** As it is written: a description may be HTML that nobody escaped. */
  readonly '#source': string;
  /** The `id` attribute. Other attributes are ignored. */
  readonly '@id'?: string;
}

/** A well-formed document. Only the five entities of XML and numeric ones are read; nothing is fetched. */
export interface XmlDocument {
  readonly root: string;
  /** The elements of a name, each read when it is its turn: a feed may hold a hundred thousand. */
  elements(name: string): Iterable<XmlValue>;
}

/** Open in HTML that nobody escaped, which a description may hold. */
const NEEDS_NO_END = /^(?:br|hr|img)$/i;

const LIMITS = {
  depth: 100,
  attributes: 1_000,
  elements: 5_000_000,
  elementsOfPosting: 20_000,
  textsOfPosting: 1_000_000,
};
const CHUNK_CHARACTERS = 64 * 1024;

interface OpenElement {
  readonly rawName: string;
  readonly start: number;
  readonly innerStart: number;
  readonly id: string | undefined;
  readonly inside: Map<string, XmlValue[]>;
  text: string;
}

/** Throws FILE_INVALID with a line for a text that is cut, is no XML, or defines entities. */
export async function readXml(text: string, file: string): Promise<XmlDocument> {
  const { Parser } = await import('htmlparser2');
  // The first walk finds what is wrong before anything is taken, and gives the root.
  const { value: root } = walk(Parser, text, file).next();
  if (typeof root !== 'string') throw invalid(text, file, 0, 'it holds no XML element');
  return { root, elements: (name) => walk(Parser, text, file, name) };
}

function* walk(
  ParserClass: typeof Parser,
  text: string,
  file: string,
  wanted?: string,
): Generator<XmlValue, string | undefined> {
  const open: OpenElement[] = [];
  const found: XmlValue[] = [];
  let root: string | undefined;
  let postingDepth = 0;
  let [count, countOfPosting, attributes, texts] = [0, 0, 0, 0];
  let id: string | undefined;
  const bounded = (value: number, limit: keyof typeof LIMITS, what: string): void => {
    if (value <= LIMITS[limit]) return;
    throw invalid(text, file, parser.startIndex, `${what} ${LIMITS[limit].toLocaleString('en-US')}`);
  };
  const parser = new ParserClass(
    {
      onattribute(name, value) {
        if (plainName(name) === 'id') id = value;
        bounded(++attributes, 'attributes', 'an element has more attributes than');
      },
      onopentag(rawName) {
        attributes = 0;
        const { startIndex: start, endIndex } = parser;
        const name = plainName(rawName);
        root ??= name;
        open.push({ rawName, start, innerStart: endIndex + 1, id, inside: new Map(), text: '' });
        id = undefined;
        if (postingDepth === 0 && name === wanted)
          [postingDepth, countOfPosting, texts] = [open.length, 0, 0];
        bounded(open.length, 'depth', 'elements are nested deeper than');
        bounded(++count, 'elements', 'there are more elements than');
        if (postingDepth > 0)
          bounded(++countOfPosting, 'elementsOfPosting', 'a posting has more elements than');
      },
      ontext(part) {
        const current = open.at(-1);
        if (postingDepth === 0 || current === undefined) return;
        current.text += part;
        bounded(++texts, 'textsOfPosting', 'a posting has more pieces of text than');
      },
      onclosetag() {
        const element = open.pop();
        if (element === undefined) return;
        const { rawName, start, innerStart, id, inside } = element;
        const { startIndex, endIndex } = parser;
        const isWhole = endIndex + 1 === innerStart || NEEDS_NO_END.test(rawName);
        if (!isWhole && text.slice(startIndex + 2, endIndex).trim() !== rawName) {
          const what = `<${rawName.slice(0, 60)}> is not closed: the XML is cut or malformed`;
          throw invalid(text, file, start, what, 'download the feed again, or export it again');
        }
        if (postingDepth === 0) return;
        const value =
          inside.size === 0 ? element.text : asObject(inside, text.slice(innerStart, startIndex), id);
        if (open.length < postingDepth) {
          found.push(value);
          postingDepth = 0;
          return;
        }
        const [outer, name] = [open.at(-1)?.inside, plainName(rawName)];
        const sameName = outer?.get(name);
        if (sameName === undefined) outer?.set(name, [value]);
        else sameName.push(value);
      },
      onprocessinginstruction(name, content) {
        const isDefinition = /^!(?:entity|element|attlist|notation)$/i.test(name);
        if (!isDefinition && !(/^!doctype$/i.test(name) && content.includes('['))) return;
        const what = 'the document defines entities of its own, which are never expanded';
        throw invalid(text, file, parser.startIndex, what, 'export the feed without a DOCTYPE');
      },
    },
    { xmlMode: true },
  );
  for (let at = 0; at < text.length; at += CHUNK_CHARACTERS) {
    parser.write(text.slice(at, at + CHUNK_CHARACTERS));
    yield* found.splice(0);
  }
  parser.end();
  yield* found.splice(0);
  return root;
}

function invalid(text: string, file: string, offset: number, what: string, hint?: string): PartnerError {
  const { line } = positionsIn(text)(offset);
  return new PartnerError('FILE_INVALID', { message: `${file}:${line}: ${what}`, hint });
}

/** Without a prototype: an element may be called `__proto__`. */
function asObject(inside: ReadonlyMap<string, XmlValue[]>, source: string, id?: string): XmlObject {
  const object: Record<string, XmlValue | readonly XmlValue[]> = Object.create(null);
  for (const [name, values] of inside) object[name] = values.length === 1 ? (values[0] ?? '') : values;
  return Object.assign(object, { '#source': source, ...(id !== undefined && { '@id': id }) });
}

function plainName(name: string): string {
  return name
    .slice(name.indexOf(':') + 1)
    .toLowerCase()
    .replace(/[-_]/g, '');
}
