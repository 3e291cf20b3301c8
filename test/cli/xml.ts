import assert from 'node:assert/strict';

export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Its own text, without that of its children. */
  readonly text: string;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };

/** The elements of an XML document in their order; fails if it is not well-formed. Knows only what reports use. */
export function parseXml(document: string): XmlElement[] {
  const [declaration = ''] = /^<\?xml version="1\.0" encoding="UTF-8"\?>\n/.exec(document) ?? [];
  assert.notEqual(declaration, '', 'it begins as XML does');
  const elements: { name: string; attributes: Record<string, string>; text: string }[] = [];
  const open: (typeof elements)[number][] = [];
  const rest = document.slice(declaration.length);
  const part = /<(\/?)([\w-]+)((?: [\w-]+="[^"<]*")*)(\/?)>|([^<]+)/y;
  while (part.lastIndex < rest.length) {
    const at = part.lastIndex;
    const match = part.exec(rest);
    assert.ok(match, `no XML: ${rest.slice(at, at + 80)}`);
    const [, closes, name = '', attributes = '', isEmpty, text] = match;
    if (text !== undefined) {
      const inside = open.at(-1);
      if (inside === undefined) assert.equal(text.trim(), '', 'nothing stands outside of the root');
      else inside.text += decoded(text);
    } else if (closes) {
      assert.equal(open.pop()?.name, name, `</${name}> closes what is open`);
    } else {
      assert.ok(open.length > 0 || elements.length === 0, 'there is one root');
      const pairs = [...attributes.matchAll(/ ([\w-]+)="([^"]*)"/g)];
      const element = {
        name,
        attributes: Object.fromEntries(pairs.map(([, key = '', value = '']) => [key, decoded(value)])),
        text: '',
      };
      elements.push(element);
      if (!isEmpty) open.push(element);
    }
  }
  assert.deepEqual(open, [], 'all that is open is closed');
  return elements;
}

function decoded(text: string): string {
  return text.replace(/&(\w*;?)/g, (_, entity: string) => {
    const character = ENTITIES[entity.slice(0, -1)];
    assert.ok(character !== undefined && entity.endsWith(';'), `&${entity} is no entity`);
    return character;
  });
}
