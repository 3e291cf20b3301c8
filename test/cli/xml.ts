import assert from 'node:assert/strict';

export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Excludes the text of its children. */
  text: string;
}

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };

/** Supports only what the reports use; fails if the document isn't well-formed. */
export function parseXml(document: string): XmlElement[] {
  assert.ok(document.startsWith(DECLARATION), 'it begins as XML does');
  const elements: XmlElement[] = [];
  const open: XmlElement[] = [];
  const part = /<(\/?)([\w-]+)((?: [\w-]+="[^"<]*")*)(\/?)>|([^<]+)/y;
  for (part.lastIndex = DECLARATION.length; part.lastIndex < document.length; ) {
    const at = part.lastIndex;
    const [, closes, name = '', attributes = '', isEmpty, text] = part.exec(document) ?? [];
    const inside = open.at(-1);
    if (text !== undefined && inside !== undefined) inside.text += decoded(text);
    else if (text !== undefined) assert.equal(text.trim(), '', 'text outside of the root');
    else if (closes) assert.equal(open.pop()?.name, name, `</${name}> closes what is open`);
    else {
      assert.ok(name !== '', `no XML: ${document.slice(at, at + 80)}`);
      assert.ok(open.length > 0 || elements.length === 0, 'there is one root');
      const pairs = Array.from(attributes.matchAll(/ ([\w-]+)="([^"]*)"/g), ([, key = '', value = '']) => [
        key,
        decoded(value),
      ]);
      const element = { name, attributes: Object.fromEntries(pairs), text: '' };
      elements.push(element);
      if (!isEmpty) open.push(element);
    }
  }
  assert.deepEqual(open, [], 'all that is open is closed');
  return elements;
}

function decoded(text: string): string {
  return text.replace(/&(\w*);?/g, (whole, entity: string) => {
    assert.ok(whole.endsWith(';') && ENTITIES[entity] !== undefined, `${whole} is no entity`);
    return ENTITIES[entity] ?? '';
  });
}
