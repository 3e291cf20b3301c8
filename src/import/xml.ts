import type { Parser } from 'htmlparser2';
import { PartnerError } from '../contract/errors.ts';
import { createPositionFinder } from '../json/positions.ts';

/** Text or child elements. Elements with the same name become a list. Names are normalized (`job-type` → `jobtype`). */
type XmlValue = string | XmlObject;

interface XmlObject {
  readonly [name: string]: XmlValue | readonly XmlValue[];
  /** The element's source text, because a description may contain unescaped HTML. */
  readonly '#source': string;
  readonly '@id'?: string;
}

/** A well-formed document. Only the five XML entities and numeric ones are decoded. Nothing is downloaded. */
export type XmlDocument = Awaited<ReturnType<typeof readXml>>;

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

/** Throws FILE_INVALID with a line number if the text is incomplete, isn't XML or defines entities. */
export async function readXml(text: string, file: string, turn: () => Promise<void>) {
  const { Parser } = await import('htmlparser2');
  // The first pass detects errors before any element is used, and returns the root.
  const steps = walk(Parser, text, file);
  let step = steps.next();
  for (; !step.done; step = steps.next()) await turn();
  const root = step.value;
  if (root === undefined) throw invalid(text, file, 0, 'it has no XML element');
  return {
    root,
    /** Reads the elements of a name one by one, because a feed can have a hundred thousand. */
    *elements(name: string) {
      for (const found of walk(Parser, text, file, name)) yield* found;
    },
  };
}

/** Yields the wanted elements of each chunk. Returns the name of the root. */
function* walk(ParserClass: typeof Parser, text: string, file: string, wanted?: string) {
  const open: OpenElement[] = [];
  const found: XmlValue[] = [];
  let root: string | undefined;
  let postingDepth = 0;
  let [count, countOfPosting, attributes, texts] = [0, 0, 0, 0];
  let id: string | undefined;
  const assertLimit = (value: number, limit: keyof typeof LIMITS, what: string): void => {
    if (value <= LIMITS[limit]) return;
    throw invalid(text, file, parser.startIndex, `${what} ${LIMITS[limit].toLocaleString('en-US')}`);
  };
  const parser = new ParserClass(
    {
      onattribute(name, value) {
        if (plainName(name) === 'id') id = value;
        assertLimit(++attributes, 'attributes', 'an element has more attributes than');
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
        assertLimit(open.length, 'depth', 'elements are nested deeper than');
        assertLimit(++count, 'elements', 'the feed has more elements than');
        if (postingDepth > 0)
          assertLimit(++countOfPosting, 'elementsOfPosting', 'a posting has more elements than');
      },
      ontext(part) {
        const current = open.at(-1);
        if (postingDepth === 0 || current === undefined) return;
        current.text += part;
        assertLimit(++texts, 'textsOfPosting', 'a posting has more text nodes than');
      },
      onclosetag() {
        const element = open.pop();
        if (element === undefined) return;
        const { rawName, start, innerStart, id, inside } = element;
        const { startIndex, endIndex } = parser;
        const isWhole = endIndex + 1 === innerStart || NEEDS_NO_END.test(rawName);
        if (!isWhole && text.slice(startIndex + 2, endIndex).trim() !== rawName) {
          const what = `<${rawName.slice(0, 60)}> isn't closed: the XML is cut off or malformed`;
          throw invalid(text, file, start, what, 'download or export the feed again');
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
        const what = "the document defines custom entities, which aren't supported";
        throw invalid(text, file, parser.startIndex, what, 'export the feed without a DOCTYPE');
      },
    },
    { xmlMode: true },
  );
  for (let at = 0; at < text.length; at += CHUNK_CHARACTERS) {
    parser.write(text.slice(at, at + CHUNK_CHARACTERS));
    yield found.splice(0);
  }
  parser.end();
  yield found.splice(0);
  return root;
}

function invalid(text: string, file: string, offset: number, what: string, hint?: string): PartnerError {
  const { line } = createPositionFinder(text)(offset);
  return new PartnerError('FILE_INVALID', { message: `${file}:${line}: ${what}`, hint });
}

/** The object has no prototype, because an element can be called `__proto__`. */
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
